import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { assertProperty, verifies } from '@assay/testkit';
import { evaluate, prepareData, profileDataset } from '../src/index.ts';
import { splitGroups } from '../src/split/group-split.ts';
import { splitByTime } from '../src/split/time-split.ts';
import { dataFile } from './data-files.ts';

/** Twelve patients with five visits each; the label goes with the patient, the day counts on. */
const visits = `patient_id,day,x,outcome\n${Array.from({ length: 60 }, (_, i) => `p${i % 12},2024-01-${String(1 + (i >> 1)).padStart(2, '0')},${(i * 7) % 31},${(i % 12) % 3 === 0 ? 'ill' : 'well'}`).join('\n')}\n`;

async function lines(folder: string, name: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(folder, name), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('a split by groups', () => {
  test('keeps every group on one side, near the wanted share of each label', async () => {
    verifies('data.group-split');
    await using data = await dataFile('visits.csv', visits);
    const manifest = await profileDataset(data.path, { target: 'outcome', group: 'patient_id' });
    expect(manifest).toMatchObject({ groupColumn: 'patient_id', inputColumns: ['day', 'x'] });
    expect(manifest.reasons).toContain('"patient_id" is not an input: it names the group of a row');
    const prepared = await prepareData(manifest, data.folder.path, { training: true, seed: 17 });
    const rows = visits.split('\n').slice(1);
    const groupOf = (row: number) => rows[row]!.split(',')[0];
    const test = new Set(Array.from(prepared.handedOut, groupOf));
    const train = new Set(Array.from(prepared.trainRows, groupOf));
    expect([...test].filter((group) => train.has(group))).toEqual([]);
    expect(prepared.split).toMatchObject({
      method: 'grouped',
      group: { column: 'patient_id', train: train.size, handedOut: test.size },
      handedOut: 15,
      train: 45,
    });
    expect(Object.keys((await lines(data.folder.path, 'dataset.jsonl'))[0]!)).toEqual(['row_index', 'day', 'x']);
  });

  test('is the same for the same data and seed, and leaves no side empty', async () => {
    verifies('data.group-split');
    const groups = fc.array(fc.tuple(fc.nat(9), fc.nat(2)), { minLength: 2, maxLength: 80 });
    await assertProperty(
      fc.asyncProperty(groups, fc.nat(1000), async (pairs, seed) => {
        const numbers = new Map<number, number>();
        for (const [group] of pairs) if (!numbers.has(group)) numbers.set(group, numbers.size);
        const request = {
          rows: Uint32Array.from(pairs.keys()),
          groups: Uint32Array.from(pairs, ([group]) => numbers.get(group)!),
          codes: Uint32Array.from(pairs, ([, code]) => code),
          seed,
          testFraction: 0.3,
        };
        const split = splitGroups(request);
        expect(splitGroups(request)).toEqual(split);
        const side = new Map<number, string>();
        for (const [name, rows] of [
          ['train', split.train],
          ['test', split.test],
        ] as const)
          for (const row of rows) {
            expect(side.get(request.groups[row]!) ?? name).toBe(name);
            side.set(request.groups[row]!, name);
          }
        expect(split.train.length + split.test.length).toBe(pairs.length);
        expect(split.train.length).toBeGreaterThan(0);
        expect(split.test.length > 0).toBe(numbers.size > 1);
      }),
      { name: 'group-split', test: import.meta.url, numRuns: 300 },
    );
  });
});

describe('a split by time', () => {
  test('trains on what is earlier; equal times stay together and rows without a time are left out', async () => {
    verifies('data.time-split');
    const rows = Array.from(
      { length: 20 },
      (_, i) => `${i === 5 ? '' : `${1 + (i % 10)}.2.2024`},${i},${'ab'[i % 2]!}`,
    );
    await using data = await dataFile('t.csv', `when,x,label\n31.1.2024,99,a\n${rows.join('\n')}\n`);
    const manifest = await profileDataset(data.path, { time: 'when' });
    const prepared = await prepareData(manifest, data.folder.path, { training: true, seed: 17 });
    // 20 rows have a time; those of the 8th, 9th and 10th are six, which is 30 %.
    expect(Array.from(prepared.handedOut)).toEqual([8, 9, 10, 18, 19, 20]);
    expect(prepared.trainRows).toHaveLength(14);
    expect(prepared.split).toMatchObject({ method: 'time', time: { column: 'when', from: 1707350400, without: 1 } });
    expect(
      splitByTime({ rows: Uint32Array.of(0, 1, 2), times: Float64Array.of(5, 5, 5), testFraction: 0.3 }),
    ).toBeUndefined();
  });

  test('and other columns that cannot be used are refused', async () => {
    verifies('data.time-split', 'data.group-split');
    await using data = await dataFile('v.csv', 'when,site,x,label\n1/2/2024,s,1,a\n3/4/2024,s,2,b\n');
    const refused = (hints: object) => expect(profileDataset(data.path, hints)).rejects;
    await refused({ time: 'when' }).toMatchObject({
      code: 'invalid_request',
      hint: 'Write its dates as year-month-day.',
    });
    await refused({ time: 'site' }).toMatchObject({ code: 'invalid_request' });
    await refused({ group: 'site' }).toMatchObject({
      code: 'invalid_request',
      hint: 'Name a column with more groups.',
    });
    await refused({ group: 'label' }).toMatchObject({ code: 'invalid_request' });
    await refused({ group: 'x', time: 'x' }).toMatchObject({ code: 'invalid_request' });
    await refused({ group: 'y' }).toMatchObject({ code: 'column_missing' });
  });
});

describe('intervals over groups', () => {
  test('are wider when the rows of a group go together, and name the groups', async () => {
    verifies('data.group-intervals');
    const size = 20;
    const count = 30;
    const groups = Uint32Array.from({ length: size * count }, (_, i) => Math.floor(i / size));
    const targets = Array.from(groups, () => 'a');
    const predictions = Array.from(groups, (group) => (group % 3 === 0 ? 'b' : 'a'));
    const plain = (await evaluate({ task: 'classification', targets, predictions })).intervals['accuracy']!;
    const grouped = (await evaluate({ task: 'classification', targets, predictions, groups })).intervals['accuracy']!;
    expect(grouped.method).toBe('bootstrap percentile over 30 groups, B=2000, seed=17');
    // The mean of 30 groups with share 2/3 has a standard deviation of 0.086: an interval of about ± 0.169.
    expect(grouped.high - grouped.low).toBeGreaterThan(0.3);
    expect(grouped.high - grouped.low).toBeLessThan(0.37);
    expect(plain.high - plain.low).toBeLessThan(0.09);
    const values = Float64Array.from(groups, (group) => group);
    const regression = await evaluate({
      task: 'regression',
      targets: values,
      predictions: values.map((value, i) => value + (groups[i]! % 2)),
      groups,
    });
    expect(regression.metrics['mae']).toBe(0.5);
    expect(regression.intervals['mae']!.low).toBeCloseTo(0.333, 1);
  });

  test('are those of single rows when every group is one row', async () => {
    verifies('data.group-intervals');
    const targets = Float64Array.from({ length: 50 }, (_, i) => (i * 37) % 11);
    const predictions = targets.map((value, i) => value + ((i * 13) % 7) / 7);
    const one = await evaluate({ task: 'regression', targets, predictions });
    const each = await evaluate({ task: 'regression', targets, predictions, groups: Uint32Array.from(targets.keys()) });
    expect(each.metrics).toEqual(one.metrics);
    for (const name of ['mse', 'mae', 'rmse', 'r2']) {
      const wide = one.intervals[name]!.high - one.intervals[name]!.low;
      expect(Math.abs(each.intervals[name]!.low - one.intervals[name]!.low), name).toBeLessThan(wide / 8);
    }
  });
});
