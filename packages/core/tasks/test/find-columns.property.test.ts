import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { profileDataset } from '@assay/evaluation';
import { temporaryFolder, verifies } from '@assay/testkit';
import { columnSample } from '../src/columns/column-sample.ts';
import { findDataCopies } from '../src/find-data-copies.ts';
import { sampledRows } from '../src/sampled-rows.ts';
import { bytesOf, npy, unicodeNpy, zip } from './support/array-files.ts';

/** Columns x, y and a text, and the target: a label for each row, or a number. */
interface Table {
  readonly kind: 'labels' | 'numbers';
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly text: readonly string[];
  readonly targets: readonly (string | number)[];
}

const names = ['red', 'dark blue', 'green', 'off white'];

/** 32 random bits at a time, by a Weyl sequence and a finaliser; enough to make tables that differ. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 0x1_0000_0000;
  };
}

function tableOf(kind: Table['kind'], seed: number, rows: number): Table {
  const random = randomFrom(seed);
  const classes = 2 + (seed % 3);
  const list = <T>(make: (row: number) => T) => Array.from({ length: rows }, (_, row) => make(row));
  return {
    kind,
    x: list(() => Math.round(random() * 1e6) / 1e3),
    y: list(() => Math.round(random() * 80) / 10),
    text: list((row) => `word${Math.floor(random() * 1e6)} of ${row % 7} kinds`),
    targets: list(() =>
      kind === 'labels' ? names[Math.floor(random() * classes)]! : Math.round(random() * 1e4) / 100,
    ),
  };
}

const csv = ({ x, y, text, targets }: Table) =>
  `x,y,text,target\n${x.map((value, row) => `${value},${y[row]},${text[row]},${targets[row]}`).join('\n')}\n`;

/** The table with its rows in another order. */
function shuffled(table: Table, seed: number): Table {
  const random = randomFrom(seed ^ 0x5f5f5f);
  const order = table.x.map((_, row) => [random(), row] as const).sort(([a], [b]) => a - b);
  const by = <T>(column: readonly T[]) => order.map(([, row]) => column[row]!);
  return { ...table, x: by(table.x), y: by(table.y), text: by(table.text), targets: by(table.targets) };
}

/** Labels by numbers, numbers in another unit and rounded. */
const coded = ({ kind, targets }: Table) =>
  targets.map((target) =>
    kind === 'labels' ? (names.indexOf(String(target)) + 3) % 5 : Math.round(Number(target)) / 10,
  );
const python = (value: unknown) => JSON.stringify(value).replaceAll('"', "'").replaceAll(',', ', ');
const rounded = (value: number) => value.toFixed(0);
const doubles = (values: readonly number[]) => bytesOf(Float64Array.from(values));

/** Files that hold the targets apart from the rows, in their order. */
const inOrder: Readonly<Record<string, (table: Table) => string | Buffer>> = {
  'columns.json': ({ x, y, text, targets }) => JSON.stringify({ x, y, text, targets }, null, 1),
  'columns.py': ({ x, targets }) => `X = ${python(x)}\nY = ${python(targets)}\n`,
  'transposed.csv': ({ x, y, text, targets }) => [x, y, text, targets].map((column) => column.join(',')).join('\n'),
  'targets.txt': ({ targets }) => targets.join('\n'),
  'codes.json': (table) => JSON.stringify(coded(table)),
  'codes-by-name.txt': (table) =>
    coded(table)
      .map((code) => (table.kind === 'labels' ? `c${code}` : code))
      .join(' '),
  'rounded.csv': (table) =>
    coded(table)
      .map((code, row) => `${row},${rounded(table.x[row]!)},${rounded(table.y[row]!)},${code}`)
      .join('\n'),
  'texts-and-codes.tsv': (table) =>
    coded(table)
      .map((code, row) => `${code}\tthe ${'text '.repeat(row % 9)}`)
      .join('\n'),
  'exponents.json': (table) =>
    `[${coded(table)
      .map((code) => code.toExponential())
      .join(',')}]`,
  'codes.npy': (table) => npy('<f8', [table.x.length], doubles(coded(table))),
  'table.npy': (table) =>
    npy('<f8', [table.x.length, 3], doubles(coded(table).flatMap((code, row) => [table.x[row]!, table.y[row]!, code]))),
  'fortran.npy': (table) => npy('>f8', [table.x.length, 2], doubles([...table.x, ...coded(table)]).swap64(), true),
  'arrays.npz': (table) =>
    zip({
      'X.npy': npy('<f4', [table.x.length], bytesOf(Float32Array.from(table.x))),
      'y.npy':
        table.kind === 'labels'
          ? unicodeNpy(table.targets.map(String))
          : npy('<f8', [table.x.length], doubles(coded(table))),
    }),
  'memory.bin': (table) => Buffer.concat([Buffer.from('\0\0head'), doubles(coded(table))]),
};

