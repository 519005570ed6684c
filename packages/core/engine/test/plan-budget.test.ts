import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { configSchema } from '../src/index.ts';
import { planBudget } from '../src/planning/plan-budget.ts';

const limits = configSchema.parse({ plans: { max_task_attempts: 5, max_duration_seconds: 60 } }).plans;

test('a budget is what was asked for within the limits of the home, and never beyond them', () => {
  verifies('plans.budget-within-limits');
  expect(planBudget({}, limits)).toEqual({ maxTaskAttempts: 5, maxDurationSeconds: 60 });
  expect(planBudget({ maxTaskAttempts: 2, maxTokens: 9 }, limits)).toEqual({
    maxTaskAttempts: 2,
    maxDurationSeconds: 60,
    maxTokens: 9,
  });
  expect(() => planBudget({ maxTaskAttempts: 6 }, limits)).toThrow('more than this home allows');
  expect(() => planBudget({ maxDurationSeconds: 61 }, limits)).toThrow('more than this home allows');
});
