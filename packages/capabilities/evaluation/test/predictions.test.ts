import { execFileSync } from 'node:child_process';
import { link, mkdir, rename, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ColumnType, EvaluationTask } from '@assay/contracts';
import { temporaryFolder, verifies } from '@assay/testkit';
import {
  openOutput,
  outputLimits,
  profileDataset,
  readPredictions,
  readTargets,
  type Predictions,
} from '../src/index.ts';
import { dataFile, penguins } from './data-files.ts';

const rows = Uint32Array.of(2, 5, 9);

interface ReadOptions {
  readonly task?: EvaluationTask;
  readonly targetType?: ColumnType;
}

async function read(content: string | Uint8Array, options: ReadOptions = {}): Promise<Predictions> {
  await using file = await dataFile('predictions.jsonl', content);
  return await readPredictions(file.path, {
    handedOut: rows,
    task: options.task ?? 'classification',
    targetType: options.targetType ?? 'text',
  });
}

/** The code and the place of the refusal of a file. */
async function refusal(content: string | Uint8Array, options: ReadOptions = {}) {
  const error = await read(content, options).then(
    () => undefined,
    (thrown: unknown) => thrown as { code: string; details: Record<string, unknown>; why: string },
  );
  return error === undefined ? undefined : { code: error.code, line: error.details['line'], row: error.details['row'] };
}

const good = '{"row_index":2,"prediction":"a"}\n{"row_index":9,"prediction":"c"}\n{"row_index":5,"prediction":"b"}';

