import { errorCodes, type Failure } from '@assay/contracts';
import { attemptsBreach, attemptsLeft, exceededBudget } from './budget.ts';
import type { Command } from './commands.ts';
import { failureCommands, missingBlocks } from './failing.ts';
import { missingOf, missingText } from './missing.ts';
import { allTerminal, artifactIdOf, runningTasks, taskAt, type PlanState } from './plan-state.ts';

/** Tasks that one call marks as ready; the next call goes on, so an append stays of bounded size. */
const READY_BATCH = 1000;
/** Tasks that are listed when nothing can go on. */
const DEADLOCK_LIST = 20;

/**
 * What the rules ask for now: ends of the plan first, then what is due, then tasks that became ready, then starts.
 * `slots` is the number of tasks of this plan that may run at once. The caller records the commands, folds their events
 * and asks again until nothing but starts comes back. Costs grow with the commands, not with the plan.
 */
export function decide(state: PlanState, now: number, slots: number): Command[] {
  if (state.head.status !== 'in_progress') return [];
  if (allTerminal(state)) return [endOfPlan(state)];
  const exceeded = exceededBudget(state, now);
  if (exceeded !== undefined) return [{ do: 'cancel_plan', ...exceeded }];
  const due = [...timeOuts(state, now), ...becameReady(state)];
  return due.length > 0 ? due : startsOrEnd(state, slots);
}

/** The next instant, in milliseconds, at which `decide` has something to do without any event; null for none. */
export function nextDeadline(state: PlanState): number | null {
  const { status, activeSince, usage, budget } = state.head;
  if (status !== 'in_progress' || activeSince === null) return null;
  const budgetEnd = Date.parse(activeSince) + Math.ceil((budget.maxDurationSeconds - usage.activeSeconds) * 1000);
  const leases = runningTasks(state).flatMap((task) =>
    task.leaseExpiresAt === null ? [] : Date.parse(task.leaseExpiresAt),
  );
  return Math.min(budgetEnd, ...leases);
}

function endOfPlan(state: PlanState): Command {
  const { completed, skipped, failed, blocked, canceled } = state.tally;
  if (failed + blocked + canceled > 0) return { do: 'fail_plan', error: failureOfPlan(state) };
  const left = skipped === 0 ? '' : `, ${skipped} not needed`;
  return { do: 'complete_plan', summary: `${completed} of ${state.graph.tasks} tasks completed${left}` };
}

/** The failure of the first failed task in creation order, told as the plan's. */
function failureOfPlan(state: PlanState): Failure {
  const tasks = state.cells.toArray().map(({ task }) => task);
  const bad = tasks.filter(({ status }) => status === 'failed');
  const first =
    bad[0] ?? tasks.find(({ status }) => status === 'canceled') ?? tasks.find(({ status }) => status === 'blocked');
  const cause = first?.error ?? { code: 'internal', message: 'it failed without saying why' };
  const { blocked } = state.tally;
  return {
    ...cause,
    code: cause.code in errorCodes ? cause.code : 'internal',
    message: `'${first!.name}' ${first!.status === 'failed' ? 'failed' : `was ${first!.status}`}: ${cause.message}`,
    details: { ...cause.details, taskId: first!.id, failed: bad.slice(0, DEADLOCK_LIST).map(({ id }) => id), blocked },
  };
}

function timeOuts(state: PlanState, now: number): Command[] {
  return runningTasks(state)
    .filter(({ leaseExpiresAt }) => leaseExpiresAt !== null && Date.parse(leaseExpiresAt) <= now)
    .flatMap((task): Command[] => {
      const error: Failure = {
        code: 'task_timeout',
        message: `task execution timed out after ${task.timeoutSeconds} s`,
        hint: 'give the task more time, or look at its log for what it waited for',
      };
      return failureCommands(state, task, { error });
    });
}

function becameReady(state: PlanState): Command[] {
  const commands: Command[] = [];
  for (const rank of state.startable) {
    if (commands.length === READY_BATCH) break;
    const task = taskAt(state, state.graph.byRank[rank]!);
    const inputs = task.requiredArtifacts.map((key) => ({ key, artifactId: artifactIdOf(state, key)! }));
    commands.push({ do: 'mark_ready', taskId: task.id, inputs });
  }
  return commands;
}

function startsOrEnd(state: PlanState, slots: number): Command[] {
  const ready = state.readySerial.size + state.readyParallel.size;
  const running = state.running.size;
  if (ready === 0) return running === 0 ? stuck(state) : [];
  if (attemptsLeft(state) === 0) return running === 0 ? [{ do: 'cancel_plan', ...attemptsBreach(state) }] : [];
  return ranksToStart(state, slots).map((rank) => ({
    do: 'start_task',
    taskId: taskAt(state, state.graph.byRank[rank]!).id,
  }));
}

/** A ready task that must run alone waits for the running ones to drain, then runs before all others. */
function ranksToStart(state: PlanState, slots: number): number[] {
  const running = state.running.size;
  const serial = state.readySerial.first;
  if (serial !== undefined) return running === 0 && slots > 0 ? [serial] : [];
  if (runningTasks(state).some(({ parallelizable }) => !parallelizable)) return [];
  const free = Math.min(slots - running, attemptsLeft(state));
  const ranks: number[] = [];
  for (const rank of state.readyParallel) {
    if (ranks.length >= free) break;
    ranks.push(rank);
  }
  return ranks;
}

/** Nothing ready, nothing running, not all terminal. */
function stuck(state: PlanState): Command[] {
  const blocks = missingBlocks(state);
  if (blocks.length > 0) return blocks;
  const waiting = state.cells.toArray().flatMap(({ task }) => (task.status === 'pending' ? task : []));
  const missing = waiting
    .slice(0, DEADLOCK_LIST)
    .map((task) => ({ taskId: task.id, name: task.name, missing: missingText(missingOf(state, task), DEADLOCK_LIST) }));
  const listed = missing.map(({ name, missing }) => `'${name}' waits for ${missing}`);
  const more = waiting.length > missing.length ? [`${waiting.length - missing.length} more tasks wait`] : [];
  const error: Failure = {
    code: 'deadlock_or_unsatisfied_dependencies',
    message: 'nothing is running and nothing can start, but tasks are left',
    why: [...listed, ...more].join('; '),
    hint: 'retry the task that should have given what is missing, or make the plan anew',
    details: { missing },
  };
  return [{ do: 'fail_plan', error }];
}
