import type { EventDraft } from '@assay/contracts';
import { at } from '../commands.ts';
import type { PlanState } from '../plan-state.ts';
import { hasEnded, refusal } from './refuse.ts';

/**
 * Starts a pending plan. Throws `needs_clarification`, `needs_approval`, or `plan_not_runnable` when it runs, has ended
 * or was interrupted.
 */
export function executeDrafts(state: PlanState, by: string): EventDraft[] {
  checkStartable(state);
  if (state.head.interrupted)
    throw refusal(state, 'plan_not_runnable', {
      what: `plan ${state.head.id} was interrupted by a restart`,
      hint: 'resume it: what runs or has finished meanwhile is taken over',
    });
  return [{ type: 'plan.started', ...at(state), data: { by } }];
}

/** Throws the reason why the plan cannot go from pending to in progress. */
export function checkStartable(state: PlanState): void {
  const { id, status, approval, clarification } = state.head;
  if (status === 'in_progress') throw refusal(state, 'plan_not_runnable', { what: `plan ${id} is already running` });
  if (hasEnded(state))
    throw refusal(state, 'plan_not_runnable', {
      what: `plan ${id} is ${status}`,
      hint: status === 'completed' ? 'make a new plan to run it again' : 'retry one of its tasks first',
    });
  if (clarification !== null && clarification.answer === null)
    throw refusal(state, 'needs_clarification', {
      what: clarification.question,
      why: 'the plan was created with an open question',
      hint: 'answer it with one of the options',
      details: { field: clarification.field, options: clarification.options },
    });
  if (status === 'awaiting_approval')
    throw refusal(state, 'needs_approval', {
      what: `plan ${id} waits for approval`,
      why: approval.reason ?? 'plans need approval here',
      hint: `approve it with \`assay plan approve ${id}\``,
    });
}
