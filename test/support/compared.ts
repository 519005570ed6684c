import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeTree } from './fixtures.ts';

/** 400 rows; a threshold on `x` decides the label, with every fifteenth row on the wrong side. */
export function manyPointsCsv(): string {
  const rows = Array.from({ length: 400 }, (_, i) => {
    const x = ((i * 37) % 1000) / 100;
    return `${x},${(i * 13) % 7},${x > 5 === (i % 15 !== 0) ? 'high' : 'low'}`;
  });
  return `x,y,label\n${rows.join('\n')}\n`;
}

const threshold = `"""Labels a point by the size of x."""


def predict(row: dict) -> str:
    """The label of one row with the key "x"."""
    return "high" if row["x"] > 5 else "low"
`;

const coin = `"""Labels a point by chance."""
import random

SEED = 3


def predict(row: dict) -> str:
    """The label of one row with the key "x"."""
    draw = random.Random(f"{SEED} {row['x']} {row['y']}").random()
    return "high" if draw > 0.5 else "low"
`;

const breaks = `calls = 0


def predict(row: dict) -> str:
    """The label of one row with the key "x"."""
    global calls
    calls += 1
    if calls > 20:
        raise ValueError("cannot do that many")
    return "high" if row["x"] > 5 else "low"
`;

/** Repositories by what they are: one that is good, one that guesses, two disguises of it, and one that breaks in its formal run. */
export const repositories: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  threshold: { 'model.py': threshold },
  coin: { 'model.py': coin },
  disguised: {
    'README.md': '# A better model\n',
    'model.py': coin
      .replace('"""Labels a point by chance."""', '"""State of the art."""\n# nothing else changed')
      .replace('    draw =', '    # a clever step\n    draw  =')
      .replaceAll('\n    ', '\n        '),
  },
  reseeded: { 'model.py': coin.replace('SEED = 3', 'SEED = 4') },
  breaks: { 'model.py': breaks },
};

/** Writes the repositories and the data into a folder and gives the path of the data. */
export async function writeCompared(folder: string): Promise<string> {
  for (const [name, files] of Object.entries(repositories)) await writeTree(join(folder, name), files);
  const data = join(folder, 'points.csv');
  await writeFile(data, manyPointsCsv());
  return data;
}
