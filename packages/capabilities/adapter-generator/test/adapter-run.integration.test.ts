import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { fixture, runFolder } from './support/python.ts';
import { flowers, flowersWithHole, messages, prices, type Table } from './support/tables.ts';

const flowersSha = '4eb3f5c7';

/** A one-file repository. */
async function runSource(source: string, table: Table) {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'pkg'));
  await writeFile(join(folder.path, 'pkg', 'model.py'), source);
  return await runFolder(join(folder.path, 'pkg'), table);
}

describe('what the adapter writes', () => {
  it('says in the run manifest what it did', async () => {
    verifies('adapter.protocol-files');
    const run = await runFolder(fixture('row-function'), flowers);
    expect(run.manifest).toEqual({
      status: 'ok',
      dataset_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
      sample_count: 4,
      seed: 17,
      adapter: 'rules:predict',
      scores: false,
      load_seconds: expect.any(Number) as unknown,
    });
    expect(String(run.manifest?.['dataset_sha256']).slice(0, 8)).toBe(flowersSha);
    expect(run.predictions[1]).toEqual({ row_index: 1, prediction: 'long' });
  });

  it('predicts only the first rows when there is a limit, and hashes the whole file', async () => {
    const run = await runFolder(fixture('row-function'), flowers, { limit: 2 });
    expect(run.predictions.map((line) => line.row_index)).toEqual([0, 1]);
    expect(run.manifest).toMatchObject({ sample_count: 2 });
    expect(String(run.manifest?.['dataset_sha256']).slice(0, 8)).toBe(flowersSha);
  });

  it('keeps what the repository prints out of its own output', async () => {
    verifies('adapter.protocol-files');
    const run = await runFolder(fixture('noisy'), flowers);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain('loading the model ...');
    expect(run.stderr).toContain('forged');
    expect(run.predictions[0]).toEqual({ row_index: 0, prediction: 'round' });
  });

  it('writes probabilities in the order of the labels', async () => {
    verifies('adapter.scores');
    const run = await runFolder(fixture('proba-list'), flowers);
    expect(run.predictions.map((line) => line.score)).toEqual([
      { long: 0.25, round: 0.75 },
      { long: 0.75, round: 0.25 },
      { long: 0.25, round: 0.75 },
      { long: 0.75, round: 0.25 },
    ]);
  });

  it('leaves probabilities out when they do not sum to one', async () => {
    verifies('adapter.scores');
    const run = await runFolder(fixture('proba-broken'), flowers);
    expect(run.predictions).toHaveLength(4);
    expect(run.predictions.every((line) => line.score === undefined)).toBe(true);
    expect(run.manifest).toMatchObject({ scores: false });
  });

  it('takes a distribution as prediction and score', async () => {
    const run = await runFolder(fixture('result-distribution'), messages);
    expect(run.predictions[2]).toEqual({ row_index: 2, prediction: 'pos', score: { pos: 0.75, neg: 0.25 } });
  });

  it('is seeded', async () => {
    verifies('adapter.seeded');
    const first = await runFolder(fixture('seeded'), flowers);
    const again = await runFolder(fixture('seeded'), flowers);
    const other = await runFolder(fixture('seeded'), flowers, { seed: 18 });
    expect(again.predictions).toEqual(first.predictions);
    expect(other.predictions).not.toEqual(first.predictions);
  });

  it('fills a missing number with the mean over the training rows and counts it', async () => {
    verifies('adapter.missing-values');
    const run = await runFolder(fixture('vector-batch'), flowersWithHole);
    expect(run.predictions.map((line) => line.prediction)).toEqual(['round', 'long', 'round', 'long']);
    expect(run.manifest).toMatchObject({ missing_numbers_filled: 1 });
  });
});

describe('what ends an adapter', () => {
  const failures: readonly (readonly [name: string, table: Table, message: string])[] = [
    ['fails-on-a-row', flowers, 'row 2: ZeroDivisionError: float division by zero at '],
    ['returns-nan', prices, 'row 1: the prediction is nan'],
    ['loses-rows', flowers, 'model:predict gave 2 results for 4 rows'],
    ['returns-none', flowers, 'row 0: the prediction is None (NoneType), not a label'],
    ['exits', flowers, 'SystemExit: 0 at '],
    ['vector-function', flowersWithHole, 'row 1 has no value in petal_width, and nothing says what it should be'],
  ];
  it.each(failures)('%s', async (name, table, message) => {
    verifies('adapter.fails-clearly');
    const run = await runFolder(fixture(name), table);
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain(`adapter: ${message}`);
    expect(run.predictions).toEqual([]);
    expect(run.manifest).toBeUndefined();
  });

  it('a text where a number is expected', async () => {
    verifies('adapter.fails-clearly');
    const run = await runSource('def predict(size):\n    return "n/a" if size > 50 else 2.0 * size\n', prices);
    expect(run.stderr).toContain("row 1: the prediction is 'n/a' (str), not a number");
    expect(run.exitCode).toBe(1);
  });

  it('an error in the repository names its file and line', async () => {
    const run = await runSource('def predict(row):\n    return row["petal_length"].lower()\n', flowers);
    expect(run.stderr).toMatch(/row 0: AttributeError: .* at .*\/model\.py:2/);
  });
});
