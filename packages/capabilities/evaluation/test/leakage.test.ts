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

  test('are names and numbers of the rows that hold the label', async () => {
    verifies('data.leakage');
    const kind = (i: number) => (isCat(i) ? 'cat' : 'dog');
    expect(await signs(table((i) => [`${kind(i)}_${i}`], ['picture']))).toEqual([['predicts-target', 'picture']]);
    expect(await signs(table((i) => [`images/${kind(i)}/${i * 3}.png`], ['path']))).toEqual([
      ['predicts-target', 'path'],
    ]);
    expect(await signs(table((i) => [`患者${isCat(i) ? '甲' : '乙'}${i}`], ['病历']))).toEqual([
      ['predicts-target', '病历'],
    ]);
    const digit = (i: number) => noise(i * 11) * 1000 + i * 10 + (isCat(i) ? 2 : 7);
    expect(await signs(table((i) => [digit(i)], ['case_id']))).toEqual([
      ['predicts-target', 'case_id'],
      ['row-id', 'case_id'],
    ]);
    // The last digit of what is no name of a row is a quantity; names that say nothing are no sign.
    expect(await signs(table((i) => [digit(i)], ['amount']))).toEqual([]);
    expect(await signs(table((i) => [`img_${i}`], ['picture']))).toEqual([]);
    expect(await signs(table((i) => [`a${noise(i * 3)}b${'xyz'[i % 3]}`], ['picture']))).toEqual([]);
  });

  test('are names that hold the name of the target as a word, in any script', async () => {
    verifies('data.leakage');
    const zh = (file: string, column = 'z') => {
      const text = table((i) => [i % 4], [column]).replace(/label$/m, '标签');
      return signs(text, { target: '标签' }, file);
    };
    expect(await zh('带标签的数据.csv')).toEqual([['target-in-name', '标签']]);
    expect(await zh('训练标签.csv')).toEqual([['target-in-name', '标签']]);
    expect(await zh('数据.csv', '标签编码')).toEqual([['target-in-name', '标签编码']]);
    expect(await zh('标准数据.csv')).toEqual([]);
    const en = (file: string, column = 'z') => {
      const text = table((i) => [i % 4], [column]).replace(/label$/m, 'age');
      return signs(text, { target: 'age' }, file);
    };
    expect(await en('images.csv', 'average')).toEqual([]);
    expect(await en('by_age.csv')).toEqual([['target-in-name', 'age']]);
    expect(await en('data.csv', 'userAge')).toEqual([['target-in-name', 'userAge']]);
  });

  test('are groups and times with Chinese names, and no nested values', async () => {
    verifies('data.leakage');
    expect(await signs(table((i) => [`p${noise(i * 3) % 40}`], ['患者编号']))).toEqual([['group-like', '患者编号']]);
    expect(await signs(table((i) => [2000 + (noise(i * 3) % 20)], ['就诊年份']))).toEqual([['time-like', '就诊年份']]);
    const nested = Array.from({ length: 200 }, (_, i) =>
      JSON.stringify({ x: noise(i), user: { city: `c${noise(i * 3) % 5}` }, label: isCat(i) ? 'cat' : 'dog' }),
    ).join('\n');
    expect(await signs(nested, {}, 'rows.jsonl')).toEqual([]);
    const flat = nested.replaceAll(/\{"city":("c\d")\}/g, '$1');
    expect(await signs(flat, {}, 'rows.jsonl')).toEqual([['group-like', 'user']]);
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
    expect(warnings.join()).toMatch(/they are handed out shuffled and under new numbers/);
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
    const spelled = (i: number) => ['Red  Apple', 'red apple', ' RED APPLE', 'ｒｅｄ apple'][i % 4]!;
    const near = Array.from(
      { length: 60 },
      (_, i) => `${i % 4 === 0 ? `pear ${i}` : spelled(i)},${i % 2 ? 'a' : 'b'}\n`,
    );
    await using almost = await dataFile('n.csv', `x,label\n${near.join('')}`);
    const close = await prepareData(await profileDataset(almost.path), almost.folder.path, {
      training: true,
      seed: 17,
    });
    const exact = Array.from(close.handedOut).filter((row) => row % 4 !== 0);
    expect(close.leakage.map(({ says }) => says)).toEqual([
      expect.stringContaining(
        `${exact.length} of the ${close.handedOut.length} rows that are evaluated have the same inputs`,
      ),
    ]);
    // Each spelling but one stands on one side only.
    const once = Array.from(
      { length: 40 },
      (_, i) => `${i % 2 ? `Word ${i - 1}` : `word  ${i}`},${i % 4 < 2 ? 'a' : 'b'}\n`,
    );
    await using pairs = await dataFile('o.csv', `x,label\n${once.join('')}`);
    const split = await prepareData(await profileDataset(pairs.path), pairs.folder.path, { training: true, seed: 17 });
    const apart = Array.from(split.handedOut).filter((row) => split.trainRows.includes(row ^ 1)).length;
    expect(apart).toBeGreaterThan(0);
    expect(split.leakage.map(({ says }) => says)).toEqual([
      `${apart} of the ${split.handedOut.length} rows that are evaluated have the inputs of a training row but for spaces, capital letters or wide characters`,
    ]);
    await using all = await dataFile('a.csv', 'x,label\n1,a\n1,a\n2,b\n3,a\n2,a\n');
    const prepared = await prepareData(await profileDataset(all.path), all.folder.path, { training: false, seed: 17 });
    expect(prepared.leakage.map(({ says }) => says)).toEqual([
      '4 of the 5 rows that are evaluated share their inputs with another one: 2 with the same label, 2 where labels differ',
    ]);
  });
});
