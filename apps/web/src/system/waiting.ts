import type { Plan } from '@assay/contracts';

export type WaitingKind = 'approval' | 'question' | 'interrupted';

/** Why a plan waits for a person, or undefined when it does not. */
export function waitingKind(plan: Pick<Plan, 'status' | 'clarification' | 'interrupted'>): WaitingKind | undefined {
  if (plan.status === 'awaiting_approval') return 'approval';
  if (plan.status !== 'pending') return undefined;
  if (plan.clarification !== null && plan.clarification.answer === null) return 'question';
  return plan.interrupted ? 'interrupted' : undefined;
}

/** What waits, the longest first. */
export function waitingPlans(plans: Iterable<Plan>): readonly Plan[] {
  return [...plans]
    .filter((plan) => waitingKind(plan) !== undefined)
    .sort((a, b) => a.updatedAt.localeCompare(b.updatedAt) || a.id.localeCompare(b.id));
}
