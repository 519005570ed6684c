import { AssayError } from '@assay/foundation';
import type { Plan } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { Caller } from '../engine.ts';

/** The plan as it is now. Rejects with `not_found`, or with `not_owner` when it belongs to someone else. */
export async function ownedPlan(deps: EngineDeps, caller: Caller, planId: string): Promise<Plan> {
  await deps.recovered;
  const plan = deps.scheduler.list().find((candidate) => candidate.id === planId);
  if (plan === undefined)
    throw new AssayError('not_found', `there is no plan ${planId}`, { hint: 'list them with: assay plan list' });
  if (plan.ownerId !== caller.ownerId)
    throw new AssayError('not_owner', `the plan ${planId} belongs to another owner`, {
      hint: 'ask its owner, or name yourself with the X-User-Id header',
    });
  return plan;
}
