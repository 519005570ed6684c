import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { assertProperty, verifies } from '@assay/testkit';
import { JsonRows } from '../src/data/json-rows.ts';
import { parseStrictJson, StrictJsonError, type StrictJson } from '../src/data/strict-json.ts';

const scalar = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('', ' ', '\u00a0', 'a\u3000', '2024-01-05', '12', 'é', '😀', 'x"y', '\\'),
  fc.constantFrom(0, -0, 1, -7, 1.5, 1e21, 123456789012345, 1234567890123456, 9007199254740991, null, true, false),
);
const object = fc.dictionary(
  fc.constantFrom('a', 'b', 'é', 'a b', '__proto__'),
  fc.oneof(scalar, fc.constant({ deep: [1] })),
  {
    maxKeys: 4,
  },
);
/** Lines that JSON.stringify writes, with blanks, and lines that are broken somewhere. */
const line = fc.oneof(
  fc
    .tuple(object, fc.constantFrom(undefined, ' '))
    .map(([value, indent]) => JSON.stringify(value, null, indent).replaceAll('\n', ' ')),
  fc
    .array(
      fc.constantFrom('{', '}', '"a"', '"b"', ':', ',', '1', '01', '1.', '-', '1e5', '"', 'true', 'nul', ' ', '\\'),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

function cells(lines: readonly string[], read: (rows: JsonRows, text: string) => void): unknown[] {
  const seen: unknown[] = [];
  const rows = new JsonRows((row) => {
    seen.push(Array.from({ length: row.count }, (_, i) => [row.kind(i), row.text(i)]));
  });
  for (const text of lines) read(rows, text);
  return [seen, rows.columns];
}

function strictly(rows: JsonRows, text: string): void {
  let value: StrictJson;
  try {
    value = parseStrictJson(text);
  } catch (error) {
    expect(error).toBeInstanceOf(StrictJsonError);
    return;
  }
  if (value instanceof Map) rows.add(value as ReadonlyMap<string, StrictJson>);
}

test('plain lines are read as the strict parser reads them, and the rest is left to it', async () => {
  verifies('data.json-lines-fast');
  let fast = 0;
  await assertProperty(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (random) => {
      const lines = ['{"a":1,"b":2,"é":"x","a b":null}', ...random];
      const both = cells(lines, (rows, text) => {
        if (rows.addLine(Buffer.from(text))) fast += 1;
        else strictly(rows, text);
      });
      expect(both).toEqual(cells(lines, strictly));
    }),
    { name: 'flat-json-line', test: import.meta.url, numRuns: 3000 },
  );
  expect(fast).toBeGreaterThan(200);
});
