import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { assertProperty, temporaryFolder, verifies } from '@assay/testkit';
import { prepareData, profileDataset, readRowsFile } from '../src/index.ts';
import { packRows, unpackRows } from '../src/split/row-list.ts';
import { limitRows, splitRows } from '../src/split/split-rows.ts';
import { dataFile, penguins } from './data-files.ts';

async function lines(path: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(path, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the data that an adapter gets', () => {
  test('never holds the target, and numbers rows in an order of its own', async () => {
    verifies('evaluation.labels-withheld');
    await using data = await dataFile('penguins.csv', penguins(100, { gaps: true }));
    await using out = await temporaryFolder();
    const manifest = await profileDataset(data.path);
    const prepared = await prepareData(manifest, out.path, { training: true, seed: 17 });
    const original = penguins(100, { gaps: true }).trimEnd().split('\n').slice(1);
    const handedOut = await lines(prepared.dataset.path);
    const train = await lines(prepared.train!.path);
    expect(handedOut).toHaveLength(27);
    expect(train).toHaveLength(63);
    for (const [place, row] of handedOut.entries()) {
      expect(Object.keys(row)).toEqual(['row_index', 'bill_length_mm', 'sex']);
      expect(row['row_index']).toBe(place);
      const cells = original[prepared.order.handedOut[place]!]!.split(',');
      expect(row).toEqual({ row_index: row['row_index'], bill_length_mm: Number(cells[2]), sex: cells[3] });
    }
    for (const [place, row] of train.entries()) {
      expect(Object.keys(row)).toEqual(['row_index', 'bill_length_mm', 'sex', 'species']);
      expect(row['row_index']).toBe(27 + place);
      expect(row['species']).toBe(original[prepared.order.train[place]!]!.split(',')[1]);
    }
    const used = [...prepared.order.handedOut, ...prepared.order.train];
    expect(new Set(used).size).toBe(90);
    expect(used.some((row) => row % 10 === 9)).toBe(false); // rows without a target
    const text = await readFile(prepared.dataset.path, 'utf8');
    for (const label of ['Adelie', 'Chinstrap', 'Gentoo', 'species']) expect(text).not.toContain(label);
  });

  test('is hashed, and the rows can be read again', async () => {
    verifies('evaluation.rows-file');
    await using data = await dataFile('penguins.csv', penguins(50));
    await using out = await temporaryFolder();
    const manifest = await profileDataset(data.path);
    const prepared = await prepareData(manifest, out.path, { training: true, seed: 17 });
    for (const file of [prepared.dataset, prepared.train!, prepared.rowsFile]) {
      const [hash] = execFileSync('sha256sum', [file.path], { encoding: 'utf8' }).split(' ');
      expect(file.sha256).toBe(hash);
      expect(file.size).toBe((await readFile(file.path)).length);
    }
    const again = await readRowsFile(prepared.rowsFile.path);
    expect(again.handedOut).toEqual(prepared.handedOut);
    expect(again.trainRows).toEqual(prepared.trainRows);
    expect(again.order).toEqual(prepared.order.handedOut);
    expect(again.split).toEqual(prepared.split);
    const text = await readFile(prepared.rowsFile.path, 'utf8');
    await writeFile(prepared.rowsFile.path, text.replace('"handedOut":15', '"handedOut":14'));
    await expect(readRowsFile(prepared.rowsFile.path)).rejects.toMatchObject({ code: 'record_invalid' });
    for (const content of [
      text.slice(0, 100),
      '{"v":2}',
      text.replace(prepared.split.trainSha256, '0'.repeat(64)),
      text.replace(prepared.split.order!.handedOutSha256, '0'.repeat(64)),
    ]) {
      await writeFile(prepared.rowsFile.path, content);
      await expect(readRowsFile(prepared.rowsFile.path)).rejects.toMatchObject({ code: 'record_invalid' });
    }
    await expect(readRowsFile(join(out.path, 'none.json'))).rejects.toMatchObject({ code: 'record_invalid' });
  });

  test('is typed by the columns, missing cells are null', async () => {
    verifies('evaluation.labels-withheld');
    await using data = await dataFile(
      'types.csv',
      'int,num,bool,big,text,__proto__,label\n-0,1e3,TRUE,9007199254740993,"a ""b""\n",x,1\nNA,,,,NULL,y,2\n',
    );
    await using out = await temporaryFolder();
    const prepared = await prepareData(await profileDataset(data.path), out.path, { training: false, seed: 17 });
    const written = [
      '"int":0,"num":1000,"bool":true,"big":"9007199254740993","text":"a \\"b\\"\\n","__proto__":"x"}\n',
      '"int":null,"num":null,"bool":null,"big":null,"text":null,"__proto__":"y"}\n',
    ];
    expect(await readFile(prepared.dataset.path, 'utf8')).toBe(
      Array.from(prepared.order.handedOut, (row, place) => `{"row_index":${place},${written[row]!}`).join(''),
    );
    expect(prepared.train).toBeUndefined();
    expect([...prepared.handedOut]).toEqual([0, 1]);
  });

  test('is refused when an input repeats the target', async () => {
    verifies('evaluation.target-copies');
    const lines = Array.from({ length: 12 }, (_, i) => `${i},"c${i % 3}",c${i % 3},${i === 11 ? 'c0' : `c${i % 3}`}`);
    await using data = await dataFile('leak.csv', `x,gold,label,nearly\n${lines.join('\n')}\n`);
    await using out = await temporaryFolder();
    const manifest = await profileDataset(data.path);
    expect(manifest.targetColumn).toBe('label');
    await expect(prepareData(manifest, out.path, { training: true, seed: 17 })).rejects.toMatchObject({
      code: 'target_unsuitable',
      message: 'the input column "gold" repeats the target in every row',
    });
    const chosen = await profileDataset(data.path, { input: ['x', 'nearly'] });
    expect((await prepareData(chosen, out.path, { training: false, seed: 17 })).handedOut).toHaveLength(12);
  });

  test('is refused when the file is no longer the profiled one', async () => {
    verifies('evaluation.data-changed');
    await using data = await dataFile('penguins.csv', penguins(50));
    await using out = await temporaryFolder();
    const manifest = await profileDataset(data.path);
    await appendFile(data.path, '51,Adelie,30.0,male\n');
    await expect(prepareData(manifest, out.path, { training: true, seed: 17 })).rejects.toMatchObject({
      code: 'dataset_changed',
    });
  });

  test('needs a target and enough rows to be divided', async () => {
    verifies('evaluation.split-stratified');
    await using data = await dataFile('a.csv', 'x,label\n1,a\n2,b\n3,c\n');
    await using out = await temporaryFolder();
    await expect(
      prepareData(await profileDataset(data.path), out.path, { training: true, seed: 17 }),
    ).rejects.toMatchObject({ code: 'dataset_no_rows' });
    const inference = await profileDataset(data.path, { task: 'inference' });
    await expect(prepareData(inference, out.path, { training: true, seed: 17 })).rejects.toMatchObject({
      code: 'column_missing',
    });
  });

  test('of an inference is every row', async () => {
    verifies('evaluation.rows-file');
    await using data = await dataFile('a.csv', 'x,y\n1,a\n2,NA\n3,c\n');
    await using out = await temporaryFolder();
    const manifest = await profileDataset(data.path, { task: 'inference' });
    const prepared = await prepareData(manifest, join(out.path), { training: false, seed: 17 });
    expect([...prepared.handedOut]).toEqual([0, 1, 2]);
  });
});

