import { appendFile, copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { readProfile } from '@assay/evaluation';
import { DataProfiles } from '../src/index.ts';

const never = new AbortController().signal;

/** Milliseconds of one call. */
async function timed<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const began = performance.now();
  return [await work(), performance.now() - began];
}

test('another target is answered without reading the file again; a changed file is read', async () => {
  verifies('data.preview-read-once');
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'rows.csv');
  await writeFile(
    path,
    `a,b,kind\n${Array.from({ length: 200_000 }, (_, i) => `${i % 97},${i % 89},k${i % 3}`).join('\n')}\n`,
  );
  let reads = 0;
  const profiles = new DataProfiles((...asked) => {
    reads += 1;
    return readProfile(...asked);
  });
  const first = await profiles.preview(path, { path }, never);
  expect(first.manifest.targetColumn).toBe('kind');
  const second = await profiles.preview(path, { path, target: 'a' }, never);
  expect(second.manifest).toMatchObject({
    targetColumn: 'a',
    suggestedTask: 'regression',
    sha256: first.manifest.sha256,
  });
  expect(reads).toBe(1);
  const copy = join(folder.path, 'copy.csv');
  await copyFile(path, copy);
  const copied = await profiles.preview(copy, { path: copy }, never);
  expect(copied.manifest).toMatchObject({ name: 'copy.csv', path: copy, sha256: first.manifest.sha256 });
  await appendFile(path, '1,1,k9\n');
  expect((await profiles.preview(path, { path }, never)).manifest.rowCount).toBe(200_001);
});

test('a preview that nobody waits for stops, and the next one is answered', async () => {
  verifies('data.preview-stops');
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'rows.csv');
  await writeFile(path, `a,kind\n${'1,x\n2,y\n'.repeat(1_000_000)}`);
  const profiles = new DataProfiles();
  const stop = new AbortController();
  const [outcome, ms] = await timed(async () => {
    const reading = profiles.preview(path, { path }, stop.signal).then(
      () => 'read',
      (error: unknown) => error,
    );
    setTimeout(() => stop.abort(new Error('gone')), 5);
    return reading;
  });
  expect(outcome).toEqual(new Error('gone'));
  const [whole, all] = await timed(() => profiles.preview(path, { path }, never));
  expect(whole.manifest.rowCount).toBe(2_000_000);
  expect(ms).toBeLessThan(all);
});
