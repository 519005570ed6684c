import { assertNever } from '@assay/foundation';
import { usualHint, type Failure, type Plan, type Task } from '@assay/contracts';
import { activeSeconds } from './budget.ts';
import { missingOf, missingText } from './missing.ts';
import { countsOf, findTask, ordinalOf, runningTasks, taskAt, type PlanState } from './plan-state.ts';

/** What only the driver knows. */
export interface ExplainContext {
  /** Why a ready task has not been started, by task id. */
  readonly waiting?: Readonly<Record<string, string>>;
  /** Why the plan's driver has stopped. */
  readonly problem?: Failure | null;
}

/** One sentence for the state of a plan. */
export function explainPlan(state: PlanState, context: ExplainContext = {}): string {
  const { problem } = context;
  if (problem !== undefined && problem !== null)
    return `stopped: ${failureText(problem)}; nothing of the plan is lost, resume it when that is repaired${adviceText(problem)}`;
  const { head } = state;
  switch (head.status) {
    case 'awaiting_approval':
      return `awaiting approval: ${head.approval.reason ?? 'plans need approval here'}`;
    case 'pending':
      return `pending: ${pendingPlan(state)}`;
    case 'in_progress':
      return `in progress: ${progress(state)}`;
    case 'completed':
      return `completed: ${countsOf(state).completed} of ${state.graph.tasks} tasks${activeText(state)}`;
    case 'failed':
      return `failed: ${failureText(head.error)}${adviceText(head.error)}`;
    case 'canceled':
      return `canceled: ${failureText(head.error)}${adviceText(head.error)}`;
    default:
      return assertNever(head.status, 'plan status');
  }
}

/** One sentence for the state of a task. Throws `not_found`. */
export function explainTask(state: PlanState, taskId: string, context: ExplainContext = {}): string {
  const task = taskAt(state, ordinalOf(state, taskId));
  switch (task.status) {
    case 'pending':
      return `pending: ${pendingTask(state, task)}${lastFailure(task)}`;
    case 'ready':
      return `ready: ${readyTask(state, task, context)}${lastFailure(task)}`;
    case 'in_progress':
      return `in progress: ${runningTask(state, task)}${lastFailure(task)}`;
    case 'completed':
      return `completed: ${task.summary ?? 'done'}`;
    case 'failed':
      return `failed: ${failureText(task.error)}; ${attemptsText(task)}${adviceText(task.error)}`;
    case 'blocked':
      return `blocked: ${blockedTask(state, task)}`;
    case 'skipped':
      return `skipped: ${task.summary ?? 'not needed'}`;
    case 'canceled':
      return `canceled: ${failureText(task.error)}${adviceText(task.error)}`;
    default:
      return assertNever(task.status, 'task status');
  }
}

function pendingPlan(state: PlanState): string {
  const { clarification, interrupted } = state.head;
  if (clarification !== null && clarification.answer === null)
    return `it waits for an answer: ${clarification.question}`;
  if (!interrupted) return 'it has not been started';
  const bound = runningTasks(state).map(({ name }) => `'${name}'`);
  const kept = bound.length === 0 ? '' : `; ${bound.join(', ')} went on and will be taken over`;
  return `a restart interrupted it, it waits to be resumed${kept}`;
}

function progress(state: PlanState): string {
  const { total, completed, inProgress, failed, blocked } = countsOf(state);
  const names = runningTasks(state).map(({ name }) => `'${name}'`);
  const bad = failed + blocked === 0 ? '' : `, ${failed} failed and ${blocked} blocked`;
  const now = inProgress === 0 ? 'nothing is running' : `${names.join(', ')} running`;
  return `${completed} of ${total} tasks completed${bad}; ${now}`;
}

function activeText(state: PlanState): string {
  const seconds = activeSeconds(state, 0);
  return ` in ${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}

function pendingTask(state: PlanState, task: Task): string {
  const missing = missingText(missingOf(state, task));
  if (missing !== '') return `it waits for ${missing}`;
  return state.head.status === 'in_progress' ? 'it is about to become ready' : `the plan is ${planWord(state.head)}`;
}

function readyTask(state: PlanState, task: Task, { waiting }: ExplainContext): string {
  if (state.head.status !== 'in_progress') return `the plan is ${planWord(state.head)}`;
  const why = waiting?.[task.id];
  if (why !== undefined) return `it waits: ${why}`;
  const running = runningTasks(state);
  const names = running.map(({ name }) => `'${name}'`).join(', ');
  if (running.length === 0) return 'it is about to start';
  if (!task.parallelizable) return `it runs alone and waits for ${names} to end`;
  if (running.some(({ parallelizable }) => !parallelizable)) return `it waits for ${names}, which runs alone`;
  return `it waits for a free slot; ${names} running`;
}

function runningTask(state: PlanState, task: Task): string {
  if (state.head.status !== 'in_progress')
    return 'its session went on while nobody watched; resume the plan to take it over';
  const run = `run ${task.runCount} of ${task.retryLimit + 1} since ${task.startedAt ?? 'now'}`;
  return task.leaseExpiresAt === null ? run : `${run}, times out at ${task.leaseExpiresAt}`;
}

function blockedTask(state: PlanState, task: Task): string {
  const upstream = task.blockedBy === null ? undefined : findTask(state, task.blockedBy);
  if (upstream === undefined) return task.summary ?? 'a task that it depends on failed';
  const needed = task.requiredArtifacts.filter((key) => upstream.outputArtifacts.includes(key));
  const what = needed.length === 0 ? `'${upstream.name}'` : `${needed.join(', ')} from '${upstream.name}'`;
  const verb = upstream.status === 'canceled' ? 'was canceled' : 'failed';
  return `needs ${what}; that task ${verb}: ${failureText(upstream.error)}; ${attemptsText(upstream)}${adviceText(upstream.error)}`;
}

/** A task that runs again says why its last run was not enough. */
function lastFailure({ error }: Task): string {
  return error === null ? '' : `; its last run failed: ${failureText(error)}`;
}

function attemptsText({ runCount, retryLimit }: Task): string {
  return `${runCount} of ${retryLimit + 1} attempts used`;
}

function failureText(error: Failure | null): string {
  if (error === null) return 'no reason was recorded';
  return error.why === undefined ? error.message : `${error.message} (${error.why})`;
}

/** What can be done about it, as the failure says it. */
function adviceText(error: Failure | null): string {
  const hint = error === null ? undefined : (error.hint ?? usualHint(error.code));
  return hint === undefined ? '' : `; what to do: ${hint}`;
}

function planWord({ status }: Pick<Plan, 'status'>): string {
  return status === 'pending' ? 'not running' : status.replace('_', ' ');
}
