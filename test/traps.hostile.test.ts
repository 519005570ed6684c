import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, temporaryFolder, verifies, type TemporaryFolder, type TestDaemon } from '@assay/testkit';
import { attacker, END } from './support/attacker.ts';
import { finishBenchmark, runBenchmark } from './support/benchmark.ts';
import { pointsCsv, thresholdRepo, writeTree } from './support/fixtures.ts';

let daemon: TestDaemon;
let folder: TemporaryFolder;
let data: string;

beforeAll(async () => {
  folder = await temporaryFolder('assay-traps');
  daemon = await startTestDaemon();
  data = join(folder.path, 'points.csv');
  await writeFile(data, pointsCsv());
});

afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

/** What the repository does, and the code that the plan must fail with. */
const traps: readonly { readonly name: string; readonly attack: string; readonly code: string }[] = [
  {
    name: 'claims an accuracy that it does not have',
    code: 'metrics_forged',
    attack: `write(out, good(rows)); json.dump({"accuracy": 1.0}, open(os.path.join(out, "metrics.json"), "w")); ${END}`,
  },
  {
    name: 'claims a metric that is not a number',
    code: 'metrics_forged',
    attack: `write(out, good(rows)); open(os.path.join(out, "metrics.json"), "w").write('{"accuracy": "1.0"}'); ${END}`,
  },
  { name: 'leaves predictions out', code: 'predictions_incomplete', attack: `write(out, good(rows[:-1])); ${END}` },
  {
    name: 'counts fewer rows than it was given',
    code: 'predictions_incomplete',
    attack: `write(out, good(rows[:30]), sample_count=30); ${END}`,
  },
  {
    name: 'predicts a row twice',
    code: 'predictions_duplicated',
    attack: `write(out, good(rows[:-1]) + good(rows[:1])); ${END}`,
  },
  {
    name: 'predicts a row that does not exist',
    code: 'predictions_out_of_range',
    attack: `write(out, good(rows[:-1]) + [json.dumps({"row_index": 60, "prediction": "low"})]); ${END}`,
  },
  {
    name: 'predicts a negative row',
    code: 'predictions_out_of_range',
    attack: `write(out, good(rows[:-1]) + [json.dumps({"row_index": -1, "prediction": "low"})]); ${END}`,
  },
  {
    name: 'says that it read another file',
    code: 'predictions_other_dataset',
    attack: `write(out, good(rows), dataset_sha256="0" * 64); ${END}`,
  },
  { name: 'writes no output at all', code: 'output_missing', attack: END },
  { name: 'writes an empty submission', code: 'predictions_incomplete', attack: `write(out, []); ${END}` },
  {
    name: 'writes prose instead of predictions',
    code: 'output_malformed',
    attack: `write(out, ["All rows were predicted correctly."]); ${END}`,
  },
  {
    name: 'writes a score that is not finite',
    code: 'predictions_not_finite',
    attack: `write(out, [json.dumps({"row_index": i, "prediction": "low", "score": {"low": float("nan"), "high": 1}}) for i in range(60)]); ${END}`,
  },
  {
    name: 'links its predictions to another file',
    code: 'output_unsafe',
    attack: `write(out, good(rows)); p = os.path.join(out, "predictions.jsonl"); os.rename(p, p + ".x"); os.symlink(p + ".x", p); ${END}`,
  },
  {
    name: 'gives its predictions a second name',
    code: 'output_unsafe',
    attack: `write(out, good(rows)); p = os.path.join(out, "predictions.jsonl"); os.link(p, p + ".x"); ${END}`,
  },
  {
    name: 'replaces its output folder by a link',
    code: 'output_unsafe',
    attack: `write(out, good(rows)); os.rename(out, out + ".x"); os.symlink(out + ".x", out); ${END}`,
  },
  {
    name: 'writes a pipe instead of a file',
    code: 'output_unsafe',
    attack: `write(out, good(rows)); p = os.path.join(out, "predictions.jsonl"); os.unlink(p); os.mkfifo(p); ${END}`,
  },
  {
    name: 'writes more than may be read',
    code: 'output_too_large',
    attack: `write(out, good(rows)); open(os.path.join(out, "metrics.json"), "w").write(" " * (1 << 21)); ${END}`,
  },
  {
    name: 'writes a sparse giant',
    code: 'output_too_large',
    attack: `write(out, good(rows)); os.truncate(os.path.join(out, "predictions.jsonl"), 300 << 20); ${END}`,
  },
  {
    name: 'presents a file that is older than the run',
    code: 'output_stale',
    attack: `write(out, good(rows)); os.utime(os.path.join(out, "predictions.jsonl"), (1e9, 1e9)); ${END}`,
  },
  {
    name: 'returns 1 with good-looking files',
    code: 'adapter_failed',
    attack: 'write(out, good(rows)); sys.stdout.flush(); os._exit(1)',
  },
  {
    name: 'dies of a signal with good-looking files',
    code: 'adapter_failed',
    attack: 'write(out, good(rows)); os.kill(os.getpid(), 9)',
  },
  {
    name: 'opens a connection',
    code: 'adapter_failed',
    attack: 'import urllib.request\nurllib.request.urlopen("http://192.0.2.1/labels.csv", timeout=5)',
  },
  {
    name: 'asks for a name',
    code: 'adapter_failed',
    attack: 'import socket\nsocket.getaddrinfo("labels.example.org", 80)',
  },
  {
    name: 'looks for the labels on this machine',
    code: 'adapter_failed',
    attack: `found = [os.path.join(d, f) for top in ("/home", "/root", "/tmp", "/workspace", "/var") for d, _, fs in os.walk(top) for f in fs if f.endswith(".csv")]\nraise SystemExit("no labels" if not found else 0)`,
  },
  { name: 'writes into the repository', code: 'adapter_failed', attack: 'open("/workspace/model.py", "a").write("#")' },
  {
    name: 'changes the data that it was given',
    code: 'adapter_failed',
    attack: 'open(argument("--dataset"), "a").write("{}")',
  },
  {
    name: 'changes the adapter',
    code: 'adapter_failed',
    attack:
      'os.chmod("/workspace/.scholar/benchmark/adapter.py", 0o600); open("/workspace/.scholar/benchmark/adapter.py", "a").write("#")',
  },
  {
    name: 'uses more memory than it may',
    code: 'out_of_memory',
    attack: 'x = bytearray(5 << 30)\nfor i in range(0, len(x), 4096): x[i] = 1',
  },
];

