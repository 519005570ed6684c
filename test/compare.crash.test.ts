import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missing, startTestDaemon, temporaryFolder, verifies, type TemporaryFolder } from '@assay/testkit';
import { fsck, verifyOffline } from '@assay/engine/offline';
import { finishBenchmark } from './support/benchmark.ts';
import { writeCompared } from './support/compared.ts';

let folder: TemporaryFolder;
let home: string;
let plans: string[];

beforeAll(async () => {
  folder = await temporaryFolder('assay-compare-crash');
  const data = await writeCompared(folder.path);
  await using daemon = await startTestDaemon({ home: join(folder.path, 'home') });
  home = daemon.home;
  const { questId, artifactId } = await daemon.client.registerProtocol({ body: { inputs: { data, target: 'label' } } });
  plans = [];
  for (const name of ['threshold', 'coin']) {
    const inputs = { repository: join(folder.path, name), protocol: artifactId };
    const { plan } = await daemon.client.createPlan({ body: { questId, inputs } });
    await daemon.client.executePlan({ plan: plan.id });
    await finishBenchmark(daemon, plan.id);
    plans.push(plan.id);
  }
}, 170_000);

afterAll(() => folder?.[Symbol.asyncDispose]());

/** Compares under a daemon that is killed at its n-th call of one kind; true when it was killed. */
async function killedWhileComparing(call: string, n: number): Promise<boolean> {
  const inject = `inject=${call}:signal=SIGKILL:when=${n}`;
  const under = ['strace', '-f', '-qqq', '-o', '/dev/null', '-e', `trace=${call}`, '-e', inject];
  try {
    await using daemon = await startTestDaemon({ home, under });
    await daemon.client.comparePlans({ body: { plans } });
    return false;
  } catch {
    return true;
  }
}

/** Every comparison that is listed is whole, and a new one can be made. */
async function wholeOrNotAtAll(): Promise<number> {
  await using daemon = await startTestDaemon({ home });
  const { comparisons } = await daemon.client.listComparisons({ query: {} });
  for (const { id } of comparisons) {
    const { verified, comparison } = await daemon.client.getComparison({ comparison: id });
    expect(verified).toEqual({ ok: 13, total: 13 });
    expect(comparison.pairs[0]!.verdict).toBe('first_better');
    expect(await verifyOffline(home, id)).toEqual({ ok: 13, total: 13, mismatches: [] });
  }
  const { findings } = await fsck(home);
  expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
  const again = await daemon.client.comparePlans({ body: { plans } });
  // Comparing is no formal run: a comparison that was lost does not count as a try.
  expect([again.comparison.family, again.verified.ok]).toEqual([1, 13]);
  return comparisons.length;
}

describe.skipIf(missing('strace').length > 0)('a daemon that is killed while it compares', () => {
  test.each(['rename', 'fsync', 'fdatasync'])(
    'at a call of %s leaves the comparison whole or not at all',
    { timeout: 300_000 },
    async (call) => {
      verifies('compare.crash');
      let kills = 0;
      let known = await wholeOrNotAtAll();
      for (const n of [1, 3, 6, 10, 15]) {
        if (!(await killedWhileComparing(call, n))) break;
        kills += 1;
        const now = await wholeOrNotAtAll();
        // what the look before made, and at most the one that was killed
        expect(now - known).toBeGreaterThanOrEqual(1);
        expect(now - known).toBeLessThanOrEqual(2);
        known = now;
      }
      expect(kills).toBeGreaterThan(0);
    },
  );
});
