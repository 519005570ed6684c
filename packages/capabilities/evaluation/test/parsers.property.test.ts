import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { AssayError } from '@assay/foundation';
import { assertProperty, verifies } from '@assay/testkit';
import { profileDataset, readPredictions, renderReport } from '../src/index.ts';
import { classifyText } from '../src/data/cell-kind.ts';
import { parseStrictJson, StrictJsonError, strictJsonText } from '../src/data/strict-json.ts';
import { dataFile } from './data-files.ts';

/** Every outcome but a result or an error for people is a fault. */
async function resultOrAssayError(work: Promise<unknown>): Promise<'result' | 'error'> {
  try {
    await work;
    return 'result';
  } catch (error) {
    if (error instanceof AssayError) return 'error';
    throw error;
  }
}

const csvSoup = fc.array(fc.constantFrom('a', '"', ',', '\n', '\r', '\t', ';', '1', '0.5', 'NA', 'é', '😀', ' '), {
  maxLength: 60,
});
const jsonSoup = fc.array(
  fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"a"',
    '"data"',
    '1',
    '1.5',
    'true',
    'null',
    '\n',
    ' ',
    '"\\u0041"',
    'NaN',
    '"',
  ),
  { maxLength: 40 },
);
const bytes = fc.uint8Array({ maxLength: 80 });
/** What begins like a packed file, and whole ones with a byte that was changed. */
const packed = fc.oneof(
  fc
    .tuple(fc.constantFrom('1f8b08', '504b0304', 'fd377a585a00'), bytes)
    .map(([magic, rest]) => Buffer.concat([Buffer.from(magic, 'hex'), rest])),
  fc.tuple(csvSoup, fc.nat(60), fc.nat(255)).map(([parts, at, byte]) => {
    const whole = gzipSync(parts.join(''));
    if (at < whole.length) whole[at] = byte;
    return whole;
  }),
);

describe('whatever stands in a file', () => {
  const files: readonly (readonly [string, string, fc.Arbitrary<Uint8Array>])[] = [
    ['csv', 'x.csv', csvSoup.map((parts) => Buffer.from(parts.join('')))],
    ['csv-bytes', 'x.csv', bytes],
    ['tsv', 'x.tsv', csvSoup.map((parts) => Buffer.from(parts.join('')))],
    ['json', 'x.json', jsonSoup.map((parts) => Buffer.from(parts.join('')))],
    ['json-values', 'x.json', fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text))],
    ['jsonl', 'x.jsonl', jsonSoup.map((parts) => Buffer.from(parts.join('')))],
    ['bytes', 'x.bin', bytes],
    ['packed', 'x.csv.gz', packed],
    ['wide', 'x.csv', csvSoup.map((parts) => Buffer.from(parts.join(''), 'utf16le'))],
  ];
  for (const [seeds, name, content] of files)
    test(`a profile of ${name} (${seeds}) is a result or an error for people`, async () => {
      verifies('evaluation.parsers-fuzzed');
      const seen = { result: 0, error: 0 };
      await assertProperty(
        fc.asyncProperty(content, async (data) => {
          await using file = await dataFile(name, data);
          seen[await resultOrAssayError(profileDataset(file.path))] += 1;
          await resultOrAssayError(
            profileDataset(file.path, {
              encoding: 'gb18030',
              onBadBytes: 'drop-rows',
              onRagged: 'drop-rows',
              header: 'absent',
            }),
          );
        }),
        { name: `profile-${seeds}`, test: import.meta.url, numRuns: 250 },
      );
      expect(seen.error).toBeGreaterThan(0);
    });

  test('predictions are a result or an error for people', async () => {
    verifies('evaluation.parsers-fuzzed');
    const line = fc.oneof(
      jsonSoup.map((parts) => parts.join('')),
      fc
        .record({ row_index: fc.integer({ min: 0, max: 2 }), prediction: fc.jsonValue() })
        .map((row) => JSON.stringify(row)),
    );
    await assertProperty(
      fc.asyncProperty(fc.array(line, { maxLength: 4 }), async (lines) => {
        await using file = await dataFile('predictions.jsonl', lines.join('\n'));
        const handedOut = Uint32Array.of(0, 1, 2);
        await resultOrAssayError(readPredictions(file.path, { handedOut, task: 'classification' }));
      }),
      { name: 'predictions', test: import.meta.url, numRuns: 400 },
    );
  });

  test('a report is rendered or refused for people', async () => {
    verifies('evaluation.parsers-fuzzed');
    const soup = fc.array(
      fc.constantFrom(
        '{{ev:',
        '}}',
        '|',
        '\n',
        '#',
        ' a',
        '1',
        '---',
        '`',
        '![',
        '](',
        ')',
        '<!--',
        '-->',
        '<table>',
        '>',
        '- ',
      ),
      { maxLength: 40 },
    );
    await assertProperty(
      fc.asyncProperty(soup, (parts) =>
        resultOrAssayError(Promise.resolve().then(() => renderReport(parts.join(''), []))).then(() => undefined),
      ),
      { name: 'report', test: import.meta.url, numRuns: 1000 },
    );
  });
});

describe('the strict JSON parser', () => {
  test('reads what JSON.parse reads, and writes it back', async () => {
    verifies('evaluation.strict-json');
    await assertProperty(
      fc.asyncProperty(fc.json({ maxDepth: 5 }), fc.constantFrom(undefined, 1), async (compact, indent) => {
        const text = JSON.stringify(JSON.parse(compact), null, indent);
        expect(JSON.parse(strictJsonText(parseStrictJson(text)))).toEqual(JSON.parse(text));
      }),
      { name: 'strict-json', test: import.meta.url, numRuns: 200 },
    );
  });

  test('refuses what JSON.parse refuses, but for the numbers that Python writes', async () => {
    verifies('evaluation.strict-json');
    await assertProperty(
      fc.asyncProperty(
        jsonSoup.map((parts) => parts.join('')),
        async (text) => {
          let ours = true;
          try {
            parseStrictJson(text);
          } catch (error) {
            expect(error).toBeInstanceOf(StrictJsonError);
            ours = false;
          }
          let theirs = true;
          try {
            JSON.parse(text.replaceAll('NaN', '0'));
          } catch {
            theirs = false;
          }
          // A key that stands twice is the one thing that only ours refuses.
          if (ours) expect(theirs).toBe(true);
        },
      ),
      { name: 'strict-json-refusals', test: import.meta.url, numRuns: 3000 },
    );
  });

  test('takes a number for a number exactly when JavaScript does, leading zeros and huge ones apart', async () => {
    verifies('evaluation.parsers-fuzzed');
    const digits = fc
      .array(fc.constantFrom('0', '1', '9', '.', '-', '+', 'e', 'E'), { maxLength: 8 })
      .map((parts) => parts.join(''));
    await assertProperty(
      fc.asyncProperty(digits, async (text) => {
        const kind = classifyText(text);
        const numeric = kind === 2 || kind === 3;
        const leadingZero = /^[+-]?0\d/.test(text);
        const value = Number(text);
        expect(numeric, text).toBe(text !== '' && !leadingZero && Number.isFinite(value));
        if (kind === 2) expect(Number.isSafeInteger(value)).toBe(true);
      }),
      { name: 'numbers', test: import.meta.url, numRuns: 5000 },
    );
  });
});
