import { execFileSync } from 'node:child_process';
import { appendFile, readdir, readlink } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { DataFile } from '../src/data/data-file.ts';
import { profileDataset } from '../src/index.ts';
import { dataFile } from './data-files.ts';

/** More than three chunks, each byte of which depends on its place. */
const content = Buffer.from(Array.from({ length: 900_001 }, (_, i) => 97 + ((i * 31 + (i >> 8)) % 26)));

async function isOpen(path: string): Promise<boolean> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.includes(path);
}

describe('a data file', () => {
  test('is handed out whole, and hashed, while the next chunk is read', async () => {
    verifies('evaluation.read-ahead');
    await using data = await dataFile('a.csv', content);
    await using file = await DataFile.open(data.path);
    const parts: Buffer[] = [];
    for (;;) {
      const chunk = await file.next(undefined);
      if (chunk.length === 0) break;
      const before = Buffer.from(chunk);
      await new Promise((resolve) => setTimeout(resolve, 5)); // the read that is under way ends
      expect(chunk.equals(before)).toBe(true);
      parts.push(before);
    }
    expect(parts.length).toBeGreaterThan(2);
    expect(Buffer.concat(parts).equals(content)).toBe(true);
    expect(await file.finish()).toBe(execFileSync('sha256sum', [data.path], { encoding: 'utf8' }).slice(0, 64));
  });

  test('that grows between two chunks has changed', async () => {
    verifies('evaluation.read-ahead');
    await using data = await dataFile('a.csv', content);
    await using file = await DataFile.open(data.path);
    await file.next(undefined);
    await appendFile(data.path, 'more');
    while ((await file.next(undefined)).length > 0);
    await expect(file.finish()).rejects.toMatchObject({ code: 'dataset_changed' });
  });

  test('is closed, and nothing else fails, when a pass is aborted with a read under way', async () => {
    verifies('evaluation.read-ahead', 'evaluation.abort');
    await using data = await dataFile('a.csv', content);
    const abort = new AbortController();
    {
      await using file = await DataFile.open(data.path);
      await file.next(abort.signal);
      expect(await isOpen(data.path)).toBe(true);
      abort.abort(new Error('enough'));
      await expect(file.next(abort.signal)).rejects.toThrow('enough');
    }
    expect(await isOpen(data.path)).toBe(false);
  });

  test('is not profiled to its end when the profile is aborted', async () => {
    verifies('evaluation.abort');
    const rows = `a,b\n${'1234567890,abcdefghij\n'.repeat(400_000)}`;
    await using data = await dataFile('a.csv', rows);
    const abort = new AbortController();
    const running = profileDataset(data.path, { signal: abort.signal });
    setTimeout(() => abort.abort(new Error('enough')), 5);
    await expect(running).rejects.toThrow('enough');
    expect(await isOpen(data.path)).toBe(false);
  });
});
