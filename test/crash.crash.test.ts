import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  missing,
  startTestDaemon,
  temporaryFolder,
  verifies,
  type TemporaryFolder,
  type TestDaemon,
} from '@assay/testkit';
import { fsck, verifyOffline } from '@assay/engine/offline';
import type { AssayEvent, Plan } from '@assay/contracts';
import { finishBenchmark } from './support/benchmark.ts';
import { pointsCsv, thresholdRepo, writeTree } from './support/fixtures.ts';

let folder: TemporaryFolder;
let repository: string;
let data: string;

beforeAll(async () => {
  folder = await temporaryFolder('assay-crash');
  repository = await writeTree(join(folder.path, 'repo'), thresholdRepo);
  data = join(folder.path, 'points.csv');
  await writeFile(data, pointsCsv());
});

afterAll(() => folder[Symbol.asyncDispose]());

const LONG = process.env['ASSAY_TEST_LONG'] === '1';
let homes = 0;

async function newHome(): Promise<string> {
  const home = join(folder.path, `home-${++homes}`);
  await mkdir(home);
  return home;
}

/** Runs the reference plan under a daemon that is killed at a system call; then a second daemon takes over. */
async function killedAt(inject: string): Promise<{ killed: boolean; lines: number }> {
  const home = await newHome();
  const under = [
    'strace',
    '-f',
    '-qqq',
    '-o',
    '/dev/null',
    '-e',
    `trace=${inject.split(':')[0]}`,
    '-e',
    `inject=${inject}`,
  ];
  const acknowledged = await runUntilDeath(home, under);
  await using daemon = await startTestDaemon({ home });
  const plan = await takeOver(daemon, acknowledged);
  await invariants(daemon, plan, acknowledged);
  return { killed: acknowledged.died, lines: (await journal(daemon, plan)).length };
}

interface Acknowledged {
  /** Created and answered before the kill. */
  readonly planId: string | null;
  readonly started: boolean;
  /** Event ids that a client had seen. */
  readonly seen: readonly string[];
  readonly died: boolean;
}

async function runUntilDeath(home: string, under: readonly string[]): Promise<Acknowledged> {
  let planId: string | null = null;
  let started = false;
  const seen: string[] = [];
  let daemon: TestDaemon | undefined;
  try {
    daemon = await startTestDaemon({ home, under });
    const { plan } = await daemon.client.createPlan({ body: { inputs: { repository, data, target: 'label' } } });
    planId = plan.id;
    await daemon.client.executePlan({ plan: plan.id });
    started = true;
    const ended = new AbortController();
    void whenGone(daemon, ended.signal).then(() => ended.abort());
    for await (const item of daemon.client.followPlan(plan.id, { signal: ended.signal }))
      if (item.kind === 'event') seen.push(item.event.id);
    const died = !daemon.alive();
    ended.abort();
    await daemon.kill('SIGKILL');
    return { planId, started, seen, died };
  } catch {
    await daemon?.kill('SIGKILL');
    return { planId, started, seen, died: true };
  }
}

async function whenGone(daemon: TestDaemon, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && daemon.alive()) await sleep(20);
}

/** What a person would do after the crash: look, and start again what did not finish. */
async function takeOver(daemon: TestDaemon, before: Acknowledged): Promise<Plan> {
  const { plans } = await daemon.client.listPlans({ query: {} });
  if (before.planId !== null) expect(plans.map((plan) => plan.id)).toContain(before.planId);
  const found =
    plans[0] ?? (await daemon.client.createPlan({ body: { inputs: { repository, data, target: 'label' } } })).plan;
  if (found.status === 'completed') return found;
  expect(['pending', 'failed']).toContain(found.status);
  await daemon.client.executePlan({ plan: found.id });
  return (await finishBenchmark(daemon, found.id)).plan;
}

async function invariants(daemon: TestDaemon, plan: Plan, before: Acknowledged): Promise<void> {
  expect(plan.status, JSON.stringify(plan.tasks.find((task) => task.error !== null)?.error)).toBe('completed');
  const events = await journal(daemon, plan);
  const ids = new Set(events.map((event) => event.id));
  expect(
    before.seen.filter((id) => !ids.has(id)),
    'lost events that a client had seen',
  ).toEqual([]);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
  for (const task of plan.tasks)
    expect(events.filter((event) => event.type === 'plan.task_completed' && event.scope.task === task.id)).toHaveLength(
      1,
    );
  const verification = await verifyOffline(daemon.home, plan.id);
  expect(verification).toEqual({ ok: verification.total, total: verification.total, mismatches: [] });
  expect(verification.total).toBeGreaterThan(4);
  const { findings } = await fsck(daemon.home);
  expect(findings.filter((finding) => finding.severity === 'damage')).toEqual([]);
  expect(await orphans(daemon)).toEqual([]);
}

async function journal(daemon: TestDaemon, plan: Plan): Promise<AssayEvent[]> {
  const { events } = await daemon.client.questEvents({ quest: plan.questId, query: { limit: 10_000 } });
  return events;
}

/** Sandboxed processes of this home that nobody waits for. */
async function orphans(daemon: TestDaemon): Promise<string[]> {
  await sleep(100);
  return execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('bwrap') && line.includes(daemon.home));
}