describe('predictions', () => {
  test('are taken in any order and put into the order of the rows', async () => {
    verifies('evaluation.predictions-strict');
    const found = await read(`${good}\n`);
    expect(found.labels).toEqual(['a', 'b', 'c']);
    expect(found.rows).toEqual(rows);
    expect(found.normalised).toEqual([]);
    expect(found.scores).toBeUndefined();
    expect((await read(good)).labels).toEqual(['a', 'b', 'c']);
    expect((await read(good.replaceAll('\n', '\r\n'))).labels).toEqual(['a', 'b', 'c']);
    const numbers = good.replaceAll(/"[abc]"/g, '1.5e0');
    expect([...(await read(numbers, { task: 'regression', targetType: 'number' })).values!]).toEqual([1.5, 1.5, 1.5]);
  });

  test('missing, double, foreign rows are refused with line and row', async () => {
    verifies('evaluation.predictions-strict');
    const line = (row: number | string, rest = '"prediction":"a"') => `{"row_index":${row},${rest}}\n`;
    expect(await refusal(line(2) + line(5))).toMatchObject({ code: 'predictions_incomplete' });
    expect(await refusal('')).toMatchObject({ code: 'predictions_incomplete' });
    expect(await refusal(line(2) + line(2))).toEqual({ code: 'predictions_duplicated', line: 2, row: 2 });
    expect(await refusal(line(2) + line(3))).toEqual({ code: 'predictions_out_of_range', line: 2, row: 3 });
    expect(await refusal(line(-1))).toEqual({ code: 'predictions_out_of_range', line: 1, row: -1 });
    expect(await refusal(line('9007199254740993'))).toMatchObject({ code: 'predictions_out_of_range', line: 1 });
  });

  test('a row_index is a JSON integer and nothing else', async () => {
    verifies('evaluation.predictions-strict');
    for (const index of ['"2"', '2.0', '2e0', 'true', 'null', '[2]', 'NaN', '02', '+2'])
      expect(await refusal(`{"row_index":${index},"prediction":"a"}`), index).toMatchObject({
        code: 'output_malformed',
        line: 1,
      });
  });

  test('lines that are anything else are refused with their number', async () => {
    verifies('evaluation.predictions-strict');
    const bad = [
      '',
      '[]',
      'null',
      '{"row_index":2}',
      '{"prediction":"a"}',
      '{"row_index":2,"prediction":"a","extra":1}',
      '{"row_index":2,"row_index":2,"prediction":"a"}',
      '{"row_index":2,"prediction":"a","prediction":"b"}',
      '{"row_index":2,"prediction":null}',
      '{"row_index":2,"prediction":["a"]}',
      '{"row_index":2,"prediction":{"a":1}}',
      '{"row_index":2,"prediction":"a"} x',
      "{'row_index':2,'prediction':'a'}",
      '{"row_index":2,"prediction":"\\ud800"}',
      `{"row_index":2,"prediction":${'['.repeat(100)}`,
      `{"row_index":2,"prediction":"${'a'.repeat(1024 * 1024)}"}`,
    ];
    for (const line of bad) {
      const found = await refusal(`{"row_index":5,"prediction":"a"}\n${line}\n`);
      expect(found, line.slice(0, 60)).toMatchObject({ code: 'output_malformed', line: 2 });
    }
    const latin1 = Buffer.from('{"row_index":2,"prediction":"caf\xe9"}', 'latin1');
    expect(await refusal(latin1)).toMatchObject({ code: 'output_malformed', line: 1 });
  });

  test('numbers that are not finite are named as that', async () => {
    verifies('evaluation.predictions-finite');
    for (const value of ['NaN', 'Infinity', '-Infinity', '1e999'])
      for (const task of ['classification', 'regression'] as const)
        expect(await refusal(`{"row_index":2,"prediction":${value}}`, { task, targetType: 'number' })).toEqual({
          code: 'predictions_not_finite',
          line: 1,
          row: 2,
        });
    expect(await refusal('{"row_index":2,"prediction":"nan"}', { task: 'regression' })).toMatchObject({
      code: 'predictions_not_finite',
    });
    const score = '{"row_index":2,"prediction":"a","score":{"a":NaN,"b":1}}';
    expect(await refusal(score)).toMatchObject({ code: 'predictions_not_finite' });
  });

  test('written in another type are read by their meaning, counted and reported', async () => {
    verifies('evaluation.predictions-normalised');
    const lines = (...values: string[]) =>
      values.map((value, i) => `{"row_index":${rows[i]},"prediction":${value}}`).join('\n');
    const integers = await read(lines('"1"', '2.0', '3'), { targetType: 'integer' });
    expect(integers.labels).toEqual(['1', '2', '3']);
    expect(integers.normalised).toEqual([
      '1 predictions were text and read as integer labels',
      '1 predictions were numbers with a fraction part and read by their value',
    ]);
    const booleans = await read(lines('"True"', '0', 'true'), { targetType: 'boolean' });
    expect(booleans.labels).toEqual(['true', 'false', 'true']);
    expect(booleans.normalised).toHaveLength(2);
    const texts = await read(lines('5', 'true', '"x"'), { targetType: 'text' });
    expect(texts.labels).toEqual(['5', 'true', 'x']);
    expect(texts.normalised).toEqual([
      '1 predictions were numbers and read as text',
      '1 predictions were booleans where the labels are not, and read as text',
    ]);
    const numbers = await read(lines('"1.5"', '2', '3'), { task: 'regression', targetType: 'number' });
    expect([...numbers.values!]).toEqual([1.5, 2, 3]);
    expect(numbers.normalised).toEqual(['1 predictions were text and read as numbers']);
    expect(await refusal(lines('"abc"'), { task: 'regression' })).toMatchObject({ code: 'output_malformed' });
    expect(await refusal(lines('true'), { task: 'regression' })).toMatchObject({ code: 'output_malformed' });
  });

  test('scores are distributions over one set of labels, for every row or none', async () => {
    verifies('evaluation.predictions-scores');
    const line = (row: number, score: string) => `{"row_index":${row},"prediction":"a"${score}}\n`;
    const whole = await read(
      line(5, ',"score":{"b":0.25,"a":0.75}') +
        line(9, ',"score":{"a":1,"b":0}') +
        line(2, ',"score":{"a":0.5,"b":0.5}'),
    );
    expect(whole.scores?.labels).toEqual(['b', 'a']);
    expect([...whole.scores!.probabilities]).toEqual([0.5, 0.5, 0.25, 0.75, 0, 1]);
    for (const bad of [
      ',"score":{"a":0.5,"b":0.4}',
      ',"score":{"a":1.5,"b":-0.5}',
      ',"score":{"a":"1","b":0}',
      ',"score":{}',
      ',"score":[1,0]',
      ',"score":1',
    ])
      expect(await refusal(line(2, bad)), bad).toMatchObject({ code: 'output_malformed', line: 1, row: 2 });
    const first = line(2, ',"score":{"a":1,"b":0}');
    for (const second of ['', ',"score":null', ',"score":{"a":1}', ',"score":{"a":1,"c":0}'])
      expect(await refusal(first + line(5, second)), second).toMatchObject({ code: 'output_malformed', line: 2 });
    expect(await refusal(line(2, '') + line(5, ',"score":{"a":1}'))).toMatchObject({
      code: 'output_malformed',
      line: 2,
    });
    expect(await refusal('{"row_index":2,"prediction":1,"score":{"a":1}}', { task: 'regression' })).toMatchObject({
      code: 'output_malformed',
    });
    const typed = '{"row_index":2,"prediction":1,"score":{"1":0.5,"1.0":0.5}}';
    expect(await refusal(typed, { targetType: 'number' })).toMatchObject({ code: 'output_malformed' });
  });

  test('labels and keys named __proto__ are ordinary', async () => {
    verifies('evaluation.prototype-safe');
    const found = await read(
      [2, 5, 9]
        .map((row) => `{"row_index":${row},"prediction":"__proto__","score":{"__proto__":1,"toString":0}}`)
        .join('\n'),
    );
    expect(found.labels).toEqual(['__proto__', '__proto__', '__proto__']);
    expect(found.scores?.labels).toEqual(['__proto__', 'toString']);
    expect(await refusal('{"row_index":2,"prediction":"a","__proto__":{}}')).toMatchObject({
      code: 'output_malformed',
    });
  });
});

