import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { prepareData, profileDataset } from '../src/index.ts';

/** 60 MB of CSV with quoted line ends, ids and numbers of many values, written as a stream. */
async function largeFile(path: string, megabytes: number): Promise<number> {
  const stream = createWriteStream(path);
  stream.write('id,x,note,label\n');
  let rows = 0;
  for (let bytes = 0; bytes < megabytes * 1e6;) {
    let block = '';
    for (let i = 0; i < 2000; i += 1) {
      block += `${rows},${(rows * 0.37).toFixed(3)},"line one of ${rows % 977}\nline ""two"" of it",class ${rows % 7}\n`;
      rows += 1;
    }
    bytes += block.length;
    if (!stream.write(block)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
  return rows;
}

/** The largest resident set while `work` runs, above what it was before, in MB. */
async function growthOf<T>(work: Promise<T>): Promise<{ readonly value: T; readonly megabytes: number }> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  try {
    const value = await work;
    return { value, megabytes: (peak - before) / 1e6 };
  } finally {
    clearInterval(timer);
  }
}

describe('a file of 60 MB', () => {
  test('is profiled and divided without being held in memory', async () => {
    verifies('evaluation.constant-memory');
    await using folder = await temporaryFolder('assay-evaluation');
    const path = join(folder.path, 'large.csv');
    const rows = await largeFile(path, 60);
    const profile = await growthOf(profileDataset(path));
    expect(profile.value.rowCount).toBe(rows);
    expect(profile.value.columns.map(({ name, distinct, distinctExact }) => [name, distinct, distinctExact])).toEqual([
      ['id', 10_000, false],
      ['x', 10_000, false],
      ['note', 977, true],
      ['label', 7, true],
    ]);
    expect(profile.megabytes).toBeLessThan(50);
    const prepared = await growthOf(prepareData(profile.value, folder.path, { training: true, seed: 17 }));
    expect(prepared.value.handedOut.length + prepared.value.trainRows.length).toBe(rows);
    expect(prepared.megabytes).toBeLessThan(100);
  });
});
