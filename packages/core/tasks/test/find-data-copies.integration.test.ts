import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256Text } from '@assay/files';
import { temporaryFolder, verifies } from '@assay/testkit';
import { findDataCopies } from '../src/find-data-copies.ts';

const rows = Array.from({ length: 12 }, (_, i) => [`${i}.5`, `名${i}`, i % 2 === 0 ? 'yes' : 'no']);
const csv = `x,name,label\n${rows.map((row) => row.join(',')).join('\n')}\n`;
const query = {
  datasetSha256: sha256Text(csv),
  datasetSize: Buffer.byteLength(csv),
  rows,
  signal: new AbortController().signal,
};

test('finds the data set under any name and in other forms, and nothing else', async () => {
  verifies('benchmark.copies-found');
  await using folder = await temporaryFolder();
  const put = async (name: string, content: string | Buffer) => {
    await mkdir(join(folder.path, name, '..'), { recursive: true });
    await writeFile(join(folder.path, name), content);
  };
  await put('data/original.bin', csv);
  await put('reordered.tsv', rows.map(([x, name, label]) => [label, name, x].join('\t')).join('\n'));
  await put('rows.jsonl', rows.map(([x, name, label]) => JSON.stringify({ x, name, label })).join('\n'));
  await put(
    'four-rows.csv',
    rows
      .slice(0, 4)
      .map((row) => row.join(','))
      .join('\n'),
  );
  await put('without-target.csv', rows.map(([x, name]) => [x, name].join(',')).join('\n'));
  await put('model.py', 'def predict(row):\n    return "yes"\n');
  await put('noise.bin', Buffer.alloc(100_000, 0xff));
  await symlink('/etc/passwd', join(folder.path, 'link'));
  const found = await findDataCopies(folder.path, query);
  expect(found.map((copy) => copy.path)).toEqual(['data/original.bin', 'reordered.tsv', 'rows.jsonl']);
  expect(found[0]!.reason).toBe('it is the data set itself');
});