describe('the split', () => {
  test('takes 30 % of every label, never all of it, and the same rows for the same seed', async () => {
    verifies('evaluation.split-stratified', 'evaluation.split-repeatable');
    await assertProperty(
      fc.asyncProperty(
        fc.array(fc.nat(4), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 0, max: 1000 }),
        async (labels, seed) => {
          const rows = Uint32Array.from(labels, (_, i) => i * 3);
          const codes = Uint32Array.from(labels);
          const { train, test } = splitRows({ rows, codes, seed, testFraction: 0.3 });
          expect([...train, ...test].sort((a, b) => a - b)).toEqual([...rows]);
          expect([...train]).toEqual([...train].sort((a, b) => a - b));
          for (const code of new Set(labels)) {
            const all = labels.filter((other) => other === code).length;
            const inTest = [...test].filter((row) => labels[row / 3] === code).length;
            expect(inTest).toBeLessThan(all);
            if (all > 1) expect(Math.abs(inTest - all * 0.3)).toBeLessThanOrEqual(Math.max(0.5, 1 - all * 0.3));
          }
          expect(splitRows({ rows, codes, seed, testFraction: 0.3 })).toEqual({ train, test });
        },
      ),
      { name: 'split', test: import.meta.url, numRuns: 300 },
    );
  });

  test('of seed 17 takes these rows', () => {
    verifies('evaluation.split-repeatable');
    const rows = Uint32Array.from({ length: 20 }, (_, i) => i);
    const codes = Uint32Array.from(rows, (row) => row % 2);
    // Written down from a second implementation, in Python.
    expect([...splitRows({ rows, codes, seed: 17, testFraction: 0.3 }).test]).toEqual([2, 5, 7, 10, 13, 18]);
    expect([...splitRows({ rows, seed: 17, testFraction: 0.3 }).test]).toEqual([4, 5, 7, 9, 14, 15]);
  });

  test('limited to some rows keeps the shares of the labels', () => {
    verifies('evaluation.split-stratified');
    const rows = Uint32Array.from({ length: 1000 }, (_, i) => i);
    const codes = Uint32Array.from(rows, (row) => (row < 700 ? 0 : row < 900 ? 1 : 2));
    const some = limitRows({ rows, codes, seed: 17 }, 50);
    expect(some.filter((row) => row < 700)).toHaveLength(35);
    expect(some.filter((row) => row >= 700 && row < 900)).toHaveLength(10);
    expect(some.filter((row) => row >= 900)).toHaveLength(5);
    expect(limitRows({ rows, codes, seed: 17 }, 2000)).toEqual(rows);
    expect(limitRows({ rows, codes, seed: 17 }, 7)).toHaveLength(7);
  });
});

describe('packed row lists', () => {
  test('read back, also the largest row number', async () => {
    verifies('evaluation.rows-file');
    await assertProperty(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 0, max: 0xffff_ffff })), async (values) => {
        const rows = Uint32Array.from(values).sort();
        expect(unpackRows(packRows(rows), rows.length)).toEqual(rows);
      }),
      { name: 'packed-rows', test: import.meta.url, numRuns: 200 },
    );
    const edge = Uint32Array.of(0, 0xffff_ffff);
    expect(unpackRows(packRows(edge), 2)).toEqual(edge);
  });

  test('that were cut or made longer are refused', () => {
    verifies('evaluation.rows-file');
    const packed = packRows(Uint32Array.of(1, 2, 300));
    for (const [text, count] of [
      [packed, 2],
      [packed, 5],
      ['', 1],
      ['/////////w==', 1],
    ] as const)
      expect(() => unpackRows(text, count)).toThrow('the list of rows is damaged');
  });
});