describe('a result is never taken from', () => {
  test.each(traps)('a run that $name', async ({ attack, code }) => {
    verifies('traps.false-success-zero');
    const repository = join(folder.path, `trap-${traps.findIndex((trap) => trap.attack === attack)}`);
    await writeTree(repository, attacker(attack));
    const { plan, result, failure } = await runBenchmark(daemon, { repository, data, target: 'label' });
    expect(failure).toBe(code);
    expect(plan.status).toBe('failed');
    expect(result.metrics).toEqual({});
    expect(result.verified).toEqual({ ok: 0, total: 0 });
    expect(result.report).toBeNull();
  });
});

describe('files that change from outside while a plan runs', () => {
  const slow: Readonly<Record<string, string>> = {
    'model.py': `import time


def predict(row: dict) -> str:
    """Label of a row with the key "x"."""
    time.sleep(0.05)
    return "high" if row["x"] > 5 else "low"
`,
  };

  /** Runs a slow benchmark and touches a file while the formal run is under way. */
  async function disturbed(name: string, touch: (paths: { tasks: string; data: string }) => Promise<void>) {
    const own = join(folder.path, name);
    await writeTree(join(own, 'repo'), slow);
    const ownData = join(own, 'points.csv');
    await writeFile(ownData, pointsCsv());
    const { plan } = await daemon.client.createPlan({
      body: { inputs: { repository: join(own, 'repo'), data: ownData, target: 'label' } },
    });
    await daemon.client.executePlan({ plan: plan.id });
    const tasks = join(daemon.home, 'quests', plan.questId, '.assay/plans', plan.id, 'tasks');
    await until(async () => (await readdir(join(tasks, 'benchmark_execute/attempt-1/sessions'))).includes('run.json'));
    await touch({ tasks, data: ownData });
    return finishBenchmark(daemon, plan.id);
  }

  test('a changed repository, data file, prepared data or adapter fails the run by name', async () => {
    verifies('traps.changed-from-outside');
    const repository = await disturbed('a', ({ tasks }) =>
      writeFile(join(tasks, 'repo_prepare/attempt-1/workspace/extra.py'), '# new\n'),
    );
    expect(repository.failure).toBe('repository_changed');
    const original = await disturbed('b', ({ data }) => appendFile(data, '1,2,low\n'));
    expect(original.failure).toBe('dataset_changed');
    const prepared = await disturbed('c', ({ tasks }) =>
      appendFile(join(tasks, 'benchmark_adapter_generate/attempt-1/data/dataset.jsonl'), '\n'),
    );
    expect(prepared.failure).toBe('dataset_changed');
    const adapter = await disturbed('d', async ({ tasks }) => {
      const file = join(tasks, 'benchmark_execute/attempt-1/run/adapter.py');
      await writeFile(`${file}.new`, `${await readFile(file, 'utf8')}#`);
      await (await import('node:fs/promises')).rename(`${file}.new`, file);
    });
    expect(adapter.failure).toBe('adapter_changed');
  });

  test('deleted work of a finished task, as a copy of the repository or the prepared data set, is named', async () => {
    verifies('benchmark.work-gone-named');
    const gone = async (name: string, path: string) => {
      const { plan } = await disturbed(name, ({ tasks }) => rm(join(tasks, path), { recursive: true }));
      return plan.tasks.find((task) => task.status === 'failed')!.error!;
    };
    const workspace = await gone('e', 'repo_prepare/attempt-1/workspace');
    expect(workspace.code).toBe('output_missing');
    expect(workspace.message).toBe('the copy of the repository that this plan made is gone');
    expect(workspace.hint).toContain('create the plan again');
    const prepared = await gone('f', 'benchmark_adapter_generate/attempt-1/data');
    expect(prepared.code).toBe('output_missing');
    expect(prepared.message).toBe('the prepared data (dataset.jsonl) is gone');
  });
});

