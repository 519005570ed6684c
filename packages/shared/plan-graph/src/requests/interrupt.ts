import { isoTime } from '@assay/foundation';
import type { EventDraft, Task } from '@assay/contracts';
import { at } from '../commands.ts';
import { runningTasks, type PlanState } from '../plan-state.ts';
import { checkStartable } from './execute.ts';
import { refusal } from './refuse.ts';

export interface Interruption {
  readonly reason: string;
  /** Milliseconds of the last sign of life: active time counts up to here. */
  readonly activeUntil: number;
  /** Executions whose session lives or has an exit record: their tasks stay bound. */
  readonly bound: ReadonlySet<string>;
}

/** A plan that was in progress when its daemon ended: it is pending, and unbound tasks go back to pending. */
export function interruptDrafts(state: PlanState, { reason, activeUntil, bound }: Interruption): EventDraft[] {
  const wasActive: EventDraft = {
    type: 'plan.interrupted',
    ...at(state),
    data: { reason, activeUntil: isoTime(activeUntil) },
  };
  return [...(state.head.status === 'in_progress' ? [wasActive] : []), ...releaseDrafts(state, bound)];
}

export interface Resumption {
  readonly by: string;
  readonly reason: string;
  /** Milliseconds. */
  readonly now: number;
  readonly bound: ReadonlySet<string>;
}

/**
 * Goes on with an interrupted plan: bound tasks keep execution and run count, with the next epoch and the whole time-out
 * from now on, because nobody watched them meanwhile. Throws `plan_not_runnable` when the plan was not interrupted.
 */
export function resumeDrafts(state: PlanState, { by, reason, now, bound }: Resumption): EventDraft[] {
  checkStartable(state);
  if (!state.head.interrupted)
    throw refusal(state, 'plan_not_runnable', {
      what: `plan ${state.head.id} was not interrupted`,
      hint: 'start it with execute',
    });
  const rebound = runningTasks(state).filter(({ executionId }) => bound.has(executionId!));
  return [
    ...releaseDrafts(state, bound),
    ...rebound.map((task) => reboundDraft(state, task, now)),
    { type: 'plan.resumed', ...at(state), data: { by, reason } },
  ];
}

function releaseDrafts(state: PlanState, bound: ReadonlySet<string>): EventDraft[] {
  return runningTasks(state)
    .filter(({ executionId }) => !bound.has(executionId!))
    .map(({ id, executionId, executionEpoch }) => ({
      type: 'plan.task_released',
      ...at(state, { taskId: id }),
      data: { executionId: executionId!, epoch: executionEpoch, reason: 'nothing of the execution is left' },
    }));
}

function reboundDraft(state: PlanState, task: Task, now: number): EventDraft {
  return {
    type: 'plan.task_rebound',
    ...at(state, { taskId: task.id }),
    data: {
      executionId: task.executionId!,
      epoch: task.executionEpoch + 1,
      leaseOwner: task.leaseOwner!,
      leaseExpiresAt: isoTime(now + task.timeoutSeconds * 1000),
    },
  };
}
