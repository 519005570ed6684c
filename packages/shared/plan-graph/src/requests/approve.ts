import type { Budget, EventDraft } from '@assay/contracts';
import { at } from '../commands.ts';
import type { PlanState } from '../plan-state.ts';
import { refusal } from './refuse.ts';

/** Approves a plan that waits for it, with a budget of its own when one is given. Throws `conflict` otherwise. */
export function approveDrafts(state: PlanState, by: string, budget?: Budget): EventDraft[] {
  if (state.head.status !== 'awaiting_approval')
    throw refusal(state, 'conflict', { what: `plan ${state.head.id} does not wait for approval` });
  return [{ type: 'plan.approved', ...at(state), data: budget === undefined ? { by } : { by, budget } }];
}
