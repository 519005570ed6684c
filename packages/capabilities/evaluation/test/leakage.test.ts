import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { prepareData, profileDataset } from '../src/index.ts';
import { dataFile } from './data-files.ts';

const noise = (i: number) => (Math.imul(i + 1, 0x9e3779b1) >>> 8) % 1000;

/** 200 rows: `label` is random, `code` says it in other words, `hint` nearly always, `x` never. */
function table(extra: (i: number) => readonly (string | number)[], names: readonly string[]): string {
  const rows = Array.from({ length: 200 }, (_, i) =>
    [noise(i), ...extra(i), noise(i * 7 + 3) < 500 ? 'cat' : 'dog'].join(','),
  );
  return `x,${names.join(',')},label\n${rows.join('\n')}\n`;
}
const isCat = (i: number) => noise(i * 7 + 3) < 500;

async function signs(content: string, hints: Parameters<typeof profileDataset>[1] = {}, name = 'data.csv') {
  await using data = await dataFile(name, content);
  const { leakage = [], warnings } = await profileDataset(data.path, hints);
  for (const { says } of leakage) expect(warnings).toContain(says);
  return leakage.map(({ kind, columns }) => [kind, ...columns]);
}

describe('signs of leakage', () => {
  test('are columns that say the target in other words', async () => {
    verifies('data.leakage');
    expect(await signs(table((i) => [isCat(i) ? 'CAT' : 'DOG'], ['code']))).toEqual([['determines-target', 'code']]);
    expect(await signs(table((i) => [(isCat(i) ? 0 : 10) + (i % 3)], ['code']))).toEqual([
      ['determines-target', 'code'],
    ]);
    expect(await signs(table((i) => [isCat(i) === (i !== 77) ? 1 : 0], ['hint']))).toEqual([
      ['predicts-target', 'hint'],
    ]);
    expect(await signs(table((i) => [(isCat(i) ? 0 : 1000) + noise(i)], ['size']))).toEqual([
      ['predicts-target', 'size'],
    ]);
    expect(await signs(table((i) => [noise(i * 3), i % 4], ['y', 'z']))).toEqual([]);
  });

  test('are numbers that the target follows', async () => {
    verifies('data.leakage');
    const rows = Array.from({ length: 100 }, (_, i) =>
      [noise(i), noise(i) * 9 + 32, noise(i) ** 3, noise(i * 5)].join(','),
    );
    expect(await signs(`target,fahrenheit,cube,other\n${rows.join('\n')}`, { target: 'target' })).toEqual([
      ['determines-target', 'fahrenheit'],
      ['determines-target', 'cube'],
    ]);
  });

  test('are ids, order, names, groups and times', async () => {
    verifies('data.leakage');
    expect(await signs(table((i) => [i * 3 + 1], ['number']))).toEqual([['row-id', 'number']]);
    const sorted = table(() => [1], ['c'])
      .trim()
      .split('\n');
    const ordered = [sorted[0]!, ...sorted.slice(1).sort((a, b) => a.slice(-3).localeCompare(b.slice(-3)))].join('\n');
    expect(await signs(ordered)).toEqual([['ordered-by-target', 'label']]);
    await using inOrder = await dataFile('ordered.csv', ordered);
    const { warnings } = await profileDataset(inOrder.path);
    expect(warnings.join()).toMatch(/looks at a row's position could guess its label; shuffle the rows/);
    expect(await signs(table((i) => [noise(i * 3)], ['label_enc']))).toEqual([['target-in-name', 'label_enc']]);
    expect(
      await signs(
        table((i) => [i % 4], ['z']),
        {},
        'train_label.csv',
      ),
    ).toEqual([['target-in-name', 'label']]);
    expect(await signs(table((i) => [`p${noise(i * 3) % 40}`], ['patient_id']))).toEqual([
      ['group-like', 'patient_id'],
    ]);
    expect(
      await signs(
        table((i) => [`p${noise(i * 3) % 40}`], ['patient_id']),
        { group: 'patient_id' },
      ),
    ).toEqual([]);
    expect(await signs(table((i) => [`2024-01-${10 + (noise(i * 3) % 18)}`], ['seen']))).toEqual([
      ['time-like', 'seen'],
    ]);
    expect(
      await signs(
        table((i) => [`2024-01-${10 + (noise(i * 3) % 18)}`], ['seen']),
        { time: 'seen' },
      ),
    ).toEqual([]);
  });

  test('are rows and groups on both sides of the split, counted exactly', async () => {
    verifies('data.leakage-split');
    const rows = Array.from(
      { length: 60 },
      (_, i) => `${i % 20},s${i % 6},${i >= 40 && i % 20 < 4 ? 'b' : 'a'}\n`,
    ).join('');
    await using data = await dataFile('d.csv', `x,site,label\n${rows}`);
    const manifest = await profileDataset(data.path, { input: ['x'] });
    const { handedOut, trainRows, leakage } = await prepareData(manifest, data.folder.path, {
      training: true,
      seed: 17,
    });
    const label = (row: number) => (row >= 40 && row % 20 < 4 ? 'b' : 'a');
    const same = Array.from(handedOut).filter((row) => trainRows.some((other) => other % 20 === row % 20));
    const agree = same.filter((row) =>
      trainRows.some((other) => other % 20 === row % 20 && label(other) === label(row)),
    );
    expect(leakage).toEqual([
      {
        kind: 'group-like',
        columns: ['site'],
        says: '6 of the 6 values of "site" stand on both sides of the split: say --group to keep the rows of one together',
      },
      {
        kind: 'duplicate-rows',
        columns: [],
        says: `${same.length} of the ${handedOut.length} rows that are evaluated have the same inputs as a training row: ${agree.length} with the same label, ${same.length - agree.length} with another`,
      },
    ]);
    await using all = await dataFile('a.csv', 'x,label\n1,a\n1,a\n2,b\n3,a\n2,a\n');
    const prepared = await prepareData(await profileDataset(all.path), all.folder.path, { training: false, seed: 17 });
    expect(prepared.leakage.map(({ says }) => says)).toEqual([
      '4 of the 5 rows that are evaluated share their inputs with another one: 2 with the same label, 2 where labels differ',
    ]);
  });
});
