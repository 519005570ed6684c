import { AssayError } from '@assay/foundation';
import type { Budget } from '@assay/contracts';
import type { Config } from '../home/config.ts';

type AskedBudget = { readonly [K in keyof Budget]?: Budget[K] | undefined };

/**
 * The budget of a plan: what was asked for, the configured limits for the rest. Rejects with `invalid_request` what goes
 * beyond the limits of this home; nobody's approval raises them, only its configuration.
 */
export function planBudget(asked: AskedBudget, limits: Config['plans']): Budget {
  refuseAbove('maxTaskAttempts', asked.maxTaskAttempts, {
    limit: limits.max_task_attempts,
    key: 'plans.max_task_attempts',
  });
  refuseAbove('maxDurationSeconds', asked.maxDurationSeconds, {
    limit: limits.max_duration_seconds,
    key: 'plans.max_duration_seconds',
  });
  return {
    ...(asked.maxTokens === undefined ? {} : { maxTokens: asked.maxTokens }),
    ...(asked.maxCostUsd === undefined ? {} : { maxCostUsd: asked.maxCostUsd }),
    maxTaskAttempts: asked.maxTaskAttempts ?? limits.max_task_attempts,
    maxDurationSeconds: asked.maxDurationSeconds ?? limits.max_duration_seconds,
  };
}

function refuseAbove(
  name: string,
  asked: number | undefined,
  to: { readonly limit: number; readonly key: string },
): void {
  if (asked === undefined || asked <= to.limit) return;
  throw new AssayError('invalid_request', `a budget of ${name} ${asked} is more than this home allows`, {
    why: `${to.key} is ${to.limit}`,
    hint: `ask for at most ${to.limit}, or raise ${to.key} in config.yaml`,
  });
}
