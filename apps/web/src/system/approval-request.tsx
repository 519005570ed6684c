import type { Budget, Plan } from '@assay/contracts';
import { useState } from 'react';
import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { useClient } from '../stream/live.tsx';
import { bytesText, countText, plain } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Status } from '../ui/status.tsx';
import { useAction } from '../use-answer.ts';
import { Deny } from './deny-plan.tsx';

/** What a run needs and may use, with a budget that can be changed before it is approved. */
export function ApprovalRequest({ plan }: { readonly plan: Plan }) {
  const { text } = useTexts();
  const client = useClient();
  const [budget, setBudget] = useState<Budget>(plan.budget);
  const approve = useAction(async () => {
    await client.approvePlan({ plan: plan.id, body: { budget } });
    await client.executePlan({ plan: plan.id });
  });
  return (
    <form
      className="inbox-approval"
      onSubmit={(event) => {
        event.preventDefault();
        approve.run();
      }}
    >
      {plan.approval.reason !== null && <p className="inbox-prose">{plain(plan.approval.reason)}</p>}
      <Needs plan={plan} />
      <h3>{text('approvalSees')}</h3>
      <dl className="facts">
        <dt>{text('repository')}</dt>
        <dd className="mono">{plan.inputs.repository ?? '–'}</dd>
        <dt>{text('dataFile')}</dt>
        <dd className="mono">{plan.inputs.data ?? '–'}</dd>
        <dt>{text('boundary')}</dt>
        <dd>{text('permRun')}</dd>
      </dl>
      <h3>{text('approvalBudget')}</h3>
      <div className="inbox-budget">
        <Amount
          name="budgetAttempts"
          value={budget.maxTaskAttempts}
          onChange={(maxTaskAttempts) => setBudget({ ...budget, maxTaskAttempts })}
        />
        <Amount
          name="budgetMinutes"
          value={Math.round(budget.maxDurationSeconds / 60)}
          onChange={(minutes) => setBudget({ ...budget, maxDurationSeconds: minutes * 60 })}
        />
        {budget.maxDiskBytes !== undefined && (
          <Amount
            name="budgetDisk"
            value={Math.round(budget.maxDiskBytes / 1e9)}
            onChange={(gigabytes) => setBudget({ ...budget, maxDiskBytes: gigabytes * 1e9 })}
          />
        )}
      </div>
      <p className="meta">{text('ifYouWait')}</p>
      <div className="inbox-options">
        <button type="submit" className="button primary" disabled={approve.running}>
          <Icon name="done" small />
          {text('approveBudget')}
        </button>
        <Deny plan={plan} word="deny" />
      </div>
      {approve.error !== undefined && <ErrorNotice error={approve.error} />}
    </form>
  );
}

interface AmountProps {
  readonly name: TextKey;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function Amount({ name, value, onChange }: AmountProps) {
  const { text } = useTexts();
  return (
    <label className="field">
      <span className="label">{text(name)}</span>
      <input
        type="number"
        required
        min={1}
        step={1}
        defaultValue={value}
        onChange={(event) => {
          const amount = event.target.valueAsNumber;
          if (Number.isInteger(amount) && amount > 0) onChange(amount);
        }}
      />
    </label>
  );
}

const needTexts = { cpus: 'needCpus', memory: 'needMemory', disk: 'needDisk', gpus: 'needGpus' } as const;

function Needs({ plan }: { readonly plan: Plan }) {
  const { text, language } = useTexts();
  const { proposal } = plan.approval;
  if (proposal === undefined) return null;
  const shown = (what: keyof typeof needTexts, amount: number) =>
    what === 'memory' || what === 'disk' ? bytesText(amount) : countText(amount, language);
  return (
    <table className="table">
      <thead>
        <tr>
          <th>{text('needWhat')}</th>
          <th className="right">{text('needNeeds')}</th>
          <th className="right">{text('needFound')}</th>
          <th>{text('needResult')}</th>
        </tr>
      </thead>
      <tbody>
        {(['cpus', 'memory', 'disk', 'gpus'] as const).map((what) => {
          const lacks = proposal.lacking.includes(what);
          return (
            <tr key={what}>
              <td>{text(needTexts[what])}</td>
              <td className="right nowrap">{shown(what, proposal.probe[what].needs)}</td>
              <td className="right nowrap">{shown(what, proposal.probe[what].found)}</td>
              <td>
                <Status
                  look={
                    lacks
                      ? { tone: 'running', icon: 'warning', word: 'needLacks' }
                      : { tone: 'done', icon: 'done', word: 'needEnough' }
                  }
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
