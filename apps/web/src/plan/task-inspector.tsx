import type { Plan } from '@assay/contracts';
import { explainTask, type PlanState } from '@assay/plan-graph';
import { useEffect, useRef } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { useClient } from '../stream/live.tsx';
import type { LogLine } from '../stream/live-store.ts';
import { duration, plain } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Status, taskLook } from '../ui/status.tsx';
import { useAction } from '../use-answer.ts';

interface Props {
  readonly plan: Plan;
  readonly state: PlanState;
  readonly taskId: string | undefined;
  readonly lines: readonly LogLine[];
}

/** One task: why it is as it is, what it reads and gives, what it said. */
export function TaskInspector({ plan, state, taskId, lines }: Props) {
  const { text, taskName } = useTexts();
  const client = useClient();
  const retry = useAction((task: string) => client.retryTask({ plan: plan.id, task }));
  const index = plan.tasks.findIndex((task) => task.id === taskId);
  const task = plan.tasks[index];
  if (task === undefined) return <p className="section dim">{text('chooseTask')}</p>;
  const canRetry = ['failed', 'blocked', 'canceled'].includes(task.status) && plan.status !== 'in_progress';
  return (
    <>
      <div className="section">
        <div className="row">
          <h2 className="truncate grow">{taskName(task)}</h2>
          <Status look={taskLook(task)} />
          {canRetry && (
            <button type="button" className="button small" disabled={retry.running} onClick={() => retry.run(task.id)}>
              <Icon name="again" small />
              {text('retry')}
            </button>
          )}
        </div>
        <p className="meta">
          <span className="mono">{task.type}</span>
          {task.attempt > 0 && ` · ${text('attempt', { attempt: task.attempt })}`}
          {` · ${text('timeout', { time: duration(task.timeoutSeconds) })}`}
        </p>
        <p className="dim">{plain(explainTask(state, task.id))}</p>
        {task.error?.hint !== undefined && <p className="meta">{plain(task.error.hint)}</p>}
        {retry.error !== undefined && <ErrorNotice error={retry.error} />}
      </div>
      <Artifacts title={text('reads')} keys={task.requiredArtifacts} plan={plan} />
      <Artifacts title={text('gives')} keys={task.outputArtifacts} plan={plan} />
      <div className="section">
        <h3>{text('log')}</h3>
        {lines.length === 0 ? <p className="meta">{text('logEmpty')}</p> : <Log lines={lines} />}
      </div>
    </>
  );
}

function Artifacts({
  title,
  keys,
  plan,
}: {
  readonly title: string;
  readonly keys: readonly string[];
  readonly plan: Plan;
}) {
  const { text } = useTexts();
  if (keys.length === 0) return null;
  return (
    <div className="section">
      <h3>{title}</h3>
      <div className="reads">
        {keys.map((key) => (
          <div key={key} style={{ display: 'contents' }}>
            <span className="mono truncate">{key}</span>
            <span className="faint">
              {plan.artifacts[key] === undefined ? text('notYet') : <Icon name="done" small />}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

function Log({ lines }: { readonly lines: readonly LogLine[] }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [lines.length]);
  return (
    <div className="log" role="log">
      {lines.slice(-500).map((line, index) => (
        <div key={lines.length - index} className={line.level}>
          <time dateTime={line.at}>{line.at.slice(11, 19)}</time>
          {plain(line.message)}
        </div>
      ))}
      <div ref={end} />
    </div>
  );
}
