import type { Plan } from '@assay/contracts';
import { useState } from 'react';
import { Link } from 'wouter';
import { titleOf } from '../home/home-screen.tsx';
import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { useClient, useLive } from '../stream/live.tsx';
import { ago, plain } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-answer.ts';
import { useNow } from '../use-now.ts';
import { ApprovalRequest } from './approval-request.tsx';
import { Deny } from './deny-plan.tsx';
import { waitingKind, waitingPlans, type WaitingKind } from './waiting.ts';

const kindTexts: Readonly<Record<WaitingKind, TextKey>> = {
  approval: 'inboxApproval',
  question: 'inboxQuestion',
  interrupted: 'inboxInterrupted',
};

/** Everything that waits for a person, over all plans: it is decided here. */
export function InboxScreen() {
  const { text } = useTexts();
  const { plans, loaded } = useLive();
  const waiting = waitingPlans(plans.values());
  const [chosen, setChosen] = useState<string>();
  const plan = waiting.find(({ id }) => id === chosen) ?? waiting[0];
  if (plan === undefined)
    return (
      <div className="empty">
        <h1>{text('inbox')}</h1>
        <p className="dim">{text(loaded ? 'inboxEmpty' : 'opening')}</p>
        {loaded && <p className="meta">{text('inboxEmptyHelp')}</p>}
      </div>
    );
  return (
    <div className="inbox">
      <nav className="inbox-list" aria-label={text('inbox')}>
        <h2>
          {text('inbox')} <span className="count">{waiting.length}</span>
        </h2>
        <ul>
          {waiting.map((one) => (
            <li key={one.id}>
              <Entry plan={one} selected={one.id === plan.id} onSelect={() => setChosen(one.id)} />
            </li>
          ))}
        </ul>
        <p className="meta">{text('inboxHelp')}</p>
      </nav>
      <Request key={plan.id} plan={plan} />
    </div>
  );
}

interface EntryProps {
  readonly plan: Plan;
  readonly selected: boolean;
  readonly onSelect: () => void;
}

function Entry({ plan, selected, onSelect }: EntryProps) {
  const { text, language } = useTexts();
  const now = useNow(30_000);
  return (
    <button type="button" className="inbox-entry" aria-current={selected ? 'true' : undefined} onClick={onSelect}>
      <span className="row">
        <span className="inbox-kind grow">{text(kindTexts[waitingKind(plan)!])}</span>
        <span className="meta nowrap">{ago(plan.updatedAt, now, language)}</span>
      </span>
      <b>{titleOf(plan)}</b>
      <span className="meta truncate">{plain(reasonOf(plan))}</span>
    </button>
  );
}

function reasonOf({ clarification, approval }: Plan): string {
  if (clarification !== null && clarification.answer === null) return clarification.question;
  return approval.reason ?? '';
}

function Request({ plan }: { readonly plan: Plan }) {
  const { text, language } = useTexts();
  const now = useNow(30_000);
  const kind = waitingKind(plan)!;
  return (
    <section className="inbox-request">
      <div className="row">
        <span className="status pill tone-waiting">
          <Icon name="waiting" small />
          {text(kindTexts[kind])}
        </span>
        <span className="meta">{text('askedAgo', { ago: ago(plan.updatedAt, now, language) })}</span>
      </div>
      <h1>
        <Link href={`/plans/${plan.id}`}>{titleOf(plan)}</Link>
      </h1>
      {kind === 'approval' && <ApprovalRequest plan={plan} />}
      {kind === 'question' && <Question plan={plan} />}
      {kind === 'interrupted' && <Interrupted plan={plan} />}
    </section>
  );
}

function Question({ plan }: { readonly plan: Plan }) {
  const { text } = useTexts();
  const client = useClient();
  const clarification = plan.clarification!;
  const [own, setOwn] = useState('');
  const answer = useAction(async (value: string) => {
    await client.clarifyPlan({ plan: plan.id, body: { answer: value } });
    await client.executePlan({ plan: plan.id });
  });
  return (
    <>
      <p className="inbox-prose">{plain(clarification.question)}</p>
      <div className="inbox-options">
        {clarification.options.map((option) => (
          <button
            key={option.value}
            type="button"
            className={option.default === true ? 'button primary answer' : 'button answer'}
            disabled={answer.running}
            onClick={() => answer.run(option.value)}
          >
            {plain(option.label)}
          </button>
        ))}
      </div>
      {(clarification.open === true || clarification.options.length === 0) && (
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            if (own.trim() !== '') answer.run(own.trim());
          }}
        >
          <label className="field grow">
            <span className="label">{text('ownAnswer')}</span>
            <input value={own} onChange={(event) => setOwn(event.target.value)} />
          </label>
          <button type="submit" className="button" disabled={answer.running || own.trim() === ''}>
            {text('answer')}
          </button>
        </form>
      )}
      {answer.error !== undefined && <ErrorNotice error={answer.error} />}
      <p className="meta">{text('ifYouWait')}</p>
      <Deny plan={plan} word="cancelPlan" />
    </>
  );
}

function Interrupted({ plan }: { readonly plan: Plan }) {
  const { text } = useTexts();
  const client = useClient();
  const resume = useAction(() => client.resumePlan({ plan: plan.id }));
  return (
    <>
      <p className="inbox-prose">{text('interruptedHelp')}</p>
      <div className="inbox-options">
        <button type="button" className="button primary" disabled={resume.running} onClick={() => resume.run()}>
          {text('resume')}
        </button>
        <Deny plan={plan} word="cancelPlan" />
      </div>
      {resume.error !== undefined && <ErrorNotice error={resume.error} />}
    </>
  );
}
