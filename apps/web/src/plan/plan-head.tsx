import type { Plan } from '@assay/contracts';
import { useTexts } from '../i18n/texts.tsx';
import { useClient } from '../stream/live.tsx';
import { duration, plain } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { planLook, Status } from '../ui/status.tsx';
import { useAction } from '../use-answer.ts';
import { useNow } from '../use-now.ts';

interface Props {
  readonly plan: Plan;
  readonly title: string;
  readonly problem: unknown;
}

/** Title, state, budget, and what can be done with the plan now. */
export function PlanHead({ plan, title, problem }: Props) {
  const { text } = useTexts();
  const now = useNow(plan.activeSince === null ? 3_600_000 : 1000);
  const running = plan.activeSince === null ? 0 : Math.max(0, (now - Date.parse(plan.activeSince)) / 1000);
  const active = plan.usage.activeSeconds + running;
  const { counts, usage, budget } = plan;
  return (
    <header className="head">
      <div className="row">
        <h1 className="truncate">{title}</h1>
        <Status look={planLook(plan)} pill />
        <span className="grow" />
        <Actions plan={plan} />
      </div>
      <div className="meters meta">
        <span>
          {text('tasksOf', { done: counts.completed, total: counts.total })}
          <progress className="meter" value={counts.completed} max={counts.total} aria-hidden="true" />
        </span>
        <span>
          {text('attemptsOf', { used: usage.taskAttempts, limit: budget.maxTaskAttempts })}
          <progress className="meter" value={usage.taskAttempts} max={budget.maxTaskAttempts} aria-hidden="true" />
        </span>
        <span>
          {text('activeOf', { used: duration(active), limit: duration(budget.maxDurationSeconds) })}
          <progress className="meter" value={active} max={budget.maxDurationSeconds} aria-hidden="true" />
        </span>
      </div>
      {problem !== undefined && <ErrorNotice error={problem} />}
      {plan.approval.status === 'pending' && plan.approval.reason !== null && (
        <p className="dim">{plain(plan.approval.reason)}</p>
      )}
      <Question plan={plan} />
    </header>
  );
}

function Actions({ plan }: Pick<Props, 'plan'>) {
  const { text } = useTexts();
  const client = useClient();
  const id = { plan: plan.id };
  const start = useAction(() => client.executePlan(id));
  const resume = useAction(() => client.resumePlan(id));
  const approve = useAction(() => client.approvePlan(id));
  const cancel = useAction(() => client.cancelPlan(id));
  const asks = plan.clarification !== null && plan.clarification.answer === null;
  const isOver = ['completed', 'failed', 'canceled'].includes(plan.status);
  const failure = [start, resume, approve, cancel].find(({ error }) => error !== undefined)?.error;
  return (
    <>
      {failure !== undefined && <ErrorNotice error={failure} />}
      {plan.status === 'awaiting_approval' && (
        <button type="button" className="button primary" disabled={approve.running} onClick={() => approve.run()}>
          {text('approve')}
        </button>
      )}
      {plan.status === 'pending' && !asks && (
        <button
          type="button"
          className="button primary"
          disabled={start.running || resume.running}
          onClick={() => (plan.interrupted ? resume : start).run()}
        >
          {text(plan.interrupted ? 'resume' : 'start')}
        </button>
      )}
      {!isOver && (
        <button type="button" className="button danger" disabled={cancel.running} onClick={() => cancel.run()}>
          <Icon name="close" small />
          {text('cancel')}
        </button>
      )}
    </>
  );
}

/** The question of a plan that waits for an answer. */
function Question({ plan }: Pick<Props, 'plan'>) {
  const client = useClient();
  const answer = useAction(async (value: string) => {
    await client.clarifyPlan({ plan: plan.id, body: { answer: value } });
    await client.executePlan({ plan: plan.id });
  });
  const { clarification } = plan;
  if (clarification === null || clarification.answer !== null || plan.status !== 'pending') return null;
  return (
    <div className="notice tone-waiting">
      <Icon name="waiting" />
      <div>
        <p>{plain(clarification.question)}</p>
        <p className="row" style={{ flexWrap: 'wrap' }}>
          {clarification.options.map((option) => (
            <button
              key={option.value}
              type="button"
              className={`button small${option.default === true ? ' primary' : ''}`}
              disabled={answer.running}
              onClick={() => answer.run(option.value)}
            >
              {plain(option.label)}
            </button>
          ))}
        </p>
        {answer.error !== undefined && <ErrorNotice error={answer.error} />}
      </div>
    </div>
  );
}
