import { useState } from 'react';
import { useLocation } from 'wouter';
import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { useClient } from '../stream/live.tsx';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-answer.ts';

const DRAFT = 'assay.draft';
const steps: readonly { readonly icon: 'arrow' | 'shield'; readonly key: TextKey }[] = [
  { icon: 'arrow', key: 'whatProfile' },
  { icon: 'arrow', key: 'whatPreflight' },
  { icon: 'arrow', key: 'whatScore' },
  { icon: 'shield', key: 'whatSandbox' },
];

interface Draft {
  readonly repository: string;
  readonly data: string;
  readonly target: string;
}

/** The box that starts a benchmark. What is typed is kept until it has started. */
export function NewWork() {
  const { text } = useTexts();
  const client = useClient();
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState<Draft>(storedDraft);
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    localStorage.setItem(DRAFT, JSON.stringify(next));
  };
  const start = useAction(async () => {
    const { repository, data, target } = draft;
    const inputs = { repository, data, ...(target === '' ? {} : { target }) };
    const { plan } = await client.createPlan({ body: { intentType: 'Custom_Benchmark', inputs } });
    if (plan.status === 'pending' && plan.clarification === null) await client.executePlan({ plan: plan.id });
    localStorage.removeItem(DRAFT);
    navigate(`/plans/${plan.id}`);
  });
  const field = (name: keyof Draft, label: TextKey, example: TextKey) => (
    <label className="field">
      <span className="label">{text(label)}</span>
      <input
        name={name}
        value={draft[name]}
        placeholder={text(example)}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </label>
  );
  return (
    <form
      className="card new-work"
      onSubmit={(event) => {
        event.preventDefault();
        start.run();
      }}
    >
      <div>
        <h1>{text('newWork')}</h1>
        <p className="dim">{text('newWorkHelp')}</p>
      </div>
      <div className="fields">
        {field('repository', 'repository', 'repositoryExample')}
        {field('data', 'dataFile', 'dataExample')}
        {field('target', 'target', 'targetExample')}
      </div>
      <ul className="what">
        {steps.map(({ icon, key }) => (
          <li key={key}>
            <Icon name={icon} small />
            <span>{text(key)}</span>
          </li>
        ))}
      </ul>
      {start.error !== undefined && <ErrorNotice error={start.error} />}
      <div>
        <button className="button primary" disabled={draft.repository === '' || draft.data === '' || start.running}>
          {text(start.running ? 'starting' : 'create')}
        </button>
      </div>
    </form>
  );
}

function storedDraft(): Draft {
  const none = { repository: '', data: '', target: '' };
  try {
    return { ...none, ...(JSON.parse(localStorage.getItem(DRAFT) ?? '{}') as Partial<Draft>) };
  } catch {
    return none; // not ours
  }
}
