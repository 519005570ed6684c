import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { profileDataset } from '@assay/evaluation';
import { temporaryFolder, verifies } from '@assay/testkit';
import { columnSample } from '../src/columns/column-sample.ts';
import { findDataCopies, type DataCopies } from '../src/find-data-copies.ts';

/** 200 rows whose labels, or numbers, have no order that could be guessed. */
const rows = Array.from({ length: 200 }, (_, row) => {
  const weyl = Math.imul(row + 1, 0x9e3779b1);
  const mixed = Math.imul(weyl ^ (weyl >>> 15), 0x85ebca6b) >>> 8;
  return { x: row, label: ['ham', 'spam', 'unsure'][mixed % 3]!, number: (mixed % 10_007) / 100 };
});

/** Writes what a repository may hold, in Python itself. */
const script = `
import array, json, pickle, sys
table = json.load(open(sys.argv[1]))
target = table["target"]
codes = {value: index for index, value in enumerate(sorted(set(target)))}
numbers = target if isinstance(target[0], float) else [codes[value] for value in target]
def save(name, value, protocol):
    with open(name + ".pkl", "wb") as file:
        pickle.dump(value, file, protocol)
for protocol in range(1, 6):
    save(f"codes-{protocol}", {"y": numbers}, protocol)
save("targets", [str(value) for value in target] if isinstance(target[0], str) else target, 4)
save("interned", [sys.intern(value) if isinstance(value, str) else value for value in target], 4)
save("doubles", array.array("d", numbers), 4)
save("floats", array.array("f", numbers), 4)
save("unrelated", [n % 3 for n in range(5000)] + [n * n % 7 / 10 for n in range(5000)], 4)
save("reversed", numbers[::-1], 4)
`;

async function searched(target: 'label' | 'number'): Promise<DataCopies> {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data.csv');
  await writeFile(data, `x,y\n${rows.map((row) => `${row.x},${row[target]}`).join('\n')}\n`);
  const signal = new AbortController().signal;
  const task = target === 'label' ? 'classification' : 'regression';
  const manifest = await profileDataset(data, { target: 'y', task, signal });
  const columns = await columnSample(manifest, signal);
  const table = join(folder.path, 'table.json');
  await writeFile(table, JSON.stringify({ target: rows.map((row) => row[target]) }));
  await promisify(execFile)('python3', ['-c', script, table], { cwd: folder.path });
  await Promise.all([rm(data), rm(table)]);
  const query = { datasetSha256: manifest.sha256, datasetSize: manifest.size, rows: [], columns, signal };
  return await findDataCopies(folder.path, query); // before the folder goes
}

test.for(['label', 'number'] as const)(
  'pickles that hold every %s in the order of the rows are found',
  async (target) => {
    verifies('benchmark.column-copies-found');
    const { copies } = await searched(target);
    expect(copies.map(({ path }) => path)).toEqual([
      'codes-1.pkl',
      'codes-2.pkl',
      'codes-3.pkl',
      'codes-4.pkl',
      'codes-5.pkl',
      'doubles.pkl',
      'floats.pkl',
      'interned.pkl',
      'targets.pkl',
    ]);
  },
);
