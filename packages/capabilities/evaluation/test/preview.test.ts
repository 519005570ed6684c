import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataPreviewSchema, type ProfileData } from '@assay/contracts';
import { temporaryFolder, verifies, type TemporaryFolder } from '@assay/testkit';
import { answeredReading, previewOf, profileDataset, readProfile } from '../src/index.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

let files = 0;

async function previewed(content: string | Buffer, said: ProfileData = {}, name = 'table.csv') {
  const path = join(folder.path, `${++files}-${name}`);
  await writeFile(path, content);
  const { reading, choices } = await answeredReading(path, said);
  return { path, ...dataPreviewSchema.parse(previewOf(await readProfile(path, reading), said, choices)) };
}

const rows = Array.from({ length: 60 }, (_, i) => ({
  size: i % 10,
  weight: (i * 37) % 60,
  patient: `p${i % 12}`,
  seen: `2026-0${1 + (i % 9)}-10`,
  kind: i % 3 === 0 ? 'red' : 'blue',
}));
const table = `size,weight,patient,seen,kind\n${rows.map((row) => Object.values(row).join(',')).join('\n')}\n`;

describe('the preview of a data file', () => {
  test('describes each column, and its counts add up to the rows', async () => {
    verifies('data.preview');
    const holes = table.replace('\n0,0,p0', '\n,0,p0').replace('\n1,37,p1', '\nNA,37,p1');
    const { columns, manifest, rows: first } = await previewed(holes);
    expect(manifest.rowCount).toBe(60);
    expect(columns.map(({ name, missing }) => [name, missing])).toEqual([
      ['size', 2],
      ['weight', 0],
      ['patient', 0],
      ['seen', 0],
      ['kind', 0],
    ]);
    for (const { name, missing, distribution } of columns) {
      if (distribution === null || distribution.kind === 'none') throw new Error(`${name} has no distribution`);
      expect(distribution.rows + missing, name).toBe(60);
      if ('bins' in distribution)
        expect(
          distribution.bins.reduce((a, b) => a + b, 0),
          name,
        ).toBe(distribution.rows);
      if (distribution.kind === 'values')
        expect(distribution.top.reduce((sum, { count }) => sum + count, distribution.others.rows)).toBe(60);
    }
    expect(columns[0]!.distribution).toMatchObject({
      kind: 'numbers',
      min: 0,
      max: 9,
      bins: Array(10)
        .fill(0)
        .map((_, i) => (i < 2 ? 5 : 6)),
    });
    expect(columns[1]!.distribution).toMatchObject({
      kind: 'numbers',
      min: 0,
      max: 59,
      mean: expect.closeTo(29.5) as number,
    });
    expect(columns[2]!.distribution).toMatchObject({ kind: 'values', others: { values: 4, rows: 20 } });
    expect(columns[3]!.distribution).toMatchObject({ kind: 'dates', first: '2026-01-10', last: '2026-09-10' });
    expect(columns[4]!.distribution).toMatchObject({
      top: [
        { value: 'blue', count: 40 },
        { value: 'red', count: 20 },
      ],
    });
    expect(first).toHaveLength(12);
    expect(first[2]).toEqual([2, 14, 'p2', '2026-03-10', 'blue']);
  });

  test('is the profile of a plan, proposes target and split, and follows what is said', async () => {
    verifies('data.preview');
    const guessed = await previewed(table);
    expect(guessed.manifest).toEqual(await profileDataset(guessed.path));
    expect(guessed.candidates).toEqual([{ column: 'kind', confidence: 0.5, because: 'last-column' }]);
    expect(guessed.split).toEqual({ by: 'group', column: 'patient', because: 'group-like' });
    expect(guessed.columns.map(({ asGroup, asTime }) => [asGroup, asTime])).toEqual([
      [true, true],
      [false, true],
      [true, false],
      [true, true],
      [true, false],
    ]);
    const said = await previewed(table, { target: 'weight', time: 'seen' });
    expect(said.candidates).toEqual([{ column: 'weight', confidence: 1, because: 'said' }]);
    expect(said.manifest).toMatchObject({ targetColumn: 'weight', suggestedTask: 'regression', timeColumn: 'seen' });
    expect(said.split).toEqual({ by: 'time', column: 'seen', because: 'said' });
    const named = await previewed('a,label\n1,x\n2,y\n');
    expect(named.candidates).toEqual([{ column: 'label', confidence: 0.95, because: 'name' }]);
    expect(named.split).toEqual({ by: 'random', column: null, because: 'usual' });
  });

  test.each<[string, ProfileData, string]>([
    ['a target of one value', { target: 'same' }, 'target_unsuitable'],
    ['a target that is not there', { target: 'nothing' }, 'column_missing'],
    ['a target among its inputs', { target: 'kind', input: ['kind'] }, 'invalid_request'],
    ['two ways to split', { group: 'size', time: 'size' }, 'invalid_request'],
  ])('shows the columns also with %s, and says what stands against it', async (_, said, code) => {
    verifies('data.preview-open-questions');
    const { problem, columns } = await previewed('size,kind,same\n1,a,x\n2,b,x\n3,a,x\n', said);
    expect(problem).toMatchObject({ code });
    expect(columns[2]!.asTarget).toHaveProperty('refusal');
    expect(columns[1]!.asTarget).toEqual({ task: 'classification' });
  });

  test('shows an open question answered with what is likeliest, and its alternatives', async () => {
    verifies('data.preview-open-questions');
    const { choices, manifest } = await previewed('1.5,2,7\n2.5,3,8\n3.5,4,7\n');
    expect(choices).toMatchObject([
      { field: 'header', taken: 'absent', options: [{ value: 'absent' }, { value: 'present' }] },
    ]);
    expect(manifest.rowCount).toBe(3);
    const answered = await previewed('1.5,2,7\n2.5,3,8\n3.5,4,7\n', { header: 'present' });
    expect(answered.choices).toEqual([]);
    expect(answered.manifest.rowCount).toBe(2);
  });

  test('of more values than are counted is made from a sample, and says so', async () => {
    verifies('data.preview');
    const many = `n,word\n${Array.from({ length: 30_000 }, (_, i) => `${i / 2},w${i}`).join('\n')}\n`;
    const { columns } = await previewed(many);
    expect(columns[0]!.distribution).toMatchObject({ kind: 'numbers', sampled: true, min: 0 });
    expect(columns[1]!.distribution).toEqual({ kind: 'many', rows: 30_000 });
  });

  test('of numbers in another style, of huge ones and of none has finite numbers', async () => {
    verifies('data.preview');
    const { columns } = await previewed('a;b;c\n1,5;1e308;\n2,5;-1e308;\n10,5;0;\n', { delimiter: ';', decimal: ',' });
    expect(columns[0]!.distribution).toMatchObject({ kind: 'numbers', min: 1.5, max: 10.5 });
    expect(columns[2]!.distribution).toEqual({ kind: 'none' });
    expect(JSON.stringify(columns)).not.toContain('null,');
  });
});
