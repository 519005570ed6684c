import type { DoctorCheck } from '@assay/contracts';
import { useState } from 'react';
import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { useClient } from '../stream/live.tsx';
import { plain } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Status, type StatusLook } from '../ui/status.tsx';
import { useAnswer } from '../use-answer.ts';

const looks: Readonly<Record<DoctorCheck['status'], StatusLook>> = {
  ok: { tone: 'done', icon: 'done', word: 'checkOk' },
  warning: { tone: 'running', icon: 'warning', word: 'checkWarning' },
  failed: { tone: 'failed', icon: 'failed', word: 'checkFailed' },
};

/** What each check is called, and what depends on it. A check that is not listed here shows under its own name. */
const known: Readonly<Record<string, readonly [TextKey, TextKey]>> = {
  node: ['checkNode', 'checkNodeFor'],
  python3: ['checkPython', 'checkPythonFor'],
  packages: ['checkPackages', 'checkPackagesFor'],
  git: ['checkGit', 'checkGitFor'],
  sandbox: ['checkSandbox', 'checkSandboxFor'],
  'sandbox self-test': ['checkEscape', 'checkEscapeFor'],
  disk: ['checkDisk', 'checkDiskFor'],
  quests: ['checkQuests', 'checkQuestsFor'],
};

/** What this machine can run, what is missing, why, and what to do about it. */
export function MachineScreen() {
  const { text } = useTexts();
  const client = useClient();
  const [run, setRun] = useState(0);
  const { answer, error } = useAnswer((signal) => client.doctor(undefined, { signal }), [client, run]);
  const good = answer?.checks.filter(({ status }) => status === 'ok').length ?? 0;
  const rank = { failed: 0, warning: 1, ok: 2 };
  const checks = [...(answer?.checks ?? [])].sort((a, b) => rank[a.status] - rank[b.status]);
  return (
    <div className="scroll">
      <div className="doctor">
        <div className="row">
          <h1 className="grow">{text('machineTitle')}</h1>
          <button type="button" className="button" onClick={() => setRun(run + 1)}>
            <Icon name="again" small />
            {text('checkAgain')}
          </button>
        </div>
        <p className="dim">{text('machineHelp')}</p>
        {error !== undefined && <ErrorNotice error={error} />}
        {answer === undefined && error === undefined && <p className="dim">{text('checking')}</p>}
        {answer !== undefined && (
          <p className="meta" role="status">
            {text('checksGood', { good, total: answer.checks.length })}
          </p>
        )}
        <ul className="checks">
          {checks.map((check) => (
            <Check key={`${check.name} ${check.found}`} check={check} />
          ))}
        </ul>
      </div>
    </div>
  );
}

export function Check({ check }: { readonly check: DoctorCheck }) {
  const { text } = useTexts();
  const words = known[check.name];
  return (
    <li className="check">
      <div className="row">
        <h3 className="grow">{words === undefined ? plain(check.name) : text(words[0])}</h3>
        <Status look={looks[check.status]} />
      </div>
      {words !== undefined && <p className="meta">{text(words[1])}</p>}
      <p className="break">{plain(check.found)}</p>
      {check.why !== undefined && (
        <p className="dim">
          <b>{text('why')}</b> {plain(check.why)}
        </p>
      )}
      {check.hint !== undefined && (
        <p className="dim">
          <b>{text('whatToDo')}</b> {plain(check.hint)}
        </p>
      )}
    </li>
  );
}
