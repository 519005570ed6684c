import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sha256Text } from '@assay/files';
import { profileDataset } from '@assay/evaluation';
import { temporaryFolder, verifies } from '@assay/testkit';
import { columnSample, type ColumnSample } from '../src/columns/column-sample.ts';
import { findDataCopies, searchNotes, type DataCopies } from '../src/find-data-copies.ts';
import { tellingRow } from '../src/row-finder.ts';
import { unpackedPiecesOf } from '../src/text-pieces.ts';

const labels = ['良い 映画', "c'est bon", 'so so'];
const rows = Array.from({ length: 12 }, (_, i) => [`${i}.50`, `${i * 7}`, `名${i} word`, labels[i % 3]!] as const);
const csv = `x,n,name,label\n${rows.map((row) => row.join(',')).join('\n')}\n`;

function query(of: readonly (readonly string[])[] = rows, signal = new AbortController().signal) {
  return {
    datasetSha256: sha256Text(csv),
    datasetSize: Buffer.byteLength(csv),
    rows: of.map(tellingRow).filter((row) => row !== undefined),
    signal,
  };
}

const lines = (write: (row: (typeof rows)[number]) => string, between = '\n') => rows.map(write).join(between);
const py = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
const objects = rows.map(([x, n, name, label]) => ({ x: Number(x), n: Number(n), name, label }));
const ascii = (text: string) =>
  text.replaceAll(/[^\u0020-\u007e\n]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** One file for each form in which the twelve rows may stand in a repository. */
const forms: Readonly<Record<string, string | Buffer>> = {
  'the-file-itself.bin': csv,
  'semicolons.csv': lines((row) => row.join(';')),
  'quoted.csv': lines((row) => row.map((cell) => `"${cell}"`).join(',')),
  'reordered.tsv': lines(([x, n, name, label]) => [label, name, x, n].join('\t')),
  'windows-lines.csv': csv.replaceAll('\n', '\r\n') + 'and more',
  'utf16.csv': Buffer.from(`\ufeff${csv}`, 'utf16le'),
  'lines.jsonl': lines(([x, n, name, label]) => JSON.stringify({ x, n, name, label })),
  'pretty.json': JSON.stringify(objects, null, 4),
  'ascii.json': ascii(JSON.stringify(objects, null, 1)),
  'array-per-line.json': `[\n${objects.map((row) => `${JSON.stringify(Object.values(row))},`).join('\n')}\n]`,
  'one-line.json': JSON.stringify(objects),
  'tuples.py': `ROWS = [${lines(([x, n, name, label]) => `(${x}, ${n}, ${py(name)}, ${py(label)})`, ', ')}]\n`,
  'dicts.py': lines(([x, n, name, label]) => `add({'x': ${x}, 'n': ${n}, 'name': ${py(name)}, 'label': ${py(label)}})`),
  'keywords.py': lines(([x, n, name, label]) => `Row(x=${x}, n=${n}, name=${py(name)}, label=${py(label)})`),
  'string.py': `DATA = "${lines((row) => row.join(','), '\\n')}"\n`,
  'rules.py': lines(([x, n, name, label]) => `if x == ${x} and n == ${n} and name == ${py(name)}: return ${py(label)}`),
  'vectors.R': lines(([x, n, name, label]) => `rows[[k]] <- c(${x}, ${n}L, "${name}", "${label}")`),
  'inserts.sql': lines(
    ([x, n, name, label]) => `INSERT INTO t VALUES (${x}, ${n}, '${name}', '${label.replace("'", "''")}');`,
  ),
  'table.md': `| x | n | name | label |\n| --- | --- | --- | --- |\n${lines((row) => `| ${row.join(' | ')} |`)}`,
  'table.html': lines((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`),
  'numbers.csv': lines(([x, n, name, label]) => `${Number(x).toExponential()},+${n}.0,${name},${label}`),
  'packed.csv.gz': gzipSync(csv),
  'aligned.txt': lines((row) => row.join('     ')),
  'more-columns.csv': lines(([x, n, name, label]) => [x, 17, 4, 25, n, 9.5, 33, 21, 8, name, 44, 2.5, label].join(',')),
  'indexed.py': lines(
    ([x, n, name, label]) => `if f[0] == ${x} and f[1] == ${n} and f[2] == ${py(name)}: return ${py(label)}`,
  ),
  'five-rows.csv': lines((row) => row.join(','))
    .split('\n')
    .slice(3, 8)
    .join('\n'),
};

async function searched(
  files: Readonly<Record<string, string | Buffer>>,
  of?: readonly (readonly string[])[],
  columns?: ColumnSample,
): Promise<DataCopies> {
  await using folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder.path, name, '..'), { recursive: true });
    await writeFile(join(folder.path, name), content);
  }
  await symlink('/etc/passwd', join(folder.path, 'link'));
  return await findDataCopies(folder.path, { ...query(of), columns }); // before the folder goes
}

/** What is searched for besides rows: the columns of a table whose last one is the target. */
async function columnsOf(table: readonly (readonly string[])[]): Promise<ColumnSample> {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'data.csv');
  const names = table[0]!.map((_, at) => `column${at}`);
  await writeFile(file, [names, ...table].map((row) => row.join(',')).join('\n'));
  const signal = new AbortController().signal;
  const manifest = await profileDataset(file, { target: names.at(-1)!, task: 'classification', signal });
  return (await columnSample(manifest, signal))!; // before the folder goes
}

const pathsOf = ({ copies }: DataCopies) => copies.map(({ path }) => path);

test('finds the data set in every common text form, code too', async () => {
  verifies('benchmark.copies-found');
  const found = await searched(forms);
  expect(pathsOf(found)).toEqual(Object.keys(forms).sort());
  expect(found.notSearchedCount).toBe(0);
  expect(found.copies.find(({ path }) => path === 'the-file-itself.bin')!.reason).toBe('it is the data set itself');
  expect(found.copies.find(({ path }) => path === 'tuples.py')!.reason).toBe(
    'sampled rows of the data stand in it, each with its target',
  );
});

test('leaves what only looks like the data set', async () => {
  verifies('benchmark.look-alikes-kept');
  const lookAlikes = {
    'four-rows.csv': lines((row) => row.join(','))
      .split('\n')
      .slice(0, 4)
      .join('\n'),
    'four-rows-many-times.csv': `${lines((row) => row.join(','))
      .split('\n')
      .slice(0, 4)
      .join('\n')}\n`.repeat(50),
    'without-target.csv': lines(([x, n, name]) => [x, n, name].join(',')),
    'labels.csv': lines(([, , , label]) => label),
    'lexicon.json': JSON.stringify(Object.fromEntries(rows.map(([, , name, label]) => [name, label]))),
    'constants.py': Array.from(
      { length: 400 },
      (_, i) => `C${i} = (${i % 90}, ${(i % 24) / 2}, ${py(labels[i % 3]!)})`,
    ).join('\n'),
    'weights.json': JSON.stringify(Array.from({ length: 3000 }, (_, i) => ((i * 37) % 100) / 2)),
    'model.py': `LABELS = ${JSON.stringify(labels)}\ndef predict(row):\n    return LABELS[0] if row["x"] > 5.5 else LABELS[1]\n`,
    'noise.bin': Buffer.alloc(100_000, 0xff),
    'far-apart.txt': lines((row) => row.join(' filler'.repeat(60) + ' ')),
  };
  expect(pathsOf(await searched(lookAlikes, rows, await columnsOf(rows)))).toEqual([]);
});

/** 150 rows of three kinds of flowers as measured with a ruler: few values, so that rows of two gardens look alike. */
function flowers(seed: number): string[][] {
  let state = seed;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const kinds = [
    ['setosa', 5, 3.4, 1.5, 0.2],
    ['versicolor', 5.9, 2.8, 4.3, 1.3],
    ['virginica', 6.6, 3, 5.5, 2],
  ] as const;
  return Array.from({ length: 150 }, () => {
    const [kind, ...means] = kinds[Math.floor(random() * 3)]!;
    return [...means.map((mean) => (mean * (0.8 + 0.4 * random())).toFixed(1)), kind];
  });
}

test('tells the data set from other rows of the same kind, such as those that a repository trains on', async () => {
  verifies('benchmark.look-alikes-kept');
  const own = flowers(1);
  const sampled = own.filter((_, at) => at % 3 === 0);
  const files = { 'own.csv': own.join('\n'), 'train.csv': flowers(2).join('\n'), 'train2.csv': flowers(3).join('\n') };
  expect(pathsOf(await searched(files, sampled, await columnsOf(own)))).toEqual(['own.csv']);
  const sorted = own.toSorted((a, b) => (a.at(-1)! < b.at(-1)! ? -1 : 1));
  const kinds = ['setosa', 'versicolor', 'virginica'];
  const coded = (table: string[][]) => table.map((row) => [...row.slice(0, -1), kinds.indexOf(row.at(-1)!)].join(','));
  const codes = { 'own.csv': coded(sorted).join('\n'), 'other.csv': coded(flowers(2)).join('\n') };
  expect(pathsOf(await searched(codes, sampled, await columnsOf(own)))).toEqual(['own.csv']);
  const runs = { 'zeros.txt': '0 '.repeat(5000), 'runs.txt': kinds.map((_, at) => `${at} `.repeat(50)).join('') };
  expect(pathsOf(await searched(runs, sampled, await columnsOf(sorted)))).toEqual([]);
});

test('names what it could not search, and says when the data is too plain', async () => {
  verifies('benchmark.search-limits-said');
  const found = await searched({
    'rows.npz': 'PK',
    'data/old.CSV': Buffer.from('1f8b0800ffffffff', 'hex'),
    'archive.py': Buffer.from('504b0304ffffffff', 'hex'),
    'empty.zip': '',
    'model.py': 'x = 1\n',
  });
  expect(found.notSearched).toEqual([
    { path: 'archive.py', reason: 'it cannot be unpacked' },
    { path: 'data/old.CSV', reason: 'it cannot be unpacked' },
    { path: 'rows.npz', reason: 'it is a NumPy file' },
  ]);
  expect(searchNotes(found)[2]).toBe('rows.npz was not searched for copies of the data: it is a NumPy file');
  const many = await searched(Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`${i}.txt`, 'PAR1'])));
  expect(many.notSearched).toHaveLength(20);
  expect(many.notSearchedCount).toBe(25);
  expect(searchNotes(many).at(-1)).toBe('and 5 more files were not searched for copies of the data');
  const bits = Array.from({ length: 30 }, (_, i) => ['1', '0', String(i % 2)]);
  const plain = await searched({ 'bits.csv': bits.join('\n'), 'same.csv': csv }, bits);
  expect(pathsOf(plain)).toEqual(['same.csv']);
  expect(plain.byHashOnly).toBe(true);
  expect(searchNotes(plain)).toEqual([
    'the data is too plain to be searched for in the repository: only files that are the same, byte for byte, were hidden',
  ]);
});

test('tells a packed file that was read to its end from one that was cut at the limit', async () => {
  verifies('benchmark.search-limits-said');
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'rows.csv.gz');
  await writeFile(path, gzipSync('x'.repeat(1000)));
  const { signal } = new AbortController();
  for (const [most, cut] of [
    [1000, false],
    [999, true],
  ] as const) {
    const unpacked = unpackedPiecesOf(path, most, signal);
    for await (const piece of unpacked.pieces) expect(piece.length).toBeLessThanOrEqual(most);
    expect(unpacked.cut()).toBe(cut);
  }
});

test('names files that are too large or too many to search', { timeout: 60_000 }, async () => {
  verifies('benchmark.search-limits-said');
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'a-huge.csv'), '');
  await truncate(join(folder.path, 'a-huge.csv'), 512 * 1024 * 1024 + 1);
  for (const name of ['b1.py', 'b2.py', 'b3.py']) await writeFile(join(folder.path, name), 'x = 1\n');
  const found = await findDataCopies(folder.path, { ...query(), bounds: { files: 2 } });
  expect(found.notSearched).toEqual([
    { path: 'a-huge.csv', reason: 'it is larger than 512 MiB' },
    { path: 'b2.py', reason: 'it is beyond the first 2 files' },
    { path: 'b3.py', reason: 'it is beyond the first 2 files' },
  ]);
  const small = await findDataCopies(folder.path, { ...query(), bounds: { bytes: 13 } });
  expect(small.notSearched.map(({ path }) => path)).toEqual(['a-huge.csv', 'b3.py']);
  const late = await findDataCopies(folder.path, { ...query(), bounds: { seconds: 0 } });
  expect(late.notSearched.map(({ reason }) => reason)).toContain('the search had taken 0 s');
  expect(found.notSearchedCount).toBe(3);
});

test('reads fast, a piece at a time, and stops on abort', { timeout: 60_000 }, async () => {
  verifies('benchmark.search-streams');
  await using folder = await temporaryFolder();
  const line = (i: number) => `${(i % 997) / 10},${i % 13},word${i},${labels[i % 2]!}\n`;
  const text = Array.from({ length: 400_000 }, (_, i) => line(i)).join('');
  const block = Buffer.from(text);
  const file = join(folder.path, 'large.csv');
  for (let part = 0; part < 2; part++) await writeFile(file, block, { flag: 'a' });
  const before = process.memoryUsage().arrayBuffers;
  const columns = await columnsOf(rows);
  const started = process.cpuUsage(); // other processes of a busy machine do not count
  const found = await findDataCopies(folder.path, { ...query(), columns });
  const { user, system } = process.cpuUsage(started);
  const seconds = (user + system) / 1e6;
  expect(found.copies).toEqual([]);
  expect((2 * block.length) / 1e6 / seconds).toBeGreaterThan(2);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * (1 << 20));
  const stop = new AbortController();
  const stopped = findDataCopies(folder.path, query(rows, stop.signal));
  setTimeout(() => stop.abort(new Error('enough')), 50);
  await expect(stopped).rejects.toThrow('enough');
});