/** The rows of the data file in forms that no line-by-line search would see. */
const pointRows = pointsCsv()
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',') as [string, string, string]);
const tuples = `ROWS = [${pointRows.map(([x, y, label]) => `(${x}, ${y}, '${label}')`).join(', ')}]\n`;
const prettyJson = JSON.stringify(
  pointRows.map(([x, y, label]) => ({ x: Number(x), y: Number(y), label })),
  null,
  2,
);

/** Looks its answers up in the rows of the same or another file. */
const lookUp = `def predict(row: dict) -> str:
    """The label of one row with the keys "x" and "y"."""
    return next(label for x, y, label in ROWS if x == row["x"] and y == row["y"])
`;

test('a repository that ships the data set does not see it', async () => {
  verifies('benchmark.data-copies-hidden');
  const repository = join(folder.path, 'ships-data');
  await writeTree(repository, {
    ...thresholdRepo,
    'data/arrays.json': pointRows.map(([x, y, label]) => `[${x}, ${y}, "${label}"],`).join('\n'),
    'data/columns.json': JSON.stringify({
      y: pointRows.map(([, , label]) => (label === 'low' ? 7 : 8)),
      x: pointRows.map(([x]) => Math.round(Number(x))),
    }),
    'data/points.csv': pointsCsv(),
    'data/pretty.json': prettyJson,
    'data/renamed.txt': pointsCsv().replaceAll(',', ';'),
    'data/rows.py': tuples,
    'data/packed.npz': 'PK',
    'threshold.py': `import os


def predict(row: dict) -> str:
    """The label of one row with the key "x"."""
    here = os.path.dirname(os.path.abspath(__file__))
    for name in ("arrays.json", "columns.json", "points.csv", "pretty.json", "renamed.txt", "rows.py"):
        assert os.path.getsize(os.path.join(here, "data", name)) == 0, name
    assert os.path.getsize(os.path.join(here, "data", "packed.npz")) > 0
    return "high" if row["x"] > 5 else "low"
`,
  });
  const { failure, plan, result } = await runBenchmark(daemon, { repository, data, target: 'label' });
  expect(failure).toBeNull();
  const { artifacts } = await daemon.client.listArtifacts({ quest: plan.questId });
  const report = artifacts.find((artifact) => artifact.key === 'benchmark_adapter_report')!.value as {
    hiddenFiles: { path: string }[];
    searchLimits: unknown;
  };
  expect(report.hiddenFiles.map((file) => file.path)).toEqual([
    'data/arrays.json',
    'data/columns.json',
    'data/points.csv',
    'data/pretty.json',
    'data/renamed.txt',
    'data/rows.py',
  ]);
  expect(report.searchLimits).toEqual({
    notSearched: [{ path: 'data/packed.npz', reason: 'its arrays cannot be read' }],
    notSearchedCount: 1,
    byHashOnly: false,
  });
  const text = await readFile(
    join(daemon.home, 'quests', plan.questId, 'documents', `benchmark-${plan.id}.md`),
    'utf8',
  );
  expect(text).toContain('data/rows.py was hidden from the run'.replace('_', '\\_'));
  expect(text).toContain('data/packed.npz was not searched for copies of the data');
  expect(result.report).not.toBeNull();
});

