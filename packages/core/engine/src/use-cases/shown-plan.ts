import type { Plan } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { Caller } from '../engine.ts';
import { ownedPlan } from './owned-plan.ts';

/** A plan as it is answered: with the problem that stopped it, when there is one. */
export async function shownPlan(deps: EngineDeps, caller: Caller, planId: string): Promise<Plan> {
  return withProblem(deps, await ownedPlan(deps, caller, planId));
}

export function withProblem(deps: EngineDeps, plan: Plan): Plan {
  const { problem } = deps.scheduler.view(plan.id);
  return problem === null ? plan : { ...plan, problem };
}
