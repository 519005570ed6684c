import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDaemon, temporaryFolder, verifies, type TemporaryFolder, type TestDaemon } from '@assay/testkit';
import { verifyOffline } from '@assay/engine/offline';
import { finishBenchmark } from './support/benchmark.ts';
import { pointsCsv, thresholdRepo, writeTree } from './support/fixtures.ts';

let daemon: TestDaemon;
let folder: TemporaryFolder;
let repository: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  daemon = await startTestDaemon();
  repository = join(folder.path, 'repo');
  await writeTree(repository, thresholdRepo);
});

afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

/** The points with a column of twelve sites, as packed UTF-16 with semicolons and a row that is too short. */
function awkward(): Buffer {
  const [header, ...rows] = pointsCsv().trim().split('\n');
  const lines = [`site,${header!}`, ...rows.map((row, i) => `s${i % 12},${row}`), 's1,3'];
  return gzipSync(Buffer.from(lines.join('\r\n').replaceAll(',', ';'), 'utf16le'));
}

test('a packed UTF-16 file with groups is benchmarked, and its numbers verify without a daemon', async () => {
  verifies('data.benchmark');
  const data = join(folder.path, 'points.csv.gz');
  await writeFile(data, awkward());
  const inputs = { repository, data, target: 'label', group: 'site', onRagged: 'drop-rows' as const };
  const { plan } = await daemon.client.createPlan({ body: { inputs } });
  await daemon.client.executePlan({ plan: plan.id });
  const { result, failure } = await finishBenchmark(daemon, plan.id);
  expect(failure).toBeNull();
  expect(result.metrics['accuracy']).toBe(56 / 60);
  expect(result.verified.ok).toBe(result.verified.total);
  const notes = result.notes!.join('\n');
  expect(notes).toMatch(/encoding found: utf-16le/);
  expect(notes).toMatch(/delimiter found: ";"/);
  expect(notes).toMatch(/1 rows have more or fewer cells than the header and are left out/);
  const report = await readFile(result.report!, 'utf8');
  expect(report).toContain('percentile bootstrap over whole groups of `site`');
  expect(report).toContain('Rows with more or fewer cells than the header were left out, as was asked for.');
  const offline = await verifyOffline(daemon.home, plan.id);
  expect(offline).toMatchObject({ ok: result.verified.total, mismatches: [] });
});

test('one answer brings up the next question, and the plan runs after the last', async () => {
  verifies('data.questions');
  const data = join(folder.path, 'bare.csv');
  await writeFile(data, pointsCsv().split('\n').slice(1).join('\n'));
  const { plan } = await daemon.client.createPlan({ body: { inputs: { repository, data } } });
  expect(plan.clarification).toMatchObject({ field: 'header', options: [{ value: 'absent' }, { value: 'present' }] });
  const asked = (await daemon.client.clarifyPlan({ plan: plan.id, body: { answer: 'absent' } })).plan;
  expect(asked).toMatchObject({ inputs: { header: 'absent' }, clarification: { field: 'target', answer: null } });
  const [last] = asked.clarification!.options.slice(-1);
  const clear = (await daemon.client.clarifyPlan({ plan: plan.id, body: { answer: last!.value } })).plan;
  expect(clear).toMatchObject({
    inputs: { header: 'absent', target: last!.value },
    clarification: { answer: last!.value },
  });
});
