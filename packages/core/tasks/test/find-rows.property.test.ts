import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { createRowFinder, tellingRow } from '../src/row-finder.ts';
import { createTokenizer } from '../src/text-tokens.ts';

type Table = readonly (readonly string[])[];

const ROWS = 80;

/** Numbers, words and phrases. Each row has at least one feature and a target of its own; the target comes last. */
const tables: fc.Arbitrary<Table> = fc
  .tuple(
    fc.constantFrom('decimal', 'word', 'phrase'),
    fc.array(fc.constantFrom('decimal', 'whole', 'word', 'phrase'), { maxLength: 5 }),
    fc.constantFrom('number', 'word'),
    fc.integer({ min: 1, max: 1000 }),
  )
  .map(([own, others, target, seed]) =>
    Array.from({ length: ROWS }, (_, row) => {
      const cell = (kind: string, column: number) => {
        const value = ((row + 1) * (seed + column * 7919)) % 9973;
        if (kind === 'decimal') return (value / 100).toFixed(2);
        if (kind === 'whole') return String(value % 20);
        return kind === 'word' ? `w${value}` : `the ${value % 50} of w${value} "quoted"`;
      };
      const label = target === 'number' ? `${1000 + row * 3}.25` : `label${row}`;
      return [own, ...others].map(cell).concat(label);
    }),
  );

const quoted = (cell: string) => (/^[\d.]+$/.test(cell) ? cell : `'${cell.replaceAll('"', '\\"')}'`);
const keyed = (row: readonly string[]) => row.map((cell, at) => [`column${at}`, cell] as const);
const zeros = (cell: string) => (/^\d+\.\d+$/.test(cell) ? `+${cell}00` : cell);

/** Ways in which a repository may hold a table. */
const forms: Readonly<Record<string, (table: Table) => string>> = {
  csv: (table) => table.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n'),
  'tab separated, reversed': (table) => table.map((row) => row.toReversed().join('\t')).join('\n'),
  'other number format': (table) => table.map((row) => row.map(zeros).join(';')).join('\n'),
  'pretty json': (table) =>
    JSON.stringify(
      table.map((row) => Object.fromEntries(keyed(row))),
      null,
      2,
    ),
  'json arrays': (table) => JSON.stringify(table),
  tuples: (table) => `ROWS = [${table.map((row) => `(${row.map(quoted).join(', ')})`).join(', ')}]`,
  keywords: (table) =>
    table
      .map(
        (row) =>
          `add(${keyed(row)
            .map(([key, cell]) => `${key}=${quoted(cell)}`)
            .join(', ')})`,
      )
      .join('\n'),
  inserts: (table) => table.map((row) => `INSERT INTO t VALUES (${row.map(quoted).join(', ')});`).join('\n'),
  markdown: (table) => table.map((row) => `| ${row.join(' | ')} |`).join('\n'),
};

function rowsFound(table: Table, text: string, pieces: number): number {
  const rows = table.filter((_, at) => at % 2 === 0).map(tellingRow);
  const finder = createRowFinder(rows.filter((row) => row !== undefined));
  const tokenizer = createTokenizer({ token: (token) => finder.see(token) }, finder.tokens);
  finder.begin();
  for (let at = 0; at < text.length; at += pieces) tokenizer.push(text.slice(at, at + pieces));
  tokenizer.end();
  return finder.found();
}

const cases = fc.record({
  table: tables,
  form: fc.constantFrom(...Object.keys(forms)),
  pieces: fc.integer({ min: 1, max: 5000 }),
});

test('a table is found in whatever form it is written, and most of its rows are', () => {
  verifies('benchmark.copies-found');
  fc.assert(
    fc.property(cases, ({ table, form, pieces }) => {
      fc.pre(tellingRow(table[0]!) !== undefined);
      expect(rowsFound(table, forms[form]!(table), pieces)).toBeGreaterThanOrEqual(20);
    }),
    { numRuns: 300 },
  );
});

test('the same rows with the targets of other rows are not the data set', () => {
  verifies('benchmark.look-alikes-kept');
  fc.assert(
    fc.property(cases, fc.integer({ min: 30, max: 50 }), ({ table, form, pieces }, shift) => {
      const moved = table.map((row, at) => [...row.slice(0, -1), table[(at + shift) % ROWS]!.at(-1)!]);
      expect(rowsFound(table, forms[form]!(moved), pieces)).toBeLessThan(5);
    }),
    { numRuns: 300 },
  );
});
