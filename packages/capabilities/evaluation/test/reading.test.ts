import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { profileDataset } from '../src/index.ts';
import { dataFile, penguins } from './data-files.ts';

describe('packed files', () => {
  test('are read like plain ones, under the hash of the packed bytes', async () => {
    verifies('data.packed');
    await using plain = await dataFile('p.csv', penguins(50));
    const rows = (await profileDataset(plain.path)).columns;
    const zip =
      'import sys,zipfile;z=zipfile.ZipFile(sys.argv[2],"w",zipfile.ZIP_DEFLATED);[z.write(f,f.split("/")[-1]) for f in sys.argv[1:2]+sys.argv[3:]];z.close()';
    const packers: readonly (readonly [string, string, readonly string[]])[] = [
      ['gzip', 'p.csv.gz', ['gzip', '-kf', plain.path]],
      ['bzip2', 'p.csv.bz2', ['bzip2', '-kf', plain.path]],
      ['xz', 'p.csv.xz', ['xz', '-kf', plain.path]],
      ['zstd', 'p.csv.zst', ['zstd', '-qf', plain.path]],
      ['zip', 'p.zip', ['python3', '-c', zip, plain.path, plain.path.replace('p.csv', 'p.zip')]],
    ];
    for (const [compression, name, [command, ...args]] of packers) {
      execFileSync(command!, args);
      const path = plain.path.replace('p.csv', name);
      const manifest = await profileDataset(path);
      expect(manifest).toMatchObject({ compression, rowCount: 50, columns: rows, name });
      expect(manifest.sha256).toBe(execFileSync('sha256sum', [path], { encoding: 'utf8' }).slice(0, 64));
      expect(manifest.warnings[0]).toBe(`compression found: ${compression} (confidence 1.00): its first bytes say so`);
    }
    const two = plain.path.replace('p.csv', 'two.zip');
    execFileSync('python3', ['-c', zip, plain.path, two, plain.path.replace('p.csv', 'p.csv.gz')]);
    await expect(profileDataset(two)).rejects.toMatchObject({
      why: 'It holds 2 files: p.csv, p.csv.gz.',
      hint: expect.stringContaining("--member 'p.csv'") as string,
    });
  });

  test('that are damaged or unpack to too much are refused', async () => {
    verifies('data.packed');
    const packed = gzipSync(penguins(500));
    await using cut = await dataFile('c.csv.gz', packed.subarray(0, packed.length - 20));
    await expect(profileDataset(cut.path)).rejects.toMatchObject({
      code: 'dataset_format',
      message: 'c.csv.gz is a damaged gzip file',
    });
    await using xz = await dataFile('d.csv.xz', Buffer.from('fd377a585a0000ffffffff', 'hex'));
    await expect(profileDataset(xz.path)).rejects.toMatchObject({ message: 'd.csv.xz is a damaged xz file' });
    await using bomb = await dataFile('b.csv.gz', gzipSync(Buffer.alloc(48 * 1024 * 1024, '\n')));
    await expect(profileDataset(bomb.path)).rejects.toMatchObject({ message: 'b.csv.gz unpacks to too much' });
  });
});

