import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { assertProperty, verifies } from '@assay/testkit';
import { CsvMachine } from '../src/data/csv-machine.ts';
import { naiveCsv } from './csv-naive.ts';

/** Cells that mean something to a CSV reader. */
const cell = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('', '"', '""', ',', ';', '\n', '\r\n', '\r', 'a"b', 'ä', '标签', '😀', '\t', ' '),
);

function written(rows: readonly (readonly string[])[], lineEnd: string, delimiter: string): string {
  const plain = new RegExp(`^[^"\\r\\n${delimiter}]+$`);
  const quote = (text: string) => (plain.test(text) ? text : `"${text.replaceAll('"', '""')}"`);
  return rows.map((row) => row.map(quote).join(delimiter)).join(lineEnd);
}

function read(bytes: Buffer, delimiter: string, cuts: readonly number[], capacity = 64): string[][] {
  const rows: string[][] = [];
  const machine = new CsvMachine(
    delimiter.charCodeAt(0),
    (row) => {
      rows.push(Array.from({ length: row.count }, (_, i) => row.bytes.toString('utf8', row.starts[i], row.ends[i])));
    },
    { capacity },
  );
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    machine.feed(bytes.subarray(from, cut));
    from = cut;
  }
  machine.finish();
  return rows;
}

const table = fc
  .integer({ min: 1, max: 4 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }));

describe('the CSV state machine', () => {
  test('reads back every table that was written, for every line end and delimiter', async () => {
    verifies('evaluation.csv-exact');
    await assertProperty(
      fc.asyncProperty(
        table,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.constantFrom(',', ';', '\t', '|'),
        fc.boolean(),
        async (rows, lineEnd, delimiter, lastLineEnd) => {
          const text = written(rows, lineEnd, delimiter) + (lastLineEnd ? lineEnd : '');
          expect(read(Buffer.from(text), delimiter, [])).toEqual(rows);
        },
      ),
      { name: 'csv-round-trip', test: import.meta.url, numRuns: 2000 },
    );
  });

  test('agrees with a naive reader on any text that both accept', async () => {
    verifies('evaluation.csv-exact');
    const soup = fc
      .array(fc.constantFrom('"', '"', ',', '\n', '\r', 'a', 'b', ' ', '1'), { maxLength: 40 })
      .map((parts) => parts.join(''));
    let compared = 0;
    await assertProperty(
      fc.asyncProperty(soup, async (text) => {
        let ours: string[][];
        try {
          ours = read(Buffer.from(text), ',', []);
        } catch (error) {
          expect(error).toMatchObject({ code: 'dataset_format' });
          return;
        }
        compared += 1;
        expect(ours).toEqual(naiveCsv(text, ','));
      }),
      { name: 'csv-naive', test: import.meta.url, numRuns: 5000 },
    );
    expect(compared).toBeGreaterThan(500);
  });

  test('gives the same rows wherever the chunks are cut, at every byte', () => {
    verifies('evaluation.csv-chunks');
    const text = 'a,"b ""q"" b",标签\r\n"x\r\ny",,"" \n'.replace('"" \n', '""\n') + '\n\n1,2,"😀,😀"\r"",é,last';
    const bytes = Buffer.from(text);
    const whole = read(bytes, ',', []);
    expect(whole).toEqual([
      ['a', 'b "q" b', '标签'],
      ['x\r\ny', '', ''],
      ['1', '2', '😀,😀'],
      ['', 'é', 'last'],
    ]);
    for (let cut = 0; cut <= bytes.length; cut += 1) expect(read(bytes, ',', [cut], 16)).toEqual(whole);
    const everyByte = Array.from(bytes.keys()).slice(1);
    expect(read(bytes, ',', everyByte, 16)).toEqual(whole);
  });

  test('random chunkings of random tables change nothing', async () => {
    verifies('evaluation.csv-chunks');
    await assertProperty(
      fc.asyncProperty(table, fc.array(fc.nat(400), { maxLength: 8 }), async (rows, cuts) => {
        const bytes = Buffer.from(written(rows, '\n', ','));
        const sorted = cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b);
        expect(read(bytes, ',', sorted, 16)).toEqual(rows);
      }),
      { name: 'csv-chunks', test: import.meta.url, numRuns: 1000 },
    );
  });
});
