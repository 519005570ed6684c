import type { EventDraft } from '@assay/contracts';
import { at } from '../commands.ts';
import type { PlanState } from '../plan-state.ts';
import { hasEnded, refusal } from './refuse.ts';

/** Cancels a plan from every state in which it has not ended. Throws `plan_not_runnable` when it has. */
export function cancelDrafts(state: PlanState, by: string, reason: string): EventDraft[] {
  if (hasEnded(state))
    throw refusal(state, 'plan_not_runnable', { what: `plan ${state.head.id} is ${state.head.status} already` });
  return [{ type: 'plan.canceled', ...at(state), data: { by, reason } }];
}
