import { join } from 'node:path';
import { AssayError, isId } from '@assay/foundation';
import type { Plan } from '@assay/contracts';
import { exists } from '@assay/files';
import type { EngineDeps } from '../deps.ts';
import type { Caller } from '../engine.ts';

/** The plan as it is now. Rejects with `not_found`, or with `not_owner` when it belongs to someone else. */
export async function ownedPlan(deps: EngineDeps, caller: Caller, planId: string): Promise<Plan> {
  await deps.recovered;
  const plan = deps.scheduler.list().find((candidate) => candidate.id === planId);
  if (plan === undefined) throw await whyNotFound(deps, planId);
  if (plan.ownerId !== caller.ownerId)
    throw new AssayError('not_owner', `the plan ${planId} belongs to another owner`, {
      hint: 'ask its owner, or name yourself with the X-User-Id header',
    });
  return plan;
}

/** A plan of a quest that cannot be opened is not "not there": the quest's problem is the answer. */
async function whyNotFound(deps: EngineDeps, planId: string): Promise<AssayError> {
  if (isId('plan', planId))
    for (const { id, problem } of (await deps.quests.all()).broken)
      if (await exists(join(deps.home.quests, id, '.assay', 'plans', planId))) return problem;
  return new AssayError('not_found', `there is no plan ${planId}`, { hint: 'list them with: assay plan list' });
}
