import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  loopbackIndex,
  startTestDaemon,
  temporaryFolder,
  verifies,
  wheel,
  type LoopbackIndex,
  type TemporaryFolder,
  type TestDaemon,
} from '@assay/testkit';
import type { Plan } from '@assay/contracts';
import { runBenchmark } from './support/benchmark.ts';
import { pointsCsv, writeTree } from './support/fixtures.ts';

let index: LoopbackIndex;
let daemon: TestDaemon;
let folder: TemporaryFolder;
let data: string;

beforeAll(async () => {
  folder = await temporaryFolder('assay-dependencies');
  data = join(folder.path, 'points.csv');
  await writeFile(data, pointsCsv());
  index = await loopbackIndex({
    distributions: [wheel({ name: 'limits', version: '1.0', files: { 'limits.py': 'HALF = 5\n' } })],
  });
  daemon = await startTestDaemon({ env: { PIP_CONFIG_FILE: '/dev/null', PIP_INDEX_URL: index.url } });
}, 60_000);
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await index[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const model = `from limits import HALF


def predict(row: dict) -> str:
    return "high" if row["x"] > HALF else "low"
`;

async function artifact(plan: Plan, key: string) {
  const found = await daemon.client.getArtifact({ quest: plan.questId, artifact: plan.artifacts[key]! });
  return found.value as Record<string, unknown>;
}

test('a repository that needs packages runs with them, and a second plan finds them ready', async () => {
  verifies('dependency.installed-for-run', 'dependency.cached');
  const repository = await writeTree(join(folder.path, 'needy'), {
    'requirements.txt': 'limits>=1.0 ; python_version >= "3.8"\nnowhere ; sys_platform == "win32"\nlimit-of-nobody\n',
    'model.py': model,
  });
  const { plan, result, failure } = await runBenchmark(daemon, { repository, data, target: 'label' });
  expect(failure).toBeNull();
  expect(result.metrics['accuracy']).toBeCloseTo(56 / 60, 12);
  expect(result.verified.ok).toBe(result.verified.total);
  const report = await artifact(plan, 'dependency_install_report');
  expect(report).toMatchObject({
    attempts: [{ number: 1, kind: 'unknown_package', changed: 'limit-of-nobody is left out' }],
    installed: [{ name: 'limits', version: '1.0', kind: 'wheel' }],
    leftOut: ['nowhere ; sys_platform == "win32"'],
    cached: false,
  });
  expect(String(report['lock'])).toContain('limits==1.0');
  const again = await runBenchmark(daemon, { repository, data, target: 'label' });
  expect(again.failure).toBeNull();
  expect(await artifact(again.plan, 'dependency_install_report')).toMatchObject({ cached: true });
}, 240_000);

test('what cannot be had is refused with one sentence, and so are packages when installing is switched off', async () => {
  verifies('dependency.refused-clearly', 'dependency.interpreter');
  const repository = await writeTree(join(folder.path, 'gone'), {
    'pyproject.toml': '[project]\nname = "m"\nversion = "1"\ndependencies = ["limits>=9"]\n',
    'model.py': model,
  });
  const failed = await runBenchmark(daemon, { repository, data, target: 'label' });
  const error = failed.plan.tasks.find((task) => task.status === 'failed')?.error;
  expect(error).toMatchObject({
    code: 'dependency_install_failed',
    message: 'no version of limits fits >=9',
    why: 'limits>=9 (pyproject.toml:4) asks for it; there are 1.0',
  });
  const why = await daemon.client.why({ query: { ref: `${failed.plan.id}/install_dependencies` } });
  expect(why.sentence).toContain('no version of limits fits >=9');
  const off = await runBenchmark(daemon, { repository, data, target: 'label', install: false });
  expect(off.plan.tasks.find((task) => task.status === 'failed')).toMatchObject({
    id: 'resolve_dependencies',
    error: { code: 'dependencies_required', why: 'it needs limits>=9 (pyproject.toml:4)' },
  });
  const future = await writeTree(join(folder.path, 'future'), {
    'pyproject.toml': '[project]\nname = "m"\nversion = "1"\nrequires-python = ">=3.99"\ndependencies = ["limits"]\n',
    'model.py': model,
  });
  const tooOld = await runBenchmark(daemon, { repository: future, data, target: 'label' });
  expect(tooOld.plan.tasks.find((task) => task.status === 'failed')).toMatchObject({
    id: 'prepare_runtime',
    error: {
      code: 'interpreter_missing',
      hint: 'no version of Python fits all of these ranges: correct them in the repository',
    },
  });
}, 240_000);
