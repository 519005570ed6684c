import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { configSchema } from '../src/index.ts';
import { approvalProposal } from '../src/planning/approval-proposal.ts';
import { budgetLimits, planBudget } from '../src/planning/plan-budget.ts';

const config = configSchema.parse({ plans: { max_task_attempts: 5, max_duration_seconds: 60 } });
const limits = budgetLimits(config, undefined);

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

test('a full run has limits of its own, with the disk of a session, and says what the machine lacks', () => {
  verifies('plans.full-approval');
  const gib = 1024 ** 3;
  expect(planBudget({}, budgetLimits(config, 'full'))).toEqual({
    maxTaskAttempts: 100,
    maxDurationSeconds: 28_800,
    maxDiskBytes: 100 * gib,
  });
  expect(() => planBudget({ maxDiskBytes: 101 * gib }, budgetLimits(config, 'full'))).toThrow(
    'more than this home allows',
  );
  const small = { cpus: 4, memory: 64 * gib, disk: 99 * gib, gpus: 0 };
  expect(approvalProposal(small, config.full)).toEqual({
    probe: {
      cpus: { needs: 16, found: 4 },
      memory: { needs: 64 * gib, found: 64 * gib },
      disk: { needs: 100 * gib, found: 99 * gib },
      gpus: { needs: 1, found: 0 },
    },
    lacking: ['cpus', 'disk', 'gpus'],
    costUsd: null,
  });
});
