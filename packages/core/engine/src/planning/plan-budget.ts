import { AssayError } from '@assay/foundation';
import type { Budget, Plan } from '@assay/contracts';
import type { Config } from '../home/config.ts';

type AskedBudget = { readonly [K in keyof Budget]?: Budget[K] | undefined };

/** The most that a plan of this home may use, and the keys of config.yaml that say so. */
export interface BudgetLimits {
  readonly section: 'plans' | 'full';
  readonly maxTaskAttempts: number;
  readonly maxDurationSeconds: number;
  readonly maxDiskBytes: number;
}

export function budgetLimits(config: Config, mode: Plan['mode']): BudgetLimits {
  const section = mode === 'full' ? 'full' : 'plans';
  return {
    section,
    maxTaskAttempts: config[section].max_task_attempts,
    maxDurationSeconds: config[section].max_duration_seconds,
    maxDiskBytes: mode === 'full' ? config.full.max_disk_bytes : config.sandbox.disk_bytes,
  };
}

/**
 * The budget of a plan: what was asked for, the configured limits for the rest. Rejects with `invalid_request` what goes
 * beyond the limits of this home; nobody's approval raises them, only its configuration.
 */
export function planBudget(asked: AskedBudget, limits: BudgetLimits): Budget {
  const { section, maxTaskAttempts, maxDurationSeconds, maxDiskBytes } = limits;
  const disk = section === 'full' ? 'full.max_disk_bytes' : 'sandbox.disk_bytes';
  refuseAbove('maxTaskAttempts', asked.maxTaskAttempts, {
    limit: maxTaskAttempts,
    key: `${section}.max_task_attempts`,
  });
  refuseAbove('maxDurationSeconds', asked.maxDurationSeconds, {
    limit: maxDurationSeconds,
    key: `${section}.max_duration_seconds`,
  });
  refuseAbove('maxDiskBytes', asked.maxDiskBytes, { limit: maxDiskBytes, key: disk });
  const diskBytes = asked.maxDiskBytes ?? (section === 'full' ? maxDiskBytes : undefined);
  return {
    ...(asked.maxTokens === undefined ? {} : { maxTokens: asked.maxTokens }),
    ...(asked.maxCostUsd === undefined ? {} : { maxCostUsd: asked.maxCostUsd }),
    ...(diskBytes === undefined ? {} : { maxDiskBytes: diskBytes }),
    maxTaskAttempts: asked.maxTaskAttempts ?? maxTaskAttempts,
    maxDurationSeconds: asked.maxDurationSeconds ?? maxDurationSeconds,
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
