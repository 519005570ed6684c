import type { AgentRole, Plan, SessionInfo, Task } from '@assay/contracts';
import { agentRoles } from '@assay/contracts';
import { explainTask, type PlanState } from '@assay/plan-graph';
import { useState } from 'react';
import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { TaskLog } from '../log/task-log.tsx';
import { useClient } from '../stream/live.tsx';
import type { LogLine, TaskAttempt } from '../stream/live-store.ts';
import { duration, plain } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Status, taskLook } from '../ui/status.tsx';
import { useAction } from '../use-answer.ts';
import { useSessions } from '../log/use-sessions.ts';
import { roleTexts } from './plan-graph.tsx';
import { TaskArtifacts } from './task-artifacts.tsx';
import { TaskAttempts } from './task-attempts.tsx';
import { TaskBoundary } from './task-boundary.tsx';

interface Props {
  readonly plan: Plan;
  readonly state: PlanState;
  readonly taskId: string | undefined;
  readonly lines: readonly LogLine[];
  readonly attempts: readonly TaskAttempt[];
}

/** One task: why it is as it is, what it said, reads and gives, its attempts, and the boundary around its commands. */
export function TaskInspector({ plan, state, taskId, lines, attempts }: Props) {
  const { text } = useTexts();
  const task = plan.tasks.find(({ id }) => id === taskId);
  if (task === undefined) return <p className="section dim">{text('chooseTask')}</p>;
  return <Inspected key={task.id} {...{ plan, state, task, lines, attempts }} />;
}

const tabs = ['log', 'reads', 'gives', 'attempts', 'boundary'] as const;
type Tab = (typeof tabs)[number];

interface InspectedProps extends Omit<Props, 'taskId'> {
  readonly task: Task;
}

function Inspected({ plan, state, task, lines, attempts }: InspectedProps) {
  const { text } = useTexts();
  const [tab, setTab] = useState<Tab>('log');
  const sessions = useSessions(plan.questId, plan.id, task);
  const counts: Readonly<Record<Tab, number | undefined>> = {
    log: undefined,
    reads: task.requiredArtifacts.length,
    gives: task.outputArtifacts.length,
    attempts: task.attempt,
    boundary: undefined,
  };
  return (
    <div className="inspector">
      <TaskHead plan={plan} state={state} task={task} />
      <div className="tabs inspector-tabs" role="tablist" aria-label={text('taskParts')}>
        {tabs.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`tab-${one}`}
            aria-selected={one === tab}
            aria-controls="inspected"
            onClick={() => setTab(one)}
          >
            {text(one)} {counts[one] !== undefined && <span className="count">{counts[one]}</span>}
          </button>
        ))}
      </div>
      <div className="inspected" role="tabpanel" id="inspected" aria-labelledby={`tab-${tab}`}>
        {sessions.error !== undefined && <ErrorNotice error={sessions.error} />}
        {tab === 'log' && (
          <>
            <TaskLog quest={plan.questId} lines={lines} sessions={sessions.list} />
            <TaskArtifacts plan={plan} task={task} of="reads" brief />
            <TaskArtifacts plan={plan} task={task} of="gives" brief />
            <BoundaryLine sessions={sessions.list} />
          </>
        )}
        {(tab === 'reads' || tab === 'gives') && <TaskArtifacts plan={plan} task={task} of={tab} />}
        {tab === 'attempts' && <TaskAttempts task={task} attempts={attempts} lines={lines} />}
        {tab === 'boundary' && <TaskBoundary sessions={sessions.list} />}
      </div>
    </div>
  );
}

function TaskHead({ plan, state, task }: { readonly plan: Plan; readonly state: PlanState; readonly task: Task }) {
  const { text, taskName } = useTexts();
  const client = useClient();
  const retry = useAction(() => client.retryTask({ plan: plan.id, task: task.id }));
  const canRetry = ['failed', 'blocked', 'canceled'].includes(task.status) && plan.status !== 'in_progress';
  return (
    <div className="section">
      <div className="row">
        <h2 className="truncate grow">{taskName(task)}</h2>
        <Status look={taskLook(task)} />
        {canRetry && (
          <button type="button" className="button small" disabled={retry.running} onClick={() => retry.run()}>
            <Icon name="again" small />
            {text('retry')}
          </button>
        )}
      </div>
      <div className="row meta">
        <span className="grow">
          <span className="mono">{task.type}</span>
          {task.attempt > 0 && ` · ${text('attempt', { attempt: task.attempt })}`}
          {` · ${text('timeout', { time: duration(task.timeoutSeconds) })}`}
        </span>
        <Reassign plan={plan} task={task} />
      </div>
      <p className="dim">{plain(explainTask(state, task.id))}</p>
      {task.error?.hint !== undefined && <p className="meta">{plain(task.error.hint)}</p>}
      {retry.error !== undefined && <ErrorNotice error={retry.error} />}
    </div>
  );
}

/** Who does the task; another role can be asked while the plan runs. The daemon refuses roles without the grants. */
function Reassign({ plan, task }: { readonly plan: Plan; readonly task: Task }) {
  const { text } = useTexts();
  const client = useClient();
  const reassign = useAction((assignedTo: AgentRole) =>
    client.reassignTask({ plan: plan.id, task: task.id, body: { assignedTo } }),
  );
  if (['completed', 'skipped'].includes(task.status)) return null; // its lane says who did it
  return (
    <>
      <label className="row">
        <span className="visually-hidden">{text('reassign')}</span>
        <select
          className="small-select"
          title={text('reassign')}
          value={task.assignedTo}
          disabled={reassign.running}
          onChange={(event) => reassign.run(event.target.value as AgentRole)}
        >
          {agentRoles.map((role) => (
            <option key={role} value={role}>
              {text(roleTexts[role][0])}
            </option>
          ))}
        </select>
      </label>
      {reassign.error !== undefined && <ErrorNotice error={reassign.error} />}
    </>
  );
}

/** The boundary in three words, beside the log that came out of it. */
function BoundaryLine({ sessions }: { readonly sessions: readonly SessionInfo[] }) {
  const { text } = useTexts();
  const last = sessions.at(-1);
  if (last === undefined) return null;
  const { backend, network } = last.attestation;
  const networkText: TextKey = network === 'none' ? 'noNetwork' : network === 'allow' ? 'listedHosts' : 'openNetwork';
  return (
    <div className="boundary-line">
      <span className="status tone-done">
        <Icon name="shield" small />
        {backend}
      </span>
      <span className={`status ${network === 'none' ? 'tone-done' : 'tone-running'}`}>
        <Icon name="noNetwork" small />
        {text(networkText)}
      </span>
    </div>
  );
}
