import { executeDrafts, type TaskDraft } from '@assay/plan-graph';
import { verifies } from '@assay/testkit';
import { expect, it } from 'vitest';
import { planOfTasks, PureDriver } from './pure-driver.ts';

type Short = Partial<TaskDraft> & { readonly id: string };
const budget = { maxTaskAttempts: 1_000_000, maxDurationSeconds: 1_000_000 };

/** Every task needs the artifact of the one before. */
function chain(count: number): Short[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `t${at}`,
    dependencies: at === 0 ? [] : [`t${at - 1}`],
    requiredArtifacts: at === 0 ? [] : [`k${at - 1}`],
    outputArtifacts: [`k${at}`],
  }));
}

/** One task that all others need, and one that needs all others. */
function fan(count: number): Short[] {
  const middle = Array.from({ length: count - 2 }, (_, at) => ({
    id: `t${at}`,
    dependencies: ['first'],
    priority: at % 7,
  }));
  return [{ id: 'first' }, ...middle, { id: 'last', dependencies: middle.map(({ id }) => id) }];
}

/** Processor seconds of folding and deciding a whole plan. */
function secondsOf(tasks: Short[]): number {
  const driver = new PureDriver(planOfTasks(tasks, { budget }));
  const start = process.cpuUsage();
  driver.apply(executeDrafts(driver.state, 'me'));
  for (let running = driver.running(); running.length > 0; running = driver.running()) driver.succeed(running[0]!);
  const { user } = process.cpuUsage(start);
  expect(driver.state.head.status).toBe('completed');
  return user / 1e6;
}

function best(tasks: Short[], runs: number): number {
  return Math.min(...Array.from({ length: runs }, () => secondsOf(tasks)));
}

it.each([
  ['chain', chain],
  ['fan', fan],
])('a %s of 10,000 tasks costs about ten times one of 1,000', { timeout: 60_000 }, (_, shape) => {
  verifies('plan.linear');
  secondsOf(shape(1000));
  const small = best(shape(1000), 4);
  const large = best(shape(10_000), 3);
  // Quadratic work would cost a hundred times; a busy machine's caches and collector cost some of the rest. The measured
  // ratio is a row of the benchmarks.
  expect(large / small).toBeLessThan(40);
});
