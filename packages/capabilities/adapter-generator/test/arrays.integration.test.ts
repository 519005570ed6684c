import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { chooseCandidate, parseScan, recogniseEntryPoints } from '../src/index.ts';
import { scanFolder } from './support/python.ts';
import { flowers, messages, type Table } from './support/tables.ts';

async function chosenWays(body: string, table: Table, parameter: string, returned = ''): Promise<string[]> {
  await using folder = await temporaryFolder('assay-arrays');
  const path = join(folder.path, 'model.py');
  await writeFile(
    path,
    `import numpy as np\n\n\nclass Threshold:\n    def predict(self, ${parameter})${returned}:\n        ${body}\n`,
  );
  const recognition = recogniseEntryPoints(parseScan(await scanFolder(folder.path)), { manifest: table.shape });
  return chooseCandidate(recognition, {}).ways.map(({ name }) => name);
}

describe('what code does with an array says what it is', () => {
  it.each([
    ['a column', 'return np.where(X[:, 0] > 2.5, "long", "round")'],
    ['the last column', 'return np.where(X[:, -1] > 1, "long", "round")'],
    ['a column, whatever comes before it', 'return np.where(X[..., 0] > 2.5, "long", "round")'],
    ['some columns', 'return np.where(X[:, 0:1] > 2.5, "long", "round").ravel()'],
    ['a cell of each row', 'return np.array(["long" if X[i, 0] > 2.5 else "round" for i in range(len(X))])'],
    ['a sum over each row', 'return np.where(X.sum(axis=1) > 3, "long", "round")'],
    ['a sum by a function over each row', 'return np.where(np.sum(X, axis=1) > 3, "long", "round")'],
    ['a product with weights', 'return np.where(X @ np.array([1.0, 0.5]) > 3, "long", "round")'],
    ['arithmetic on all of it', 'scaled = (X - 2) / 3\n        return np.where(scaled[:, 0] > 0, "long", "round")'],
  ])('%s: all rows at once as lists of numbers', async (_name, body) => {
    verifies('adapter.recognises-shapes');
    expect(await chosenWays(body, flowers, 'X: np.ndarray', ' -> np.ndarray')).toEqual(['all as feature vector']);
  });

  it('one item that becomes a table of one row is one item', async () => {
    const body = 'return "long" if (x[None, :] @ np.ones(2))[0] > 3 else "round"';
    expect(await chosenWays(body, flowers, 'x: np.ndarray')).toEqual(['one as feature vector']);
  });

  it('an array of texts is still texts', async () => {
    const body = 'return np.array(["pos" if "good" in text.lower() else "neg" for text in texts])';
    expect(await chosenWays(body, messages, 'texts: np.ndarray', ' -> np.ndarray')).toEqual(['all as text']);
  });
});
