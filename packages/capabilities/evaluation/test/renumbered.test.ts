import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty, verifies } from '@assay/testkit';
import { readPredictions, type ReadPredictionsOptions } from '../src/index.ts';
import { handOutOrder } from '../src/split/hand-out-order.ts';
import { dataFile } from './data-files.ts';

const handedOut = Uint32Array.from({ length: 40 }, (_, at) => 1000 + 7 * at);
const { handedOut: order } = handOutOrder({
  handedOut,
  trainRows: new Uint32Array(),
  method: 'all',
  seed: 17,
  datasetSha256: '7'.repeat(64),
});

/** Labels that look like the format itself. */
const label = fc.oneof(
  fc.constantFrom('row_index', '"row_index":3', '\\', 'x"', '\u2028', ' a '),
  fc.string({ unit: 'binary' }),
);

async function read(lines: readonly string[], options: Pick<ReadPredictionsOptions, 'task'>) {
  await using file = await dataFile('predictions.jsonl', `${lines.join('\n')}\n`);
  const renumberedTo = join(file.folder.path, 'renumbered.jsonl');
  const left = await readPredictions(file.path, { handedOut, order, renumberedTo, targetType: 'text', ...options });
  const published = await readPredictions(renumberedTo, { handedOut, targetType: 'text', ...options });
  return { left, published, text: await readFile(renumberedTo, 'utf8') };
}

test('what is published of a classification says the same under the rows of the file', async () => {
  verifies('evaluation.rows-of-the-file');
  const each = fc.array(label, { minLength: handedOut.length, maxLength: handedOut.length });
  const names = fc.uniqueArray(label, { minLength: 1, maxLength: 4, selector: (text) => text.trim() });
  await assertProperty(
    fc.asyncProperty(each, names, fc.boolean(), async (labels, scored, isFirst) => {
      const score = `{${scored.map((name) => `${JSON.stringify(name)}:${(1 / scored.length).toExponential()}`).join(',')}}`;
      const lines = labels.map((said, place) => {
        const index = `${isFirst ? '"row_index"' : '"row\\u005findex"'} : ${place}`;
        const rest = `"prediction":${JSON.stringify(said)}, "score":${score}`;
        return isFirst ? `{${index},${rest}}` : `{${rest},${index}}`;
      });
      const { left, published, text } = await read(lines, { task: 'classification' });
      expect(published).toMatchObject({ labels: left.labels, scores: left.scores, rows: handedOut });
      const written = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { row_index: number; prediction: string });
      expect(written.map(({ row_index }) => row_index)).toEqual([...order]);
      expect(written.map(({ prediction }) => prediction)).toEqual(labels);
    }),
    { name: 'renumbered-labels', test: import.meta.url, numRuns: 100 },
  );
});

test('what is published of a regression says the same numbers, digit by digit', async () => {
  verifies('evaluation.rows-of-the-file');
  const digits = fc.constantFrom('1.10', '-0', '1e-320', '123456789012345678901', '0.1000000000000000055', '2E+3');
  await assertProperty(
    fc.asyncProperty(fc.array(digits, { minLength: 40, maxLength: 40 }), async (numbers) => {
      const lines = numbers.map((number, place) => `{"row_index":${place},"prediction":${number}}`);
      const { left, published, text } = await read(lines, { task: 'regression' });
      expect(published.values).toEqual(left.values);
      expect(text).toBe(
        numbers.map((number, place) => `{"row_index":${order[place]},"prediction":${number}}\n`).join(''),
      );
    }),
    { name: 'renumbered-values', test: import.meta.url, numRuns: 50 },
  );
});

test('what is refused names rows of the file, never the numbers of the run', async () => {
  verifies('evaluation.rows-of-the-file');
  const line = (index: number, prediction = '"a"') => `{"row_index":${index},"prediction":${prediction}}`;
  const all = [...order.keys()];
  const refusal = (lines: readonly string[]) =>
    read(lines, { task: 'classification' }).then(
      () => undefined,
      (error: unknown) => error,
    );
  expect(await refusal([line(3), line(3)])).toMatchObject({
    code: 'predictions_duplicated',
    message: expect.stringContaining(`row ${order[3]} of the data file`) as string,
    details: { row: order[3] },
  });
  const missing = [order[5]!, order[8]!].toSorted((a, b) => a - b);
  expect(await refusal(all.filter((at) => at !== 5 && at !== 8).map((at) => line(at)))).toMatchObject({
    code: 'predictions_incomplete',
    why: expect.stringContaining(`rows of the data file ${missing.join(', ')}`) as string,
    details: { first: missing },
  });
  expect(await refusal([line(2, 'null')])).toMatchObject({ code: 'output_malformed', details: { row: order[2] } });
  expect(await refusal([line(2, 'NaN')])).toMatchObject({ details: { row: order[2] } });
  // What was never handed out is no row.
  expect(await refusal([line(40)])).toMatchObject({
    code: 'predictions_out_of_range',
    message: expect.stringContaining('row_index 40') as string,
  });
});
