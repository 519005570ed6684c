import { verifies } from '@assay/testkit';
import * as fc from 'fast-check';
import { it } from 'vitest';
import { arbitraryPlan } from './arbitrary-plan.ts';
import { arbitraryMoves, PlanSimulation, type Move } from './plan-simulation.ts';
import { checkReplayed } from './replayed-property.ts';
import type { Plan } from '@assay/contracts';

const seeds = new URL('./failing-seeds.json', import.meta.url);

function play({ plan, moves }: { plan: Plan; moves: Move[] }): void {
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
  await checkReplayed(seeds, 'rules', fc.property(game, play), { numRuns: 1000 });
});
