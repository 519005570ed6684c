import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { chooseCandidate, writeAdapter } from '../src/index.ts';
import { fixture, recogniseFolder, runPython } from './support/python.ts';
import { messages } from './support/tables.ts';

const asking = `
import json, sys
import adapter

labels = adapter.LabelMap(adapter.PLAN["labels"])
print(json.dumps([labels.label(said) for said in sys.argv[1:]]))
`;

/** What the written adapter makes of answers when the names are the same but for case and blanks. */
async function mapped(labels: readonly string[], answers: readonly string[]): Promise<unknown> {
  const candidate = chooseCandidate(await recogniseFolder(fixture('text-function'), messages));
  const { code } = writeAdapter(candidate, {
    manifest: messages.shape,
    seed: 17,
    labels: { key: null, threshold: null, values: labels.map((label) => [label, label]), isFolded: true },
  });
  await using folder = await temporaryFolder('assay-folds');
  await writeFile(join(folder.path, 'adapter.py'), code);
  const { stdout, stderr } = await runPython(['-c', asking, ...answers], folder.path);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

it.each([
  ['case', ['POS', 'neg', 'pos'], ['pos', 'POS', 'Pos', 'NEG'], ['pos', 'POS', null, 'neg']],
  ['case, the other way round', ['pos', 'neg', 'POS'], ['pos', 'POS', 'Pos', 'NEG'], ['pos', 'POS', null, 'neg']],
  ['a hyphen', ['very-bad', 'very bad', 'good'], ['very-bad', 'very_bad', 'Good'], ['very-bad', null, 'good']],
  ['blanks', ['a  b', 'a b', 'c'], ['a  b', 'a b', 'A B', ' c '], ['a  b', 'a b', null, 'c']],
  ['a letter that folds to two', ['Maße', 'Masse', 'Gewicht'], ['Maße', 'MASSE', 'gewicht'], ['Maße', null, 'Gewicht']],
  ['three labels of one fold', ['x', 'X', ' x', 'y'], ['x', 'X', 'x ', 'Y'], ['x', 'X', null, 'y']],
])('a spelling that two labels could mean is mapped to neither: %s', async (_name, labels, answers, expected) => {
  verifies('adapter.other-question');
  expect(await mapped(labels, answers)).toEqual(expected);
});
