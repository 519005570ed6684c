import { assertProperty, verifies } from '@assay/testkit';
import * as fc from 'fast-check';
import { it } from 'vitest';
import { arbitraryPlan } from './arbitrary-plan.ts';
import { arbitraryMoves, PlanSimulation, type Move } from './plan-simulation.ts';
import type { Plan } from '@assay/contracts';

async function play({ plan, moves }: { plan: Plan; moves: Move[] }): Promise<void> {
  const simulation = new PlanSimulation(plan);
  for (const move of moves) simulation.play(move);
  simulation.finish();
}

it('random graphs, results, delays, people and restarts keep every rule', async () => {
  verifies(
    'plan.fold',
    'plan.rule-ready',
    'plan.rule-concurrency',
    'plan.rule-serial-alone',
    'plan.rule-lease',
    'plan.rule-late-result-discarded',
    'plan.rule-retry',
    'plan.rule-budget',
    'plan.rule-person-retry',
    'plan.rule-restart',
  );
  const game = fc.record({ plan: arbitraryPlan, moves: arbitraryMoves });
  await assertProperty(fc.asyncProperty(game, play), { name: 'rules', test: import.meta.url, numRuns: 1000 });
});