describe('the file of an adapter', () => {
  async function outcome(prepare: (folder: string) => Promise<string>, notBefore?: number) {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'real.jsonl'), good);
    const name = await prepare(folder.path);
    const options = { maxBytes: 1000, ...(notBefore === undefined ? {} : { notBefore }) };
    return await openOutput(folder.path, name, options).then(
      async (file) => {
        await file[Symbol.asyncDispose]();
        return 'opened';
      },
      (error: unknown) => (error as { code: string }).code,
    );
  }

  test('must be a regular file of this run with one name and no link on the way', async () => {
    verifies('evaluation.outputs-safe');
    expect(await outcome(async () => 'real.jsonl')).toBe('opened');
    expect(await outcome(async () => 'missing.jsonl')).toBe('output_missing');
    expect(await outcome(async () => '../outside')).toBe('output_unsafe');
    expect(await outcome(async () => '/etc/passwd')).toBe('output_unsafe');
    expect(
      await outcome(async (folder) => {
        await symlink(join(folder, 'real.jsonl'), join(folder, 'link.jsonl'));
        return 'link.jsonl';
      }),
    ).toBe('output_unsafe');
    expect(
      await outcome(async (folder) => {
        await mkdir(join(folder, 'real'));
        await rename(join(folder, 'real.jsonl'), join(folder, 'real', 'p.jsonl'));
        await symlink(join(folder, 'real'), join(folder, 'linked'));
        return 'linked/p.jsonl';
      }),
    ).toBe('output_unsafe');
    expect(
      await outcome(async (folder) => {
        await link(join(folder, 'real.jsonl'), join(folder, 'hard.jsonl'));
        return 'hard.jsonl';
      }),
    ).toBe('output_unsafe');
    expect(
      await outcome(async (folder) => {
        execFileSync('mkfifo', [join(folder, 'pipe.jsonl')]);
        return 'pipe.jsonl';
      }),
    ).toBe('output_unsafe');
    expect(
      await outcome(async (folder) => {
        await mkdir(join(folder, 'dir.jsonl'));
        return 'dir.jsonl';
      }),
    ).toBe('output_unsafe');
    expect(
      await outcome(async (folder) => {
        await truncate(join(folder, 'real.jsonl'), 1001);
        return 'real.jsonl';
      }),
    ).toBe('output_too_large');
    const now = Date.now();
    expect(
      await outcome(async (folder) => {
        await utimes(join(folder, 'real.jsonl'), new Date(now - 60_000), new Date(now - 60_000));
        return 'real.jsonl';
      }, now),
    ).toBe('output_stale');
  });

  test('of 256 MiB and one byte is not read', async () => {
    verifies('evaluation.outputs-safe');
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'predictions.jsonl');
    await writeFile(path, '');
    await truncate(path, 256 * 1024 * 1024 + 1);
    expect(outputLimits.predictions).toBe(268_435_456);
    await expect(readPredictions(path, { handedOut: rows, task: 'classification' })).rejects.toMatchObject({
      code: 'output_too_large',
    });
  });
});

describe('targets', () => {
  test('are joined by row from the original file', async () => {
    verifies('evaluation.targets-joined');
    await using data = await dataFile('penguins.csv', penguins(100));
    const manifest = await profileDataset(data.path);
    const targets = await readTargets(manifest, Uint32Array.of(0, 1, 2, 50, 99));
    expect(targets).toMatchObject({ task: 'classification', type: 'text' });
    expect(targets.labels).toEqual(['Adelie', 'Chinstrap', 'Gentoo', 'Gentoo', 'Adelie']);
    const regression = await profileDataset(data.path, { target: 'bill_length_mm' });
    expect([...(await readTargets(regression, Uint32Array.of(0, 2))).values!]).toEqual([30, 32.6]);
  });

  test('of a changed file, or of rows that have none, are refused', async () => {
    verifies('evaluation.targets-joined', 'evaluation.data-changed');
    await using data = await dataFile('penguins.csv', penguins(30, { gaps: true }));
    const manifest = await profileDataset(data.path);
    await expect(readTargets(manifest, Uint32Array.of(9))).rejects.toMatchObject({ code: 'predictions_out_of_range' });
    await expect(readTargets(manifest, Uint32Array.of(30))).rejects.toMatchObject({ code: 'predictions_out_of_range' });
    await writeFile(data.path, penguins(30, { gaps: true }).replace('Adelie', 'Gentoo'));
    await expect(readTargets(manifest, Uint32Array.of(0))).rejects.toMatchObject({ code: 'dataset_changed' });
  });
});
