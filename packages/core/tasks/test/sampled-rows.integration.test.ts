import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { profileDataset } from '@assay/evaluation';
import { temporaryFolder, verifies } from '@assay/testkit';
import { sampledRows } from '../src/sampled-rows.ts';

async function sampleOf(rows: readonly string[]) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'data.csv');
  await writeFile(path, `x,y,label\n${rows.join('\n')}\n`);
  const manifest = await profileDataset(path, { target: 'label' });
  return await sampledRows(manifest, new AbortController().signal);
}

test('the rows that tell most are sampled from all over the file, always with their target', async () => {
  verifies('benchmark.copies-found');
  const sampled = await sampleOf(
    Array.from({ length: 1000 }, (_, i) => (i % 10 === 7 ? `${i}.5,12,label${i}` : `${i % 3},1,2`)),
  );
  expect(sampled).toHaveLength(50);
  expect(sampled[0]!.tokens).toEqual([7.5, 12, 'label7']);
  expect(sampled.at(-1)!.tokens[0]).toBeGreaterThan(970);
});

test('equal rows count once, rows without a target or too plain do not count', async () => {
  verifies('benchmark.search-limits-said');
  const sampled = await sampleOf(['12,13,yes', '12.0,13,yes', '14,15,', '1,2,3', '16,16,no', '17,18,no']);
  expect(sampled.map(({ tokens }) => tokens)).toEqual([
    [12, 13, 'yes'],
    [17, 18, 'no'],
  ]);
});
