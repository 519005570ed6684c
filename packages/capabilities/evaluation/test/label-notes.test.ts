import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { labelNotes, profileDataset } from '../src/index.ts';
import { dataFile } from './data-files.ts';

const notesOf = (...labels: string[]) => labelNotes(labels.map((label, at) => ({ label, count: at + 1 })));

test('labels that differ only in how they are written are named with what differs, and stay apart', () => {
  verifies('evaluation.look-alike-labels');
  expect(notesOf('yes', 'no')).toEqual([]);
  expect(notesOf('yes', ' yes', 'no')).toEqual([
    'the labels "yes" (1 row) and " yes" (2 rows) differ only in blanks; each is a class of its own',
  ]);
  expect(notesOf('Yes', 'yes')[0]).toContain('differ only in case;');
  expect(notesOf('A1', 'Ａ１')[0]).toContain('differ only in the width or form of characters;');
  expect(notesOf('café', 'cafe\u0301')[0]).toContain('differ only in how characters are composed;');
  expect(notesOf('yes', 'YES\u200b')[0]).toContain('differ only in blanks and case;');
  const many = Array.from({ length: 7 }, (_, at) => [`word${at}`, `WORD${at}`]).flat();
  expect(notesOf(...many)).toHaveLength(6);
  expect(notesOf(...many).at(-1)).toBe('and 2 more groups of labels are as alike');
});

test('labels that differ by a slip of one letter are named, names with numbers or letters of their own are not', () => {
  verifies('evaluation.look-alike-labels');
  for (const [a, b] of [['positive', 'postive'], ['Gentoo', 'Gentooo'], ['setosa', 'setsoa'], ['banana', 'banena']])
    expect(notesOf(a!, b!), b).toEqual([
      `the labels "${a}" (1 row) and "${b}" (2 rows) differ in one letter; each is a class of its own`,
    ]); // prettier-ignore
  for (const labels of [
    ['class 1', 'class 2'],
    ['type A', 'type B'],
    ['grade10', 'grade11'],
    ['cat', 'car'],
    ['increase', 'decrease'],
  ])
    expect(notesOf(...labels)).toEqual([]);
});

async function profiled(cells: readonly string[], options: { task?: 'classification' | 'regression' } = {}) {
  const rows = cells.map((cell, row) => `${row},"${cell}"`).join('\n');
  await using data = await dataFile('rows.csv', `x,target\n${rows}\n`);
  return await profileDataset(data.path, { target: 'target', ...options }); // before the file goes
}

const targetNotes = async (cells: readonly string[]) =>
  (await profiled(cells)).warnings.filter((warning) => /target|labels/.test(warning));

test('money, percentages and infinite values are recognised, and why they are classes is said', async () => {
  verifies('evaluation.number-texts');
  expect(await targetNotes(['$1,200', '$900', '$15.50', '$900'])).toEqual([
    'column "target" holds amounts of money, such as "$1,200": they are text here, so that each is a class of its own; to have numbers, write plain numbers, without the currency',
  ]);
  expect((await targetNotes(['12 €', '1.200 €', '7 €']))[0]).toContain('amounts of money, such as "12 €"');
  expect((await targetNotes(['12 %', '13%', '7.5%']))[0]).toContain('percentages, such as "12 %"');
  expect((await targetNotes(['1.5', 'inf', '2.5', '-inf']))[0]).toContain(
    'infinite values among numbers, such as "inf"',
  );
  expect(await targetNotes(['inf', 'sup', 'inf', 'sup'])).toEqual([]);
  expect(await targetNotes(['5 km', '6 km'])).toEqual([]);
  const { columns } = await profiled(['$1', '$2']);
  expect(columns[1]!.writtenAs).toEqual({ form: 'money', example: '$1' });
});

test('a regression on such texts is refused with what was recognised and what to do', async () => {
  verifies('evaluation.number-texts');
  await expect(profiled(['$1', '$2', '$3'], { task: 'regression' })).rejects.toMatchObject({
    code: 'target_unsuitable',
    why: 'Its cells are amounts of money, such as "$1", and a regression needs numbers.',
    hint: 'Write plain numbers, without the currency; then it can be the target of a regression.',
  });
  const many = Array.from({ length: 1100 }, (_, row) => `${row}.5%`);
  await expect(profiled(many)).rejects.toMatchObject({
    code: 'target_unsuitable',
    hint: 'Write plain numbers, without the percent sign; then it can be the target of a regression.',
  });
});

test('that booleans are compared in one spelling is said', async () => {
  verifies('evaluation.look-alike-labels');
  expect(await targetNotes(['True', 'False', 'True'])).toEqual([
    'labels are compared in one spelling: "True" as true, "False" as false',
  ]);
  expect(await targetNotes(['true', 'false'])).toEqual([]);
});