describe('the shape of a table', () => {
  test('is found with its signs', async () => {
    verifies('data.shape', 'data.types');
    const cases: readonly (readonly [string, string, object, readonly unknown[]])[] = [
      [
        'semicolons and decimal commas',
        'a;b;label\n1,5;2.000,25;x\n2,75;900,1;y\n',
        { delimiter: ';', decimal: ',', thousands: '.' },
        [1.5, 2000.25, 'x'],
      ],
      [
        'thousands',
        'a,label\n"1,234,567.5",x\n"12,000",y\n3,x\n',
        { delimiter: ',', thousands: ',' },
        [1234567.5, 'x'],
      ],
      ['blanks', 'a b label\n1 2 x\n3 4 y\n', { delimiter: ' ' }, [1, 2, 'x']],
      ['pipes', 'a|label\n1|x\n2|y\n', { delimiter: '|' }, [1, 'x']],
      ['CR line ends', 'a,label\r1,x\r2,y\r', { delimiter: ',', rowCount: 2 }, [1, 'x']],
      ['comments', '# made\n# by hand\na,label\n1,x\n2,y\n', { comment: '#', rowCount: 2 }, [1, 'x']],
    ];
    for (const [name, content, shape, first] of cases) {
      await using data = await dataFile('s.csv', content);
      const manifest = await profileDataset(data.path);
      expect(manifest, name).toMatchObject(shape);
      expect(manifest.preview[0], name).toEqual(first);
    }
    await using either = await dataFile('e.csv', 'a;label\n1,234;x\n2,500;y\n');
    const kept = await profileDataset(either.path);
    expect(kept.columns[0]).toMatchObject({ inferredType: 'text' });
    expect(kept.warnings.join()).toContain('say --decimal , or --thousands ,');
    expect((await profileDataset(either.path, { decimal: ',' })).preview[0]).toEqual([1.234, 'x']);
    expect((await profileDataset(either.path, { thousands: ',' })).preview[0]).toEqual([1234, 'x']);
  });

  test('is what a person says, without looking', async () => {
    verifies('data.shape');
    await using iris = await dataFile(
      'iris.csv',
      Array.from({ length: 9 }, (_, i) => `${i}.5,3,Iris-${'ab'[i % 2]!}\n`).join(''),
    );
    await expect(profileDataset(iris.path)).rejects.toMatchObject({
      code: 'dataset_format',
      message: 'iris.csv has no header row',
      hint: expect.stringContaining('--no-header') as string,
    });
    const bare = await profileDataset(iris.path, { header: 'absent', target: 'column_3' });
    expect(bare).toMatchObject({
      rowCount: 9,
      inputColumns: ['column_1', 'column_2'],
    });
    expect(bare.preview[0]).toEqual([0.5, 3, 'Iris-a']);
    expect(await profileDataset(iris.path, { header: 'present', target: 'Iris-a' })).toMatchObject({ rowCount: 8 });
    await using quotes = await dataFile('q.csv', "a,label\n'x, y',1\n'it''s',2\n");
    expect((await profileDataset(quotes.path, { quote: "'" })).preview).toEqual([
      ['x, y', 1],
      ["it's", 2],
    ]);
    await using inches = await dataFile('i.csv', 'a,label\n"3 inch,x\n4" pipe,y\n');
    expect((await profileDataset(inches.path, { quote: 'none' })).preview).toEqual([
      ['"3 inch', 'x'],
      ['4" pipe', 'y'],
    ]);
    await using gaps = await dataFile('g.csv', 'n,label\n-999,x\n1,y\n2,none\n');
    expect(await profileDataset(gaps.path, { missing: ['-999', 'none'] })).toMatchObject({
      excludedRows: { missingTarget: 1 },
      columns: [{ nonNull: 2 }, { nonNull: 2 }],
    });
    await expect(profileDataset(gaps.path, { decimal: '.', thousands: '.' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('rows with other cells than the header are refused, or left out and counted', async () => {
    verifies('data.ragged');
    await using data = await dataFile('r.csv', 'a,b,label\n1,2,x\n1,2\n3,4,y\n5,6,7,8,z\n');
    await expect(profileDataset(data.path)).rejects.toMatchObject({
      code: 'dataset_ragged',
      details: { row: 1, line: 3 },
    });
    const manifest = await profileDataset(data.path, { onRagged: 'drop-rows' });
    expect(manifest).toMatchObject({ rowCount: 4, excludedRows: { missingTarget: 0, ragged: 2 } });
    expect(manifest.preview).toEqual([
      [1, 2, 'x'],
      [3, 4, 'y'],
    ]);
    await using trailing = await dataFile('t.csv', 'a,label\n1,x,\n2,y,\n');
    const cut = await profileDataset(trailing.path);
    expect(cut.preview).toEqual([
      [1, 'x'],
      [2, 'y'],
    ]);
    expect(cut.warnings).toEqual(['2 rows end with a separator; the empty cell behind it is no column']);
  });
});

describe('cells', () => {
  test('are dates with a form, and placeholders only among numbers', async () => {
    verifies('data.types');
    await using data = await dataFile(
      'd.csv',
      'iso,us,eu,either,bad,n,t,label\n2024-01-05,1/31/2024,31.12.2023,5/1/2024,2024-13-01,-,-,x\n2024-02-06T10:00:00Z,2/1/2024,1.2.2023,6/1/2024,2024-01-01,4.5,a,y\n',
    );
    const { columns, warnings } = await profileDataset(data.path);
    expect(columns.map(({ name, inferredType, dateForm, nonNull }) => [name, inferredType, dateForm, nonNull])).toEqual(
      [
        ['iso', 'date', 'y-m-d', 2],
        ['us', 'date', 'm/d/y', 2],
        ['eu', 'date', 'd/m/y', 2],
        ['either', 'date', 'either', 2],
        ['bad', 'text', undefined, 2],
        ['n', 'number', undefined, 1],
        ['t', 'text', undefined, 2],
        ['label', 'text', undefined, 2],
      ],
    );
    expect(warnings).toEqual([
      'column "either": its dates can be day/month or month/day; they are handed on as text',
      'column "n": 1 cells such as NA or null were read as missing',
      'column "t": "-" in 1 rows is read as a text like any other; say --missing to read it as missing',
    ]);
  });

  test('labels + and - stay labels', async () => {
    verifies('data.types');
    await using data = await dataFile('c.csv', 'a,label\n1,+\n2,-\n3,+\n4,?\n');
    expect(await profileDataset(data.path)).toMatchObject({
      labels: [
        { label: '+', count: 2 },
        { label: '-', count: 1 },
        { label: '?', count: 1 },
      ],
      excludedRows: { missingTarget: 0 },
    });
  });
});
