import type { AssayEvent } from '@assay/contracts';
import { planOf } from '@assay/plan-graph';
import { plansProjection, type BookedPlans } from '@assay/scheduler';
import { verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { Harness, planOfTasks, rest } from './harness.ts';

const plain = (plans: BookedPlans) =>
  [...plans].map(([id, { state, lastAt }]) => ({ id, lastAt, plan: planOf(state) }));

function fold(events: readonly AssayEvent[], from: BookedPlans = plansProjection.initial()): BookedPlans {
  return events.reduce((plans, event) => plansProjection.reduce(plans, event), from);
}

describe('plansProjection', () => {
  it('goes on from its stored form exactly as from the log, at every event', async () => {
    verifies('plan.fold');
    await using harness = new Harness();
    await harness.scheduler.add(planOfTasks([{ id: 'x' }], { id: 'plan_2' }));
    await harness.start([
      { id: 'a', outputArtifacts: ['k'] },
      { id: 'b', dependencies: ['a'], requiredArtifacts: ['k'] },
    ]);
    harness.executor.fail('a');
    await rest();
    harness.executor.succeed('a');
    await rest();
    const log = await harness.journal.log();
    expect(log.length).toBeGreaterThan(10);
    const whole = fold(log);
    expect([...whole.keys()]).toEqual(['plan_2', 'plan_1']);
    for (let at = 0; at <= log.length; at += 1) {
      const head = fold(log.slice(0, at));
      const stored: unknown = JSON.parse(JSON.stringify(plansProjection.serialize(head)));
      const resumed = fold(log.slice(at), plansProjection.parse(stored));
      expect(plain(resumed)).toEqual(plain(whole));
    }
  });

  it('refuses a stored form that does not fit', () => {
    verifies('plan.fold');
    const plan = planOfTasks([{ id: 'a' }]);
    expect(() => plansProjection.parse({})).toThrow(Error);
    expect(() => plansProjection.parse([{ plan: { ...plan, status: 'great' }, lastAt: plan.createdAt }])).toThrow(
      Error,
    );
    expect(() => plansProjection.parse([{ plan, lastAt: 'yesterday' }])).toThrow('not an instant: yesterday');
  });
});