describe.skipIf(missing('strace').length > 0)('a daemon that is killed', () => {
  test('at every event boundary loses nothing and repeats nothing', { timeout: 900_000 }, async () => {
    verifies('crash.every-event-boundary');
    // The n-th sync of the journal: the event is in the file, and nobody has been told. Events that come close together
    // share a sync, so that two runs may differ by some at their end.
    const outlived: number[] = [];
    let next = 1;
    const worker = async () => {
      for (let n = next++; n <= 200 && outlived.length < 3; n = next++) {
        const { killed } = await killedAt(`fdatasync:signal=SIGKILL:when=${n}`);
        if (!killed) outlived.push(n);
      }
    };
    await Promise.all([worker(), worker()]);
    expect(outlived.length).toBeGreaterThanOrEqual(3);
    expect(Math.min(...outlived)).toBeGreaterThan(20);
  });

  const calls = LONG
    ? ['rename', 'fsync', 'mkdir', 'unlink', 'sendto', 'pwrite64', 'write'].flatMap((call) =>
        [1, 2, 3, 5, 8, 13, 21, 34].map((n) => `${call}:${n}`),
      )
    : ['rename:1', 'rename:3', 'rename:6', 'fsync:2', 'fsync:5', 'mkdir:4', 'unlink:1'];
  test.each(calls)('at the system call %s recovers', { timeout: 120_000 }, async (call) => {
    verifies('crash.system-calls');
    const [name, n] = call.split(':');
    await killedAt(`${name}:signal=SIGKILL:when=${n}`);
  });
});

test('a task that lives through the crash is adopted, not run twice', { timeout: 120_000 }, async () => {
  verifies('crash.living-task-adopted');
  const slow = await writeTree(join(folder.path, 'slow'), {
    'model.py': `import time


def predict(row: dict) -> str:
    """Label of a row with the key "x"."""
    time.sleep(0.08)
    return "high" if row["x"] > 5 else "low"
`,
  });
  const home = await newHome();
  const first = await startTestDaemon({ home });
  const { plan } = await first.client.createPlan({ body: { inputs: { repository: slow, data, target: 'label' } } });
  await first.client.executePlan({ plan: plan.id });
  const attempts = join(home, 'quests', plan.questId, '.assay/plans', plan.id, 'tasks/benchmark_execute');
  await sessionStarted(join(attempts, 'attempt-1/sessions/run.json'));
  await first.kill('SIGKILL');

  await using second = await startTestDaemon({ home });
  const interrupted = (await second.client.getPlan({ plan: plan.id })).plan;
  expect({ status: interrupted.status, interrupted: interrupted.interrupted }).toEqual({
    status: 'pending',
    interrupted: true,
  });
  await second.client.resumePlan({ plan: plan.id });
  const { plan: ended, result } = await finishBenchmark(second, plan.id);
  expect(ended.status).toBe('completed');
  expect(result.metrics['accuracy']).toBe(56 / 60);
  expect(await readdir(attempts)).toEqual(['attempt-1']);
  const events = await journal(second, ended);
  const runs = events.filter((event) => event.scope.task === 'benchmark_execute');
  expect(runs.filter((event) => event.type === 'plan.task_started')).toHaveLength(1);
  expect(runs.filter((event) => event.type === 'plan.task_rebound')).toHaveLength(1);
  const execution = ended.tasks.find((task) => task.id === 'benchmark_execute')!;
  expect({ runCount: execution.runCount, epoch: execution.executionEpoch }).toEqual({ runCount: 1, epoch: 2 });
});

test('canceling ends every process of a plan within five seconds', { timeout: 60_000 }, async () => {
  verifies('plans.cancel-kills');
  const stubborn = await writeTree(join(folder.path, 'stubborn'), {
    'model.py': `import os, signal, time


def predict(row: dict) -> str:
    """Label of a row with the key "x"."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
    time.sleep(600)
    return "high" if row["x"] > 5 else "low"
`,
  });
  await using daemon = await startTestDaemon();
  const { plan } = await daemon.client.createPlan({
    body: { inputs: { repository: stubborn, data, target: 'label' } },
  });
  await daemon.client.executePlan({ plan: plan.id });
  const tasks = join(daemon.home, 'quests', plan.questId, '.assay/plans', plan.id, 'tasks');
  await sessionStarted(join(tasks, 'benchmark_adapter_preflight/attempt-1/sessions/preflight-1.json'));
  await sleep(500);
  const started = Date.now();
  const { plan: canceled } = await daemon.client.cancelPlan({ plan: plan.id, body: { reason: 'enough' } });
  // Three seconds of grace, then the kill; the rest is for a busy machine. Waiting for the program would take minutes.
  expect(Date.now() - started).toBeLessThan(15_000);
  expect(canceled.status).toBe('canceled');
  expect(await orphans(daemon)).toEqual([]);
});

async function sessionStarted(binding: string): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 20) {
    const text = await readFile(binding, 'utf8').catch(() => '');
    if (text !== '') {
      const { dir } = JSON.parse(text) as { dir: string };
      if (
        await readFile(join(dir, 'meta.json')).then(
          () => true,
          () => false,
        )
      )
        return;
    }
    await sleep(20);
  }
  throw new Error(`${binding} did not appear within 60 s`);
}
