import { isoTime } from '@assay/foundation';
import type { EventDraft } from '@assay/contracts';
import { at } from './commands.ts';
import { ordinalOf, taskAt, type PlanState } from './plan-state.ts';

/** The event that gives a ready task a lease: a new execution, the next epoch and attempt, the owner, the time-out. */
export function startDraft(
  state: PlanState,
  taskId: string,
  start: { readonly executionId: string; readonly now: number },
): EventDraft {
  const task = taskAt(state, ordinalOf(state, taskId));
  return {
    type: 'plan.task_started',
    ...at(state, { taskId }),
    data: {
      executionId: start.executionId,
      epoch: task.executionEpoch + 1,
      leaseOwner: task.assignedTo,
      leaseExpiresAt: isoTime(start.now + task.timeoutSeconds * 1000),
      attempt: task.attempt + 1,
    },
  };
}