/** Files that hold rows in an order of their own, beside what tells their targets. */
const inAnyOrder: Readonly<Record<string, (table: Table) => string | Buffer>> = {
  'columns.json': (table) => JSON.stringify({ x: table.x, codes: coded(table) }),
  'with-text.json': (table) => JSON.stringify({ codes: coded(table), text: table.text }),
  'coded.csv': (table) =>
    coded(table)
      .map((code, row) => [table.x[row], table.y[row], table.text[row], code].join(','))
      .join('\n'),
  'coded.jsonl': (table) =>
    coded(table)
      .map((label, row) => JSON.stringify({ label, text: table.text[row], x: table.x[row] }))
      .join('\n'),
  'arrays.npz': (table) =>
    zip({
      'X.npy': npy('<f8', [table.x.length, 2], doubles(table.x.flatMap((x, row) => [x, table.y[row]!]))),
      'y.npy': npy(
        '<i8',
        [table.x.length],
        bytesOf(BigInt64Array.from(coded(table), (code) => BigInt(Math.round(code * 10)))),
      ),
    }),
};

type Forms = Readonly<Record<string, (table: Table) => string | Buffer>>;

/** The files that are taken for copies of the data, of those that hold the other table in each form. */
async function found(data: Table, forms: Forms, written: Table): Promise<string[]> {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'data.csv');
  await writeFile(file, csv(data));
  const signal = new AbortController().signal;
  const task = data.kind === 'labels' ? 'classification' : 'regression';
  const manifest = await profileDataset(file, { target: 'target', task, signal });
  const query = {
    datasetSha256: manifest.sha256,
    datasetSize: manifest.size,
    rows: await sampledRows(manifest, signal),
    columns: await columnSample(manifest, signal),
    signal,
  };
  await rm(file);
  for (const [name, content] of Object.entries(forms)) await writeFile(join(folder.path, name), content(written));
  return (await findDataCopies(folder.path, query)).copies.map(({ path }) => path); // before the folder goes
}

const cases = fc.record({
  kind: fc.constantFrom('labels' as const, 'numbers' as const),
  seed: fc.integer({ min: 1, max: 1e9 }),
  rows: fc.integer({ min: 90, max: 400 }),
});

test('the targets are found apart from their rows, in their order', async () => {
  verifies('benchmark.column-copies-found');
  await fc.assert(
    fc.asyncProperty(cases, async ({ kind, seed, rows }) => {
      const table = tableOf(kind, seed, rows);
      expect(await found(table, inOrder, table)).toEqual(Object.keys(inOrder).sort());
    }),
    { numRuns: 12 },
  );
});

test('rows in any order are found beside a code of their targets', async () => {
  verifies('benchmark.column-copies-found');
  await fc.assert(
    fc.asyncProperty(cases, async ({ kind, seed, rows }) => {
      const table = tableOf(kind, seed, rows);
      expect(await found(table, inAnyOrder, shuffled(table, seed))).toEqual(Object.keys(inAnyOrder).sort());
    }),
    { numRuns: 12 },
  );
});

test('other tables of the same kind, and the data without its targets, are kept', async () => {
  verifies('benchmark.look-alikes-kept');
  await fc.assert(
    fc.asyncProperty(cases, fc.boolean(), async ({ kind, seed, rows }, own) => {
      const table = tableOf(kind, seed, rows);
      const other = tableOf(kind, seed + 3, rows); // as many classes
      const written = own ? { ...table, targets: other.targets } : other;
      expect(await found(table, inOrder, written)).toEqual([]);
      expect(await found(table, inAnyOrder, shuffled(written, seed))).toEqual([]);
    }),
    { numRuns: 12 },
  );
});
