import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, temporaryFolder, verifies, type TemporaryFolder, type TestDaemon } from '@assay/testkit';
import type { Artifact } from '@assay/contracts';
import { sha256Text } from '@assay/files';
import { verifyOffline, fsck } from '@assay/engine/offline';
import { runBenchmark, type FinishedBenchmark } from './support/benchmark.ts';
import { pointsCsv, thresholdRepo, writeTree } from './support/fixtures.ts';

let daemon: TestDaemon;
let folder: TemporaryFolder;
let done: FinishedBenchmark;

beforeAll(async () => {
  folder = await temporaryFolder();
  daemon = await startTestDaemon();
  await writeTree(join(folder.path, 'repo'), thresholdRepo);
  await writeFile(join(folder.path, 'points.csv'), pointsCsv());
  done = await runBenchmark(daemon, {
    repository: join(folder.path, 'repo'),
    data: join(folder.path, 'points.csv'),
    target: 'label',
  });
});

afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

describe('a benchmark of a small repository', () => {
  test('completes all eleven tasks and verifies every number', () => {
    verifies('benchmark.end-to-end', 'benchmark.eleven-tasks');
    expect(done.failure).toBeNull();
    expect(done.plan.status).toBe('completed');
    expect(done.plan.tasks.map((task) => task.type)).toEqual([
      'dataset_profile',
      'repo_discovery',
      'repo_prepare',
      'benchmark_adapter_generate',
      'resolve_dependencies',
      'prepare_runtime',
      'install_dependencies',
      'benchmark_adapter_preflight',
      'benchmark_execute',
      'benchmark_validate',
      'benchmark_report',
    ]);
    // 60 rows, of which i = 0, 15, 30, 45 are on the wrong side
    expect(done.result.metrics['accuracy']).toBe(56 / 60);
    expect(done.result.verified.ok).toBe(done.result.verified.total);
    expect(done.result.verified.total).toBeGreaterThan(4);
    expect(Object.values(done.result.probes).map((probe) => probe.passed)).toEqual([true, true, true, true]);
  });

  test('the report shows the numbers as links to their evidence', async () => {
    verifies('report.numbers-are-references');
    const text = await readFile(done.result.report!, 'utf8');
    expect(text).toMatch(/\[0\.9333\]\(\.\.\/evidence\/ev_[0-9A-Z]{26}\.json\)/);
    const report = (await daemon.client.listArtifacts({ quest: done.plan.questId })).artifacts.find(
      (a) => a.key === 'evaluation_report',
    )!;
    const source = await (
      await daemon.client.artifactContent({ quest: done.plan.questId, artifact: report.id })
    ).text();
    expect(source).toContain('{{ev:ev_');
    expect(source).not.toContain('0.9333');
  });

  test('fsck notes a report whose words were edited', async () => {
    verifies('fsck.unclaimed');
    const text = await readFile(done.result.report!, 'utf8');
    expect((await fsck(daemon.home)).findings).toEqual([]);
    await writeFile(done.result.report!, text.replace('# Benchmark', '# A better benchmark'));
    const { ok, findings } = await fsck(daemon.home);
    await writeFile(done.result.report!, text);
    expect([ok, findings.map(({ severity }) => severity)]).toEqual([true, ['note']]);
    expect(findings[0]!.message).toContain(`documents/benchmark-${done.plan.id}.md was edited`);
  });

  /** What verification says while a file of the quest has other bytes, or none; the file is put back. */
  async function whileChanged(
    path: string,
    change: ((text: string) => string) | undefined,
    look: () => Promise<void> = () => Promise.resolve(),
  ) {
    const before = await readFile(path, 'utf8');
    if (change === undefined) await rm(path);
    else await writeFile(path, change(before));
    try {
      if (change !== undefined) expect(await readFile(path, 'utf8')).not.toBe(before);
      const offline = await verifyOffline(daemon.home, done.plan.id);
      expect(await daemon.client.verifyPlan({ plan: done.plan.id })).toEqual(offline);
      await look();
      return offline;
    } finally {
      await writeFile(path, before);
    }
  }

  async function artifact(key: string): Promise<Artifact> {
    const { artifacts } = await daemon.client.listArtifacts({ quest: done.plan.questId });
    return artifacts.find((one) => one.key === key)!;
  }

  const recordOf = ({ id, type }: Artifact) =>
    join(daemon.home, 'quests', done.plan.questId, 'artifacts', type, `${id}.json`);
  const inQuest = (path: string) => relative(join(daemon.home, 'quests', done.plan.questId), path);

  async function fsckDamage() {
    const { ok, findings } = await fsck(daemon.home);
    expect([ok, findings.some(({ severity }) => severity === 'damage')]).toEqual([false, true]);
  }

  test('a report that is not byte for byte what was written, or is gone, is not confirmed', async () => {
    verifies('verify.report-as-written');
    const report = done.result.report!;
    const [first] = (await daemon.client.listEvidence({ quest: done.plan.questId })).evidence;
    const named = {
      evidenceId: first!.id,
      claimed: null,
      recomputed: first!.value,
      source: `documents/benchmark-${done.plan.id}.md`,
    };
    const { total } = done.result.verified;
    for (const change of [
      (text: string) => `${text}\n0.9999\n`,
      (text: string) => text.replace('# Benchmark', 'The accuracy is 0.9999.\n\n# Benchmark'),
      (text: string) => text.replace('[0.9333](', '0.9999 [0.9333]('),
    ])
      expect(await whileChanged(report, change)).toEqual({
        ok: total - 1,
        total,
        mismatches: [{ ...named, reason: 'source_changed' }],
      });
    expect(await whileChanged(report, undefined)).toEqual({
      ok: total - 1,
      total,
      mismatches: [{ ...named, reason: 'source_missing' }],
    });
    expect((await verifyOffline(daemon.home, done.plan.id)).mismatches).toEqual([]);
  });

  test('a pre-registration or a check that was changed, or is gone, confirms no number', async () => {
    verifies('verify.pre-registration');
    const { artifacts } = await daemon.client.listArtifacts({ quest: done.plan.questId });
    const { total } = done.result.verified;
    for (const [key, change] of [
      ['preregistration', (text: string) => text.replace(/"seed": \d+/, '"seed": 99')],
      ['preregistration', (text: string) => text.replace('"accuracy"', '"other"')],
      ['benchmark_validation_report', (text: string) => text.replace('"passed": true', '"passed": false')],
      ['preregistration', undefined],
    ] as const) {
      const { id, type } = artifacts.find((one) => one.key === key)!;
      const source = `artifacts/${type}/${id}.json`;
      const found = await whileChanged(join(daemon.home, 'quests', done.plan.questId, source), change);
      expect([found.ok, found.mismatches.length]).toEqual([0, total]);
      expect(found.mismatches[0]).toMatchObject({
        source,
        reason: change === undefined ? 'source_missing' : 'source_changed',
      });
    }
  });

  test('a report that was edited together with its record is not confirmed, and fsck finds it', async () => {
    verifies('verify.records', 'fsck.records');
    const report = done.result.report!;
    const text = await readFile(report, 'utf8');
    const edited = text.replace('# Benchmark', '# The best benchmark');
    const record = recordOf(await artifact('evaluation_report'));
    await writeFile(report, edited);
    const found = await whileChanged(record, (json) => json.replace(sha256Text(text), sha256Text(edited)), fsckDamage);
    await writeFile(report, text);
    expect(found.ok).toBe(0);
    expect(found.mismatches[0]).toMatchObject({ source: inQuest(record), reason: 'source_changed' });
  });

  test('whatever a record says beside its content is held by the journal: no field can be changed', async () => {
    verifies('verify.records', 'fsck.records');
    const { total } = done.result.verified;
    const report = await artifact('evaluation_report');
    const fields = Object.keys(JSON.parse(await readFile(recordOf(report), 'utf8')) as object);
    expect(fields).toEqual(expect.arrayContaining(['producer', 'evidence', 'metadata', 'key', 'size', 'mediaType']));
    const manifest = await artifact('dataset_manifest');
    for (const [one, field, value] of [
      [report, 'key', 'other_report'],
      [report, 'producer', { ...report.producer, attempt: 9 }],
      [report, 'evidence', []],
      [report, 'metadata', { ...report.metadata, rendered: 'documents/other.md' }],
      [report, 'metadata', {}],
      [manifest, 'metadata', {}],
    ] as const) {
      const change = (json: string) => JSON.stringify({ ...(JSON.parse(json) as object), [field]: value }, null, 2);
      const found = await whileChanged(recordOf(one), change, fsckDamage);
      expect(found.ok, `${one.key}: ${field}`).toBeLessThan(total);
    }
  });

  test('a copy of a record under another type is not read instead of it', async () => {
    verifies('verify.records');
    const report = await artifact('evaluation_report');
    const copy = join(daemon.home, 'quests', done.plan.questId, 'artifacts/code', `${report.id}.json`);
    await mkdir(dirname(copy), { recursive: true });
    await writeFile(copy, JSON.stringify({ ...report, metadata: { rendered: 'documents/other.md' } }));
    const { ok, findings } = await fsck(daemon.home);
    const { mismatches } = await verifyOffline(daemon.home, done.plan.id);
    const shown = await daemon.client.planResult({ plan: done.plan.id });
    await rm(copy);
    expect([ok, findings.map(({ severity }) => severity), mismatches]).toEqual([true, ['note'], []]);
    expect(shown.report).toBe(done.result.report);
  });

  test('fsck finds an evidence record that was edited', async () => {
    verifies('fsck.evidence');
    const [first] = (await daemon.client.listEvidence({ quest: done.plan.questId })).evidence;
    const record = join(daemon.home, 'quests', done.plan.questId, 'evidence', `${first!.id}.json`);
    const text = await readFile(record, 'utf8');
    await writeFile(record, text.replace('"statement": "', '"statement": "best ever '));
    const { ok, findings } = await fsck(daemon.home);
    await writeFile(record, text);
    expect([ok, findings.map(({ severity }) => severity)]).toEqual([false, ['damage']]);
    expect(findings[0]!.message).toContain(`evidence ${first!.id}: its record was changed`);
  });

  test('labels never reach the sandbox: no file that a session could see has the target column', async () => {
    verifies('benchmark.labels-withheld');
    const attempt = join(
      daemon.home,
      'quests',
      done.plan.questId,
      '.assay/plans',
      done.plan.id,
      'tasks/benchmark_adapter_generate/attempt-1/data',
    );
    const rows = (await readFile(join(attempt, 'dataset.jsonl'), 'utf8')).trim().split('\n');
    expect(rows).toHaveLength(60);
    const handedOut = rows.map((row) => JSON.parse(row) as Record<string, unknown>);
    expect(handedOut.find(({ x, y }) => x === 1.1 && y === 4)).toEqual({ row_index: expect.any(Number), x: 1.1, y: 4 });
    expect(handedOut.map(({ row_index }) => row_index)).toEqual([...handedOut.keys()]);
    const places = handedOut.map(({ x }) =>
      pointsCsv()
        .split('\n')
        .findIndex((line) => line.startsWith(`${String(x)},`)),
    );
    expect(places).not.toEqual(places.toSorted((a, b) => a - b)); // in an order of their own
  });

  test('verification finds what was tampered with, and says why', async () => {
    verifies('verify.tampering', 'verify.offline');
    const quest = join(daemon.home, 'quests', done.plan.questId);
    const whole = await verifyOffline(daemon.home, done.plan.id);
    expect(whole.mismatches).toEqual([]);

    const data = join(folder.path, 'points.csv');
    await writeFile(data, pointsCsv().replace('high', 'low'));
    const changed = await verifyOffline(daemon.home, done.plan.id);
    expect(changed.ok).toBe(0);
    expect(new Set(changed.mismatches.map((m) => m.reason))).toEqual(new Set(['source_changed']));
    await writeFile(data, pointsCsv());

    const evidence = (await daemon.client.listEvidence({ quest: done.plan.questId })).evidence.find(
      (e) => e.metric === 'accuracy',
    )!;
    const record = join(quest, 'evidence', `${evidence.id}.json`);
    const text = await readFile(record, 'utf8');
    await writeFile(record, text.replace(/"value": [\d.]+/, '"value": 0.99'));
    const forged = await verifyOffline(daemon.home, done.plan.id);
    expect(forged.mismatches).toEqual([
      {
        evidenceId: evidence.id,
        claimed: 0.99,
        recomputed: 56 / 60,
        source: expect.stringContaining('predictions.jsonl') as string,
        reason: 'mismatch',
      },
    ]);
    // What is not a number is held by the hash in the journal.
    await writeFile(record, text.replace('"statement": "', '"statement": "best ever '));
    expect((await verifyOffline(daemon.home, done.plan.id)).mismatches).toMatchObject([
      { evidenceId: evidence.id, source: `evidence/${evidence.id}.json`, reason: 'source_changed' },
    ]);
    await writeFile(record, '{');
    expect((await verifyOffline(daemon.home, done.plan.id)).mismatches).toMatchObject([
      { evidenceId: evidence.id, claimed: 56 / 60, recomputed: null, reason: 'source_changed' },
    ]);
    await rm(record);
    const gone = await verifyOffline(daemon.home, done.plan.id);
    expect(gone.mismatches).toMatchObject([{ evidenceId: evidence.id, claimed: 56 / 60, reason: 'source_missing' }]);
    expect(gone.total).toBe(whole.total);
    await writeFile(record, text);

    const shown = await readFile(done.result.report!, 'utf8');
    await writeFile(done.result.report!, shown.replace('[0.9333]', '[0.9933]'));
    expect((await verifyOffline(daemon.home, done.plan.id)).mismatches).toMatchObject([
      { evidenceId: evidence.id, claimed: 0.9933, recomputed: 56 / 60, reason: 'mismatch' },
    ]);
    await writeFile(done.result.report!, shown);

    const metrics = (await daemon.client.listArtifacts({ quest: done.plan.questId })).artifacts.find(
      (a) => a.key === 'benchmark_metrics',
    )!;
    const table = join(quest, 'artifacts/metrics', `${metrics.id}.json`);
    const tableText = await readFile(table, 'utf8');
    await writeFile(table, tableText.replace('"accuracy": 0.9', '"accuracy": 0.99'));
    expect((await verifyOffline(daemon.home, done.plan.id)).ok).toBe(0);
    expect((await daemon.client.planResult({ plan: done.plan.id })).metrics['accuracy']).toBe(56 / 60);
    await writeFile(table, tableText);

    const predictions = (await daemon.client.listArtifacts({ quest: done.plan.questId })).artifacts.find(
      (a) => a.key === 'benchmark_predictions',
    )!;
    const file = join(quest, predictions.path!);
    const content = await readFile(file, 'utf8');
    await writeFile(file, content.replace('"high"', '"low"'));
    expect((await verifyOffline(daemon.home, done.plan.id)).mismatches[0]!.reason).toBe('source_changed');
    expect((await fsck(daemon.home)).findings.map((finding) => finding.message)).toEqual([
      expect.stringContaining(`artifact ${predictions.id} (benchmark_predictions): its file`) as string,
    ]);
    await writeFile(file, content);
    expect(await fsck(daemon.home)).toEqual({ ok: true, findings: [] });
  });

  test('the quest is committed to git when the plan has ended', async () => {
    verifies('quests.committed-after-plan');
    const { events } = await daemon.client.questEvents({ quest: done.plan.questId, query: { limit: 1000 } });
    const types = (events as { type: string }[]).map((event) => event.type);
    expect(types.at(-1)).toBe('git.committed');
    expect(types.indexOf('plan.completed')).toBeLessThan(types.indexOf('git.committed'));
  });

  test('training rows are given with labels, the evaluated rows are others', async () => {
    verifies('benchmark.trained-on-training-rows');
    await writeTree(join(folder.path, 'nearest'), {
      'nearest_mean.py': `class NearestMeanClassifier:
    """Predicts the label whose training rows have the nearest mean of x."""

    def fit(self, rows, labels):
        groups = {}
        for row, label in zip(rows, labels):
            groups.setdefault(label, []).append(row["x"])
        self.means = {label: sum(xs) / len(xs) for label, xs in groups.items()}
        return self

    def predict(self, rows):
        return [min(sorted(self.means), key=lambda label: abs(self.means[label] - row["x"])) for row in rows]
`,
    });
    const trained = await runBenchmark(daemon, {
      repository: join(folder.path, 'nearest'),
      data: join(folder.path, 'points.csv'),
      target: 'label',
    });
    expect(trained.failure).toBeNull();
    const data = join(
      daemon.home,
      'quests',
      trained.plan.questId,
      '.assay/plans',
      trained.plan.id,
      'tasks/benchmark_adapter_generate/attempt-1/data',
    );
    const indexes = async (name: string) =>
      (await readFile(join(data, name), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { row_index: number }).row_index);
    const [test, train] = [await indexes('dataset.jsonl'), await indexes('train.jsonl')];
    expect([...test, ...train].sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i));
    expect(test.length).toBe(18);
  });

  test('predictions are published, and a failing row is told, under the rows of the data file', async () => {
    verifies('evaluation.rows-of-the-file');
    const points = pointsCsv().trimEnd().split('\n').slice(1);
    const { artifacts } = await daemon.client.listArtifacts({ quest: done.plan.questId });
    const { path } = artifacts.find((a) => a.producer.plan === done.plan.id && a.key === 'benchmark_predictions')!;
    const lines = (await readFile(join(daemon.home, 'quests', done.plan.questId, path!), 'utf8')).trim().split('\n');
    const published = lines.map((line) => JSON.parse(line) as { row_index: number; prediction: string });
    expect(published.map(({ row_index }) => row_index).sort((a, b) => a - b)).toEqual([...points.keys()]);
    for (const { row_index, prediction } of published)
      expect(prediction).toBe(Number(points[row_index]!.split(',')[0]) > 5 ? 'high' : 'low');

    const [x, y] = points[41]!.split(',');
    const fails = `    if row["x"] == ${x} and row["y"] == ${y}:\n        raise ValueError("no such point")\n`;
    const code = thresholdRepo['threshold.py']!.replace('    return', `${fails}    return`);
    const { plan, failure } = await runBenchmark(daemon, {
      repository: await writeTree(join(folder.path, 'fails-once'), { 'threshold.py': code }),
      data: join(folder.path, 'points.csv'),
      target: 'label',
    });
    expect(failure).toBe('adapter_failed');
    expect(JSON.stringify(plan.tasks)).toContain('is row 41 of the data file');
  });

  test('the same run gives the same numbers', async () => {
    verifies('benchmark.reproducible');
    const again = await runBenchmark(daemon, {
      repository: join(folder.path, 'repo'),
      data: join(folder.path, 'points.csv'),
      target: 'label',
    });
    expect(again.result.metrics).toEqual(done.result.metrics);
    expect(again.result.intervals).toEqual(done.result.intervals);
  });
});
