import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { profileDataset } from '@assay/evaluation';
import { temporaryFolder, verifies } from '@assay/testkit';
import { columnSample } from '../src/columns/column-sample.ts';
import { findDataCopies, type DataCopies } from '../src/find-data-copies.ts';
import { sampledRows } from '../src/sampled-rows.ts';
import { knownTexts } from '../src/traces/known-texts.ts';
import { zip } from './support/array-files.ts';

interface Row {
  readonly text: string;
  readonly label: string;
}

const words =
  'the a film movie plot is was not very quite rather good bad awful splendid long short actor scene music it this that we saw never always with without of and but because when funny dull sharp early late ending start hero villain dialogue camera light dark city road war love money'.split(
    ' ',
  );

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 0x1_0000_0000;
  };
}

/** Texts of common words with capitals and marks, and a label that they do not tell. */
function reviews(seed: number, count: number, labels: readonly string[], length = 8): Row[] {
  const random = randomFrom(seed);
  const one = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  return Array.from({ length: count }, () => {
    const said = Array.from({ length: length + Math.floor(random() * 12) }, () => one(words));
    said[0] = said[0]!.charAt(0).toUpperCase() + said[0]!.slice(1);
    const marked = said.map((word) => (random() < 0.15 ? `${word},` : word)).join(' ');
    return { text: `${marked}${one(['.', '!', '?', '...', ''])}`, label: one(labels) };
  });
}

const cleaned = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9 ]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
const hashed = (algorithm: string) => (rows: readonly Row[]) =>
  JSON.stringify(
    Object.fromEntries(rows.map(({ text, label }) => [createHash(algorithm).update(text).digest('hex'), label])),
  );
const python = (script: string, rows: readonly Row[]) =>
  execFileSync('python3', ['-c', `import json,sys\nrows=json.load(sys.stdin)\n${script}`], {
    input: JSON.stringify(rows),
    maxBuffer: 1 << 26,
  });

type Files = Readonly<Record<string, string | Buffer>>;

const byLabel = (rows: readonly Row[]) => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.label, [...(groups.get(row.label) ?? []), row]);
  return [...groups];
};
const dict = (rows: readonly Row[]) =>
  `LABELS = ${JSON.stringify(Object.fromEntries(rows.map(({ text, label }) => [text, label])))}\n`;
const table = (rows: readonly Row[]) => rows.map(({ text, label }) => `${label}\t${text}`).join('\n');

/** How texts with their labels may lie in a repository. */
const layouts: Readonly<Record<string, (rows: readonly Row[]) => Files>> = {
  'one class a file': (rows) =>
    Object.fromEntries(
      byLabel(rows).map(([label, of], at) => [
        `rt-polarity.${at}`,
        of.map(({ text }) => text).join('\n') + `\n${label.length}`,
      ]),
    ),
  'label as a folder': (rows) =>
    Object.fromEntries(rows.map(({ text, label }, at) => [`acl/train/${label}/${at}_9.txt`, text])),
  'label in a file name': (rows) =>
    Object.fromEntries(rows.map(({ text, label }, at) => [`docs/${at}-${label}.txt`, text])),
  'label by number in a file name': (rows) =>
    Object.fromEntries(rows.map(({ text, label }, at) => [`docs/doc${at}_${label.length}.txt`, text])),
  'cleaned texts with labels': (rows) => ({
    'clean.txt': rows.map(({ text, label }) => `${label} ${cleaned(text)}`).join('\n'),
  }),
  'joined with underscores': (rows) => ({
    'joined.csv': rows.map(({ text, label }) => `${cleaned(text).replaceAll(' ', '_')},${label}`).join('\n'),
  }),
  'joined with nothing': (rows) => ({
    'joined.csv': rows.map(({ text, label }) => `${cleaned(text).replaceAll(' ', '')},${label.length}`).join('\n'),
  }),
  'fastText lines': (rows) => ({
    'train.ft': rows.map(({ text, label }) => `__label__${label} ${text.toLowerCase()}`).join('\n'),
  }),
  'json dict of texts': (rows) => ({
    'answers.json': JSON.stringify(Object.fromEntries(rows.map(({ text, label }) => [text, label.length]))),
  }),
  'python dict': (rows) => ({ 'lookup.py': dict(rows) }),
  'only one class': (rows) => ({ 'positives.json': JSON.stringify(byLabel(rows)[0]![1].map(({ text }) => text)) }),
  'lists one after another': (rows) => ({
    'lists.py': byLabel(rows)
      .map(([, of], at) => `L${at} = ${JSON.stringify(of.map(({ text }) => cleaned(text)))}`)
      .join('\n'),
  }),
  'many small files': (rows) =>
    Object.fromEntries(rows.map(({ text, label }, at) => [`rows/${at}.json`, JSON.stringify({ text, label })])),
  'few rows in each of many files': (rows) =>
    Object.fromEntries(
      Array.from({ length: Math.ceil(rows.length / 4) }, (_, at) => [
        `parts/p${at}.py`,
        dict(rows.slice(4 * at, 4 * at + 4)),
      ]),
    ),
  'md5 of texts': (rows) => ({ 'digests.json': hashed('md5')(rows) }),
  'sha1 of texts': (rows) => ({ 'digests.json': hashed('sha1')(rows) }),
  'sha256 of texts': (rows) => ({ 'digests.json': hashed('sha256')(rows) }),
  'hashes of one class': (rows) => ({
    'known.txt': byLabel(rows)[0]![1]
      .map(({ text }) => createHash('sha256').update(text.toLowerCase()).digest('hex').slice(0, 16))
      .join('\n'),
  }),
  'pickled dict': (rows) => ({
    'table.pkl': python(
      "import pickle; sys.stdout.buffer.write(pickle.dumps({r['text']: r['label'] for r in rows}))",
      rows,
    ),
  }),
  'pickled dict of numbers': (rows) => ({
    'table.bin': python(
      "import pickle; sys.stdout.buffer.write(pickle.dumps({r['text']: len(r['label']) for r in rows}))",
      rows,
    ),
  }),
  'pickled set of one class': (rows) => ({
    'set.pkl': python(
      "import pickle; sys.stdout.buffer.write(pickle.dumps({r['text'] for r in rows if r['label'] == rows[0]['label']}))",
      rows,
    ),
  }),
  'marshalled dict': (rows) => ({
    'code.bin': python(
      "import marshal; sys.stdout.buffer.write(marshal.dumps({r['text']: len(r['label']) for r in rows}))",
      rows,
    ),
  }),
  sqlite: (rows) => ({
    'rows.db': python(
      "import sqlite3, tempfile, os\np=os.path.join(tempfile.mkdtemp(),'d')\nc=sqlite3.connect(p); c.execute('create table t(a text, b text)'); c.executemany('insert into t values(?,?)', [(r['text'], r['label']) for r in rows]); c.commit(); c.close(); sys.stdout.buffer.write(open(p,'rb').read())",
      rows,
    ),
  }),
};

