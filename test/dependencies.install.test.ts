import { readFileSync } from 'node:fs';
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
import { findPython } from '@assay/sandbox';
import { runBenchmark } from './support/benchmark.ts';
import { runCli } from './support/cli.ts';
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
    distributions: [
      wheel({ name: 'limits', version: '1.0', files: { 'limits.py': 'HALF = 5\n' } }),
      wheel({ name: 'halves', version: '1.0', files: { 'halves.py': 'HALF = 5\n' } }),
    ],
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
  verifies('dependency.installed-for-run', 'dependency.cached', 'dependency.said');
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
  const text = readFileSync(result.report ?? '', 'utf8');
  expect(text).toMatch(/- Python 3\.\d+\.\d+ \(nothing demands another one than /);
  expect(text).toContain('- 1 package installed: limits 1.0; list of versions and hashes: SHA-256 ');
  expect(text).toContain('- Mended: limit-of-nobody is left out, because ');
  const shown = await runCli(['plan', 'show', plan.id], { ASSAY_HOME: daemon.home });
  expect(shown.stdout).toMatch(
    /^runtime  Python 3.*\npackages {2}1 packages? installed from .*mended: limit-of-nobody is left out/m,
  );
  const again = await runBenchmark(daemon, { repository, data, target: 'label' });
  expect(again.failure).toBeNull();
  expect(await artifact(again.plan, 'dependency_install_report')).toMatchObject({ cached: true });
}, 240_000);

test('what cannot be had is refused with one sentence, and so are packages when installing is switched off', async () => {
  verifies('dependency.refused-clearly', 'dependency.interpreter', 'dependency.final');
  const repository = await writeTree(join(folder.path, 'gone'), {
    'pyproject.toml': '[project]\nname = "m"\nversion = "1"\ndependencies = ["limits>=9"]\n',
    'model.py': model,
  });
  const failed = await runBenchmark(daemon, { repository, data, target: 'label' });
  const task = failed.plan.tasks.find(({ status }) => status === 'failed');
  expect([task?.id, task?.runCount]).toEqual(['install_dependencies', 1]); // a second run would end the same way
  const error = task?.error;
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

test('a Python that is named against what the repository demands is used, and that is said first and in the report', async () => {
  verifies('dependency.said');
  const { executable, version } = await findPython();
  const repository = await writeTree(join(folder.path, 'capped'), {
    'pyproject.toml': '[project]\nname = "m"\nversion = "1"\nrequires-python = "<3.7"\ndependencies = ["limits"]\n',
    'model.py': model,
  });
  const { plan, result } = await runBenchmark(daemon, { repository, data, target: 'label', python: executable });
  const against = 'it was named with --python, although pyproject.toml:4 demands <3.7';
  expect(plan.tasks.find(({ id }) => id === 'prepare_runtime')?.summary).toContain(`Python ${version} (${against})`);
  expect(readFileSync(result.report ?? '', 'utf8')).toContain(
    `Python ${version} (it was named with --python, although pyproject.toml:4 demands \\<3.7).`,
  );
}, 240_000);

const lazy = (module: string, head = '') => `${head}
def predict(row: dict) -> str:
    from ${module} import HALF

    return "high" if row["x"] > HALF else "low"
`;

test.each([
  ['beside what is declared', { 'requirements.txt': 'limits\n' }, 'import limits\n', ['halves', 'limits']],
  ['where nothing is needed otherwise', {}, '', ['halves']],
])(
  'a module that is imported only while it runs is installed: %s',
  async (name, files, head, names) => {
    verifies('dependency.lazy-imports');
    const repository = await writeTree(join(folder.path, name), { ...files, 'model.py': lazy('halves', head) });
    const { plan, result, failure } = await runBenchmark(daemon, { repository, data, target: 'label' });
    expect(failure).toBeNull();
    expect(result.metrics['accuracy']).toBeCloseTo(56 / 60, 12);
    expect(result.verified.ok).toBe(result.verified.total);
    const { installed } = (await artifact(plan, 'benchmark_preflight_report')) as { installed: { installed: unknown } };
    expect((installed.installed as { name: string }[]).map((one) => one.name).sort()).toEqual(names);
    expect(plan.tasks.find(({ id }) => id === 'benchmark_adapter_preflight')?.summary).toContain(
      'installed besides: halves',
    );
    const text = readFileSync(result.report ?? '', 'utf8');
    expect(text).toContain(`${names.length} package${names.length === 1 ? '' : 's'} installed: `);
    expect(text).toContain('installed after the preflight missed it: halves');
  },
  240_000,
);

test.each([
  [
    'installing is switched off',
    'halves',
    false,
    { code: 'dependencies_required', message: 'model:predict needs halves when it runs' },
  ],
  [
    'the index does not have it',
    'halves_of_nobody',
    true,
    { code: 'dependency_install_failed', message: 'the package index has no halves-of-nobody' },
  ],
])(
  'a module that is imported only while it runs ends the plan with one sentence when %s',
  async (name, module, install, error) => {
    verifies('dependency.lazy-imports');
    const repository = await writeTree(join(folder.path, name), { 'model.py': lazy(module) });
    const { plan } = await runBenchmark(daemon, { repository, data, target: 'label', install });
    expect(plan.tasks.find(({ status }) => status === 'failed')).toMatchObject({
      id: 'benchmark_adapter_preflight',
      error,
    });
  },
  240_000,
);
