import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { JsonReader } from '../src/data/json-reader.ts';
import { JsonRows } from '../src/data/json-rows.ts';

/** The rows of a document that comes in pieces of the given lengths, or why it is refused. */
function read(text: string, cuts: readonly number[]): string {
  const seen: unknown[] = [];
  const rows = new JsonRows((row) => {
    seen.push(Array.from({ length: row.count }, (_, at) => row.text(at)));
  });
  const reader = new JsonReader(rows);
  const bytes = Buffer.from(text);
  try {
    let from = 0;
    for (let i = 0; from < bytes.length; i += 1) {
      const to = Math.min(bytes.length, from + (cuts[i % cuts.length] ?? 1));
      // A copy that is overwritten afterwards: the reader must not keep what is not its own.
      const piece = Buffer.from(bytes.subarray(from, to));
      reader.write(piece);
      piece.fill(0x20);
      from = to;
    }
    reader.finish();
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
  return JSON.stringify({ columns: rows.columns, seen });
}

const scalar = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"', '\\', '}', '{', ']', '文字', '\u2028', 'a"b}c'),
);
const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.string(), scalar, { maxKeys: 3 }),
  },
);
const row = fc.dictionary(fc.constantFrom('a', 'b', 'c', '键', 'x}y'), value, { minKeys: 1 });
const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const blank = fc.constantFrom('', ' ', '\n', '\t\r\n ');

describe('arrays of JSON objects', () => {
  test('give the same rows however they are cut, and those that the platform reads', () => {
    verifies('data.json-arrays-fast');
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), cuts, blank, (table, lengths, space) => {
        const text = `${space}[${space}${table.map((one) => JSON.stringify(one)).join(`${space},${space}`)}${space}]${space}`;
        const columns = [...new Set(table.flatMap((one) => Object.keys(one)))];
        const whole = read(text, [text.length * 4]);
        expect(read(text, lengths)).toBe(whole);
        const { columns: found, seen } = JSON.parse(whole) as { columns: string[]; seen: (string | null)[][] };
        expect([...found].sort()).toEqual([...columns].sort());
        for (const [at, one] of table.entries())
          for (const [place, cell] of seen[at]!.entries()) {
            const said = one[found[place]!];
            if (typeof said === 'string' && said.trim() !== '') expect(cell).toBe(said);
            else if (typeof said === 'number' && Number.isSafeInteger(said)) expect(Number(cell)).toBe(said + 0);
          }
        // Under a name, and beside other things, they are the same.
        const named = `{"meta":{"note":"[{","n":[1,[2]]},"data":${text},"more":[{"a":1}]}`;
        expect(read(named, lengths)).toBe(whole);
      }),
      { numRuns: 150 },
    );
  });

  test('that are broken anywhere are refused, however they are cut', () => {
    verifies('data.json-arrays-fast');
    const text = '[{"a":1,"b":"x"},{"a":2,"b":"y}"},{"a":[1,{"c":2}],"b":"\\"z"}]';
    for (let at = 0; at < text.length; at += 1)
      for (const broken of [
        text.slice(0, at),
        `${text.slice(0, at)}${text.slice(at + 1)}`,
        `${text.slice(0, at)},${text.slice(at)}`,
      ]) {
        const valid = isTable(broken);
        for (const lengths of [[1], [7], [1000]]) {
          const found = read(broken, lengths);
          expect(found.startsWith('refused'), `${broken} → ${found}`).toBe(!valid);
        }
      }
  });
});

function isTable(text: string): boolean {
  try {
    const parsed = JSON.parse(text) as unknown;
    if (!Array.isArray(parsed)) return false;
    return parsed.every(
      (one) => typeof one === 'object' && one !== null && !Array.isArray(one) && !Object.hasOwn(one, ''),
    );
  } catch {
    return false;
  }
}