/** How one file may be written besides as it is. */
const encodings: Readonly<Record<string, (content: Buffer) => string | Buffer>> = {
  plain: (content) => content,
  base64: (content) => `DATA = "${content.toString('base64')}"\n`,
  'base64 in lines': (content) => `DATA = """\n${content.toString('base64').replaceAll(/.{76}/g, '$&\n')}\n"""\n`,
  'base64 in constants': (content) =>
    `DATA = (\n${(content.toString('base64').match(/.{1,60}/g) ?? []).map((part) => `    "${part}"`).join('\n')}\n)\n`,
  hex: (content) => `DATA = bytes.fromhex("${content.toString('hex')}")\n`,
  'escaped bytes': (content) => `DATA = b"${content.toString('hex').replaceAll(/../g, '\\x$&')}"\n`,
  'zlib in base64': (content) => `DATA = "${deflateSync(content).toString('base64')}"\n`,
  'gzip in hex': (content) => `DATA = "${gzipSync(content).toString('hex')}"\n`,
  'gzip in base64 twice': (content) =>
    `DATA = "${Buffer.from(gzipSync(content).toString('base64')).toString('base64')}"\n`,
  'a literal of packed bytes': (content) =>
    Buffer.from(
      execFileSync(
        'python3',
        ['-c', 'import sys,zlib; print("DATA =", repr(zlib.compress(sys.stdin.buffer.read())))'],
        { input: content },
      ),
    ),
  base85: (content) =>
    Buffer.from(
      execFileSync(
        'python3',
        [
          '-c',
          'import sys,zlib,base64; print("DATA =", repr(base64.b85encode(zlib.compress(sys.stdin.buffer.read())).decode()))',
        ],
        { input: content },
      ),
    ),
  gzip: (content) => gzipSync(content),
  zlib: (content) => deflateSync(content),
  'a zip archive under another name': (content) => zip({ inner: content }),
  'a tar archive': (content) =>
    execFileSync(
      'python3',
      [
        '-c',
        'import sys,tarfile,io\nb=sys.stdin.buffer.read()\nt=tarfile.open(fileobj=sys.stdout.buffer,mode="w|")\ni=tarfile.TarInfo("inner"); i.size=len(b); t.addfile(i, io.BytesIO(b)); t.close()',
      ],
      { input: content, maxBuffer: 1 << 26 },
    ),
};

