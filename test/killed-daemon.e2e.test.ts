import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BenchmarkResult } from '@assay/contracts';
import { temporaryFolder, verifies, type TemporaryFolder } from '@assay/testkit';
import { root, runCli, startCli } from './support/cli.ts';
import { pointsCsv, writeTree } from './support/fixtures.ts';

let folder: TemporaryFolder;
const env = () => ({ ASSAY_HOME: join(folder.path, 'a home'), ASSAY_BUNDLE_DIR: process.env['ASSAY_BUNDLE_DIR'] });
const cli = (...args: string[]) => runCli(args, env());

/** Slow enough to be killed at its work. */
const slowRepo = {
  'threshold.py': `import time


def predict(row: dict) -> str:
    """The label of one row with the key "x"."""
    time.sleep(0.05)
    return "high" if row["x"] > 5 else "low"
`,
};

beforeAll(async () => {
  folder = await temporaryFolder();
  await writeTree(join(folder.path, 'repo'), slowRepo);
  await writeFile(join(folder.path, 'points.csv'), pointsCsv());
});

afterAll(async () => {
  await cli('down');
  await folder?.[Symbol.asyncDispose]();
});

/** The process that serves the home, once there is one. */
async function daemonPid(): Promise<number> {
  const file = join(env().ASSAY_HOME, 'runtime', 'daemon.json');
  return (JSON.parse(await readFile(file, 'utf8')) as { pid: number }).pid;
}

async function untilRuns(task: string, seen: () => string): Promise<void> {
  for (let waited = 0; !new RegExp(`running .*${task}`, 'i').test(seen()); waited += 25) {
    if (waited > 60_000) throw new Error(`${task} did not start: ${seen()}`);
    await sleep(25);
  }
}

test('a benchmark whose daemon is killed goes on by itself, and what it leaves can be checked as printed', async () => {
  verifies('cli.daemon-killed', 'cli.start-completed', 'engine.why-once', 'report.check-command');
  const { path } = folder;
  const run = startCli(
    ['benchmark', '--repo', join(path, 'repo'), '--data', join(path, 'points.csv'), '--target', 'label', '--json'],
    env(),
  );
  await untilRuns('Run the benchmark', run.stderr);
  const killed = await daemonPid();
  process.kill(killed, 'SIGKILL');
  expect(await run.exit).toBe(0);
  expect(run.stderr()).toContain('the daemon was killed; starting it again …\n');
  expect(run.stderr()).toContain('and goes on');
  expect(await daemonPid()).not.toBe(killed);
  const result = JSON.parse(run.stdout()) as BenchmarkResult;
  expect([result.status, result.metrics['accuracy']]).toEqual(['completed', 56 / 60]);

  const again = await cli('plan', 'start', result.planId!);
  expect(again.exit).toBe(0);
  expect(again.stderr).toContain('this plan is completed already');
  expect(again.stdout).toContain('accuracy');
  const why = await cli('why', result.questId!);
  expect(why.stdout).toMatch(/^idle: ".*" has 1 plan, none in progress\n$/);

  const report = await readFile(result.report!, 'utf8');
  const command = report.split('```')[1]!.trim();
  expect(command).toBe(`ASSAY_HOME='${env().ASSAY_HOME}' npx assay verify ${result.planId}`);
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: root });
  expect(stdout).toMatch(/confirmed/);
});
