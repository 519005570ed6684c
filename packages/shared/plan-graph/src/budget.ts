import type { PlanState } from './plan-state.ts';

/** A limit of the plan that is used up. */
export interface BudgetBreach {
  /** The field of the budget: `maxTaskAttempts`, `maxDurationSeconds`, `maxTokens` or `maxCostUsd`. */
  readonly budget: string;
  readonly reason: string;
}

/** Active running time up to `now` in seconds: earlier executions of the plan and the current one. */
export function activeSeconds({ head }: PlanState, now: number): number {
  const current = head.activeSince === null ? 0 : Math.max(0, now - Date.parse(head.activeSince)) / 1000;
  return head.usage.activeSeconds + current;
}

/** The limit of time, tokens or money that has been exceeded, or undefined. Running tasks are stopped for these. */
export function exceededBudget(state: PlanState, now: number): BudgetBreach | undefined {
  const { budget, usage } = state.head;
  const seconds = activeSeconds(state, now);
  if (seconds >= budget.maxDurationSeconds)
    return breach('maxDurationSeconds', `${budget.maxDurationSeconds} s of running time`);
  const tokens = usage.inputTokens + usage.outputTokens;
  if (budget.maxTokens !== undefined && tokens > budget.maxTokens)
    return breach('maxTokens', `${budget.maxTokens} tokens (used ${tokens})`);
  if (budget.maxCostUsd !== undefined && usage.costUsd > budget.maxCostUsd)
    return breach('maxCostUsd', `${budget.maxCostUsd} USD (used ${usage.costUsd})`);
  return undefined;
}

/** Task starts that the plan may still make. Retries count. */
export function attemptsLeft({ head }: PlanState): number {
  return Math.max(0, head.budget.maxTaskAttempts - head.usage.taskAttempts);
}

export function attemptsBreach({ head }: PlanState): BudgetBreach {
  return breach('maxTaskAttempts', `${head.budget.maxTaskAttempts} task attempts`);
}

function breach(budget: string, limit: string): BudgetBreach {
  return { budget, reason: `the plan has used up its budget of ${limit} (${budget})` };
}
