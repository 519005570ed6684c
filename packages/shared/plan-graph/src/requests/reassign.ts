import type { AgentRole, EventDraft } from '@assay/contracts';
import { at } from '../commands.ts';
import { isDone, isTerminal, ordinalOf, taskAt, type PlanState } from '../plan-state.ts';
import { roleTools, toolsBeyondRole } from '../role-tools.ts';
import { refusal } from './refuse.ts';
import { retryDrafts } from './retry.ts';

/**
 * Gives a task to another role; a lease that it has is void at once, and a stopped task is retried. Throws `conflict`
 * when the task is done, `invalid_plan` when its contract grants tools that the role may not have.
 */
export function reassignDrafts(
  state: PlanState,
  taskId: string,
  to: { readonly assignedTo: AgentRole; readonly by: string },
): EventDraft[] {
  const task = taskAt(state, ordinalOf(state, taskId));
  if (isDone(task.status))
    throw refusal(state, 'conflict', {
      what: `task '${task.name}' is ${task.status}`,
      why: 'what is done is not given to another role',
      details: { taskId },
    });
  const beyond = toolsBeyondRole(to.assignedTo, task.contract.allowedTools);
  if (beyond.length > 0)
    throw refusal(state, 'invalid_plan', {
      what: `role ${to.assignedTo} cannot do '${task.name}'`,
      why: `it has no grant for ${beyond.join(', ')}`,
      hint: `its grants are ${roleTools[to.assignedTo].join(', ')}`,
      details: { taskId, tools: beyond },
    });
  const draft: EventDraft = { type: 'plan.task_reassigned', ...at(state, { taskId }), data: to };
  return isTerminal(task.status) ? [draft, ...retryDrafts(state, taskId, to.by)] : [draft];
}
