import { appendFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { temporaryFolder, verifies } from '@assay/testkit';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ROW_BYTES, RowIndex, searchRows } from '../src/index.ts';

/** The rows of a whole text, told in the plainest way: lines, cut into pieces that end between characters. */
function rowsOf(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop()!;
  const rows = lines.flatMap((line) => pieces(line, ROW_BYTES - 1).map((row) => row));
  return last === '' ? rows : [...rows, ...pieces(last, ROW_BYTES)];
}

/** A line whose newline still fits is one row; else pieces of at most `ROW_BYTES`, and the rest. */
function pieces(line: string, fits: number): string[] {
  let rest = Buffer.from(line);
  const found: string[] = [];
  while (rest.length > fits) {
    let end = ROW_BYTES;
    while ((rest[end] ?? 0) >> 6 === 2) end -= 1;
    found.push(rest.subarray(0, end).toString());
    rest = rest.subarray(end);
  }
  return [...found, rest.toString()];
}

const word = fc.constantFrom(
  'rows',
  'Rows',
  'done',
  '进度',
  'é',
  '\u001b[31mred\u001b[0m',
  ' ',
  'x'.repeat(5000),
  '😀',
);
const line = fc.array(word, { maxLength: 6 }).map((words) => words.join(''));
const parts = fc.array(
  fc.array(line, { minLength: 1, maxLength: 300 }).map((lines) => lines.join('\n')),
  {
    minLength: 1,
    maxLength: 4,
  },
);

it('rows of a growing file are found by number, whatever is in them and wherever it was read in between', async () => {
  verifies('log.rows-by-number');
  await using folder = await temporaryFolder('assay-rows');
  let count = 0;
  await fc.assert(
    fc.asyncProperty(parts, fc.nat(1500), async (texts, from) => {
      const file = join(folder.path, `log-${(count += 1)}`);
      const index = new RowIndex(file);
      expect(await index.count()).toEqual({ rows: 0, bytes: 0 });
      await writeFile(file, '');
      let whole = '';
      for (const text of texts) {
        await appendFile(file, text);
        whole += text;
        expect(await index.count()).toEqual({ rows: rowsOf(whole).length, bytes: Buffer.byteLength(whole) });
      }
      const rows = rowsOf(whole);
      const at = from % (rows.length + 1);
      const read = await index.read(at, 100);
      expect(read).toEqual(rows.slice(at, at + read.length));
      expect(read.length).toBeGreaterThanOrEqual(Math.min(100, rows.length - at, 1));
    }),
    { numRuns: 60, seed: 4 },
  );
});

it('a search names the rows in which a text stands, without case unless it has capitals, and not inside escapes', async () => {
  verifies('log.search');
  await using folder = await temporaryFolder('assay-rows');
  let count = 0;
  await fc.assert(
    fc.asyncProperty(parts, fc.constantFrom('rows', 'Rows', '31m', 'red', '进度', 'x😀'), async (texts, needle) => {
      const file = join(folder.path, `log-${(count += 1)}`);
      const whole = texts.join('\n');
      await writeFile(file, whole);
      const expected = rowsOf(whole).flatMap((row, at) => {
        const shown = stripVTControlCharacters(row);
        const text = needle === needle.toLowerCase() ? shown.replaceAll(/[A-Z]/g, (c) => c.toLowerCase()) : shown;
        return text.includes(needle) ? [at] : [];
      });
      const hits = await searchRows(file, needle, { limitMs: 60_000 });
      expect(hits).toMatchObject({ total: expected.length, rows: expected, complete: true });
    }),
    { numRuns: 60, seed: 9 },
  );
});

it('a search can be canceled, and ends by itself when its time is over', async () => {
  verifies('log.search');
  await using folder = await temporaryFolder('assay-rows');
  const file = join(folder.path, 'log');
  await writeFile(file, 'a line of output\n'.repeat(200_000));
  const stop = new AbortController();
  stop.abort(new Error('the person typed on'));
  await expect(searchRows(file, 'line', { limitMs: 60_000, signal: stop.signal })).rejects.toThrow('typed on');
  const short = await searchRows(file, 'line', { limitMs: 0 });
  expect(short.complete).toBe(false);
  expect(short.searchedRows).toBeLessThan(200_000);
  expect(short.total).toBe(short.searchedRows);
  const all = await searchRows(file, 'line', { limitMs: 60_000 });
  expect(all).toMatchObject({ total: 200_000, complete: true });
  expect(all.rows).toHaveLength(10_000);
});

it('a file that was cut or replaced is counted from its beginning', async () => {
  verifies('log.followed');
  await using folder = await temporaryFolder('assay-rows');
  const file = join(folder.path, 'log');
  await writeFile(file, 'before\n'.repeat(1000));
  const index = new RowIndex(file);
  expect((await index.count()).rows).toBe(1000);
  await writeFile(file, 'cut\n');
  expect(await index.count()).toEqual({ rows: 1, bytes: 4 });
  const other = join(folder.path, 'other');
  await writeFile(other, 'replaced\n'.repeat(2000));
  await rename(other, file);
  expect((await index.count()).rows).toBe(2000);
  expect(await index.read(1999, 5)).toEqual(['replaced']);
  await rm(file);
  expect(await index.count()).toEqual({ rows: 0, bytes: 0 });
});