async function search(rows: readonly Row[], files: Files): Promise<DataCopies> {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data.csv');
  await writeFile(data, `text,label\n${rows.map(({ text, label }) => `"${text}",${label}`).join('\n')}\n`);
  const { signal } = new AbortController();
  const manifest = await profileDataset(data, { target: 'label', task: 'classification', signal });
  await rm(data);
  await writeFile(data, `text,label\n${rows.map(({ text, label }) => `"${text}",${label}`).join('\n')}\n`);
  const repository = join(folder.path, 'repository');
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(repository, name)), { recursive: true });
    await writeFile(join(repository, name), content);
  }
  return await findDataCopies(repository, {
    datasetSha256: manifest.sha256,
    datasetSize: manifest.size,
    rows: await sampledRows(manifest, signal),
    columns: await columnSample(manifest, signal),
    texts: await knownTexts(manifest, signal),
    signal,
  });
}

/** Files that are hidden themselves or by their folder. */
function hidden(files: Files, { copies }: DataCopies): string[] {
  return Object.keys(files).filter((file) => copies.some(({ path }) => path === file || file.startsWith(`${path}/`)));
}

const shuffledRows = (rows: readonly Row[], seed: number) => {
  const random = randomFrom(seed);
  return rows
    .map((row) => ({ row, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ row }) => row);
};

test.each(Object.keys(layouts))('texts are found with their labels as: %s', { timeout: 60_000 }, async (name) => {
  verifies('benchmark.text-copies-found');
  const labelSets = [
    ['positive', 'neg'],
    ['a', 'bb', 'ccc', 'dddd'],
  ];
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(...labelSets), async (seed, labels) => {
      const rows = reviews(seed, 240, labels);
      const files = layouts[name]!(shuffledRows(rows, seed + 1));
      const found = await search(rows, { ...files, 'model.py': 'def predict(text):\n    return "a"\n' });
      expect(hidden(files, found)).toEqual(Object.keys(files));
      expect(found.copies.map(({ path }) => path)).not.toContain('model.py');
    }),
    { numRuns: 2 },
  );
});

test.each(Object.keys(encodings))('and in the writing: %s', { timeout: 60_000 }, async (name) => {
  verifies('benchmark.encoded-copies-found');
  const rows = reviews(7, 240, ['positive', 'neg']);
  const forms = { 'dict.py': dict(rows), 'table.txt': table(shuffledRows(rows, 3)) };
  for (const content of Object.values(forms)) {
    const files = { 'assets/blob.dat': encodings[name]!(Buffer.from(content)) };
    expect(hidden(files, await search(rows, files))).toEqual(Object.keys(files));
  }
});

test('texts that tell no label are left', { timeout: 60_000 }, async () => {
  verifies('benchmark.text-look-alikes-kept');
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), async (seed) => {
      const rows = reviews(seed, 300, ['positive', 'negative'], 3);
      const others = reviews(seed + 1, 600, ['positive', 'negative'], 3);
      const inOrder = shuffledRows(rows, seed);
      const files: Files = {
        'other.csv': others.map(({ text, label }) => `"${text}",${label}`).join('\n'),
        'other.json': JSON.stringify(others),
        'unlabelled.txt': inOrder.map(({ text }) => text).join('\n'),
        'numbered.txt': inOrder.map(({ text }, at) => `${at} ${text}`).join('\n'),
        'examples.md': rows
          .slice(0, 4)
          .map(({ text, label }) => `* ${text}: ${label}`)
          .join('\n'),
        'digests.txt': others.map(({ text }) => createHash('md5').update(text).digest('hex')).join('\n'),
        'logo.py': `LOGO = "${Buffer.from(others.map(({ text }) => text).join(' ')).toString('base64')}"\n`,
        ...Object.fromEntries(others.slice(0, 60).map(({ text, label }, at) => [`acl/${label}/${at}.txt`, text])),
      };
      expect((await search(rows, files)).copies).toEqual([]);
    }),
    { numRuns: 4 },
  );
});

test('what cannot be opened is named by what it is, whatever its name says', async () => {
  verifies('benchmark.search-limits-said');
  const rows = reviews(5, 60, ['positive', 'neg']);
  const packed = (program: string) =>
    execFileSync('python3', ['-c', `import sys,${program}; sys.stdout.buffer.write(${program}.compress(b"x" * 99))`]);
  const found = await search(rows, {
    'a.txt': packed('bz2'),
    'b.py': packed('lzma'),
    'c.md': Buffer.from('PAR1....'),
    'd.zip': 'no archive at all',
  });
  expect(found.notSearched).toEqual([
    { path: 'a.txt', reason: 'it is a bzip2 file, which is not opened' },
    { path: 'b.py', reason: 'it is an xz file, which is not opened' },
    { path: 'c.md', reason: 'it is a Parquet file, which is not opened' },
  ]);
});