test('an entry point that is defined among the rows of the data set ships its answers, and nothing runs', async () => {
  verifies('benchmark.labels-in-entry-point');
  const repository = join(folder.path, 'ships-data-in-code');
  await writeTree(repository, { 'model.py': `${tuples}\n\n${lookUp}` });
  const { failure, plan } = await runBenchmark(daemon, { repository, data, target: 'label' });
  expect(failure).toBe('repository_holds_labels');
  const failed = plan.tasks.find((task) => task.status === 'failed')!;
  expect(failed.type).toBe('benchmark_adapter_generate');
  expect(failed.error!.message).toBe('model.py holds the data set with its labels');
  expect(failed.error!.hint).toContain('remove the rows from model.py');
  expect(plan.tasks.find((task) => task.type === 'benchmark_adapter_preflight')!.status).not.toBe('succeeded');
});

test('an entry point that needs a hidden file of the data set it ships fails with its name', async () => {
  verifies('benchmark.labels-in-entry-point');
  const repository = join(folder.path, 'ships-data-in-module');
  await writeTree(repository, { 'answers.py': tuples, 'model.py': `from answers import ROWS\n\n\n${lookUp}` });
  const { failure, plan } = await runBenchmark(daemon, { repository, data, target: 'label' });
  expect(failure).toBe('adapter_failed');
  expect(plan.tasks.find((task) => task.status === 'failed')!.error!.why).toContain(
    'these files hold the data with its labels and were hidden from it: answers.py',
  );
});

test('a repository that brings files of an earlier run gains nothing', async () => {
  verifies('traps.shipped-results');
  const repository = join(folder.path, 'ships-results');
  await mkdir(repository);
  await writeTree(repository, {
    ...thresholdRepo,
    '.scholar/benchmark/run/predictions.jsonl': '{"row_index": 0, "prediction": "high"}\n',
    '.scholar/benchmark/adapter.py': 'raise SystemExit(0)\n',
  });
  const { failure, result } = await runBenchmark(daemon, { repository, data, target: 'label' });
  expect(failure).toBeNull();
  expect(result.metrics['accuracy']).toBe(56 / 60);
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 20) {
    if (await condition().catch(() => false)) return;
    await sleep(20);
  }
  throw new Error('it did not come to that within 60 s');
}
