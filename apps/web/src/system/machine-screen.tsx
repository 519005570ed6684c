import { useTexts } from '../i18n/texts.tsx';
import { useClient } from '../stream/live.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Status, type StatusLook } from '../ui/status.tsx';
import { useAnswer } from '../use-answer.ts';

const looks: Readonly<Record<'ok' | 'warning' | 'failed', StatusLook>> = {
  ok: { tone: 'done', icon: 'done', word: 'checkOk' },
  warning: { tone: 'running', icon: 'warning', word: 'checkWarning' },
  failed: { tone: 'failed', icon: 'failed', word: 'checkFailed' },
};

/** What this machine can run, and what is missing. */
export function MachineScreen() {
  const { text } = useTexts();
  const client = useClient();
  const { answer, error } = useAnswer(() => client.doctor(), [client]);
  return (
    <div className="scroll">
      <div className="doctor">
        <h1>{text('machineTitle')}</h1>
        <p className="dim">{text('machineHelp')}</p>
        {error !== undefined && <ErrorNotice error={error} />}
        {answer === undefined && error === undefined && <p className="dim">{text('opening')}</p>}
        <dl className="facts">
          {answer?.checks.map((check) => (
            <div key={check.name} style={{ display: 'contents' }}>
              <dt className="mono">{check.name}</dt>
              <dd>
                <Status look={looks[check.status]} /> <span>{check.found}</span>
                {check.why !== undefined && <p className="meta">{check.why}</p>}
                {check.hint !== undefined && <p className="meta">{check.hint}</p>}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}
