import { AssayError } from '@assay/foundation';
import { taskStatuses } from '@assay/contracts';
import { useTexts } from '../i18n/texts.tsx';
import { LogRow } from '../log/log-row.tsx';
import { Keys } from '../palette/command-palette.tsx';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Status, taskLook } from '../ui/status.tsx';
import { Check } from './machine-screen.tsx';

const refusal = new AssayError('conflict', "role data cannot do 'Run the benchmark'", {
  why: 'it has no grant for sandbox.exec',
  hint: 'its grants are artifacts.read, artifacts.write',
});

const printed = [
  '\u001b[2m$\u001b[0m python3 adapter.py --limit 333 --seed 17',
  '\u001b[32mloaded\u001b[0m 333 rows, 6 columns',
  '\u001b[33mwarning:\u001b[0m column “sex” is not used',
  '\u001b[1;31merror:\u001b[0m \u001b[38;5;39mmodel.bin\u001b[0m was not found <img src=x>',
];

/** Every component in the states that a person meets: for pictures, and for who changes one. */
export function GalleryScreen() {
  const { text } = useTexts();
  return (
    <div className="scroll">
      <div className="doctor">
        <h1>{text('gallery')}</h1>
        <section className="settings-part" aria-label="Status">
          <div className="row" style={{ flexWrap: 'wrap', gap: 16 }}>
            {taskStatuses.map((status) => (
              <Status key={status} look={taskLook({ status })} />
            ))}
          </div>
          <div className="row" style={{ flexWrap: 'wrap' }}>
            {(['in_progress', 'completed', 'failed'] as const).map((status) => (
              <Status key={status} look={taskLook({ status })} pill />
            ))}
          </div>
        </section>
        <section className="settings-part" aria-label="Button">
          <div className="row" style={{ flexWrap: 'wrap' }}>
            <button type="button" className="button primary">
              {text('approve')}
            </button>
            <button type="button" className="button">
              {text('verifyAll')}
            </button>
            <button type="button" className="button on" aria-pressed="true">
              {text('following')}
            </button>
            <button type="button" className="button danger">
              <Icon name="close" small />
              {text('cancel')}
            </button>
            <button type="button" className="button" disabled>
              {text('starting')}
            </button>
            <Keys keys="g h" />
          </div>
        </section>
        <section className="settings-part" aria-label="Log">
          <div className="virtual" style={{ minHeight: 'auto', flex: 'none' }}>
            {[...printed, undefined].map((line, index) => (
              <LogRow key={index} index={index} line={line} found="rows" current={index === 2} digits={2} />
            ))}
          </div>
        </section>
        <section className="settings-part" aria-label="Notice">
          <ErrorNotice error={refusal} />
        </section>
        <ul className="checks" aria-label="Check">
          <Check check={{ name: 'git', status: 'ok', found: 'git version 2.39.5' }} />
          <Check
            check={{
              name: 'packages',
              status: 'warning',
              found: 'python3 has no pip',
              why: 'the module pip is missing',
              hint: 'install python3-pip',
            }}
          />
          <Check
            check={{
              name: 'sandbox',
              status: 'failed',
              found: 'bubblewrap does not work here',
              why: 'user namespaces are switched off',
              hint: 'sysctl -w kernel.unprivileged_userns_clone=1',
            }}
          />
        </ul>
      </div>
    </div>
  );
}
