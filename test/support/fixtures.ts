import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes a folder of files; keys are paths. */
export async function writeTree(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  return folder;
}

/** 60 rows, two numeric columns and a label that a threshold on `x` decides, with four rows on the wrong side. */
export function pointsCsv(): string {
  const rows = Array.from({ length: 60 }, (_, i) => {
    const x = ((i * 37) % 100) / 10;
    const label = x > 5 === (i % 15 !== 0) ? 'high' : 'low';
    return `${x},${(i * 13) % 7},${label}`;
  });
  return `x,y,label\n${rows.join('\n')}\n`;
}

/** The smallest real classifier: no training, one row at a time. */
export const thresholdRepo: Readonly<Record<string, string>> = {
  'README.md': '# threshold\n\nCall `predict(row)` from `threshold.py`.\n',
  'threshold.py': `"""Labels a point by the size of x."""


def predict(row: dict) -> str:
    """The label of one row with the key "x"."""
    return "high" if row["x"] > 5 else "low"
`,
};
