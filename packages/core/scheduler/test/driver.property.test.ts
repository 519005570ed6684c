import { assertProperty, verifies } from '@assay/testkit';
import * as fc from 'fast-check';
import { it } from 'vitest';
import { arbitraryPlan } from '../../../shared/plan-graph/test/arbitrary-plan.ts';
import { arbitraryMoves, DriverGame } from './driver-game.ts';

it('real schedulers on one disk keep every rule through failures, crashes in the middle of writes and full disks', async () => {
  verifies(
    'plan.fold',
    'plan.record-before-effect',
    'plan.rule-restart',
    'plan.rule-concurrency',
    'plan.rule-serial-alone',
    'plan.journal-failure',
  );
  const property = fc.asyncProperty(arbitraryPlan, arbitraryMoves, async (plan, moves) => {
    const game = await DriverGame.start(plan);
    for (const move of moves) await game.play(move);
    await game.finish();
  });
  await assertProperty(property, { name: 'driver', test: import.meta.url, numRuns: 300 });
});
