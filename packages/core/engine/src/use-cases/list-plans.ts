import type { Plan } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { Caller, Page } from '../engine.ts';
import { pageOf } from '../pages.ts';
import { withProblem } from './shown-plan.ts';

/** The caller's plans, newest first. */
export async function listPlans(
  deps: EngineDeps,
  caller: Caller,
  page: Page,
): Promise<{ plans: Plan[]; nextCursor: string | null }> {
  await deps.recovered;
  const plans = deps.scheduler
    .list()
    .filter((plan) => plan.ownerId === caller.ownerId)
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id));
  const { items, nextCursor } = pageOf(plans, page, (plan) => plan.id);
  return { plans: items.map((plan) => withProblem(deps, plan)), nextCursor };
}
