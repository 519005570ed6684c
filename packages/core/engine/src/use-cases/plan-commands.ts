import type { AgentRole, Budget, Plan } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { Caller } from '../engine.ts';
import { budgetLimits, planBudget } from '../planning/plan-budget.ts';
import { ownedPlan } from './owned-plan.ts';

/** Starts a pending plan; one that was interrupted, or whose journal had failed while it ran, goes on. */
export async function executePlan(deps: EngineDeps, caller: Caller, planId: string): Promise<Plan> {
  const plan = await ownedPlan(deps, caller, planId);
  const stopped = plan.status === 'in_progress' && deps.scheduler.view(planId).problem !== null;
  if (plan.interrupted || stopped) await deps.scheduler.resume(planId, caller.ownerId);
  else await deps.scheduler.execute(planId, caller.ownerId);
  return deps.scheduler.plan(planId);
}

export async function resumePlan(deps: EngineDeps, caller: Caller, planId: string): Promise<Plan> {
  await ownedPlan(deps, caller, planId);
  await deps.scheduler.resume(planId, caller.ownerId);
  return deps.scheduler.plan(planId);
}

/** Approves a plan that waits for it, with another budget when the caller edited the proposal. */
export async function approvePlan(
  deps: EngineDeps,
  caller: Caller,
  planId: string,
  budget: Budget | undefined,
): Promise<Plan> {
  const { mode } = await ownedPlan(deps, caller, planId);
  const checked = budget === undefined ? undefined : planBudget(budget, budgetLimits(deps.config, mode));
  await deps.scheduler.approve(planId, caller.ownerId, checked);
  return deps.scheduler.plan(planId);
}

/** Ends every process of the plan within five seconds. */
export async function cancelPlan(deps: EngineDeps, caller: Caller, planId: string, reason: string): Promise<Plan> {
  await ownedPlan(deps, caller, planId);
  await deps.scheduler.cancel(planId, reason, caller.ownerId);
  return deps.scheduler.plan(planId);
}

/** Resets a failed, blocked or canceled task with its failed ancestors and blocked dependents. */
export async function retryTask(deps: EngineDeps, caller: Caller, planId: string, taskId: string): Promise<Plan> {
  await ownedPlan(deps, caller, planId);
  await deps.scheduler.retryTask(planId, taskId, caller.ownerId);
  return deps.scheduler.plan(planId);
}

/** Gives a task to another role; a running execution loses its lease at once. */
export async function reassignTask(
  deps: EngineDeps,
  caller: Caller,
  target: { readonly plan: string; readonly task: string },
  assignedTo: AgentRole,
): Promise<Plan> {
  await ownedPlan(deps, caller, target.plan);
  await deps.scheduler.reassignTask(target.plan, target.task, { assignedTo, by: caller.ownerId });
  return deps.scheduler.plan(target.plan);
}
