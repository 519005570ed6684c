import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { profileDataset } from '../src/index.ts';
import { dataFile } from './data-files.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const table = (rows: string) => `name,label\n${rows}`;

/** 姓名,标签 and six rows in GB18030, written by Python. */
const gb18030 = hex(
  'd0d5c3fb2cb1eac7a90ad5c5c8fd2cbac3c6c00ac0eecbc42cb2eec6c00acdf5cee52cbac3c6c00ad5e2b8f6b2fac6b7d6cac1bfbadcbac32cbac3c6c00ab1b1bea9c9cfbaa3b9e3d6dd2cb2eec6c00acee2d0a1c3f72cbac3c6c00a',
);
const gbText = '姓名,标签\n张三,好评\n李四,差评\n王五,好评\n这个产品质量很好,好评\n北京上海广州,差评\n吴小明,好评\n';
/** 名前,ラベル and four rows in Shift_JIS. */
const shiftJis = hex(
  '96bc914f2c83898378838b0a936392862c97c782a20a97e996d82c88ab82a20a82b182cc90bb956982cd82c682c482e097c782a282c582b72c97c782a20a8db293a12c88ab82a20a',
);

describe('text in other encodings', () => {
  test('is recognised by its bytes, with what speaks for it', async () => {
    verifies('data.encodings');
    const utf16 = Buffer.from(table('é,x\n😀,y\n'), 'utf16le');
    const cases: readonly (readonly [string, Buffer, string, string, RegExp])[] = [
      ['UTF-16 with mark', Buffer.concat([hex('fffe'), utf16]), 'utf-16le', 'é', /byte order mark/],
      ['UTF-16 BE with mark', Buffer.concat([hex('feff'), Buffer.from(utf16).swap16()]), 'utf-16be', 'é', /mark/],
      ['UTF-16 without mark', utf16, 'utf-16le', 'é', /every 2 bytes/],
      ['UTF-16 BE without mark', Buffer.from(utf16).swap16(), 'utf-16be', 'é', /every 2 bytes/],
      [
        'UTF-32',
        hex(
          'fffe0000 61000000 2c000000 79000000 0a000000 e9000000 2c000000 78000000 0a000000 00f60100 2c000000 7a000000',
        ),
        'utf-32le',
        'é',
        /mark/,
      ],
      [
        'UTF-32 BE without mark',
        hex('00000061 0000002c 00000079 0000000a 000000e9 0000002c 00000078 0000000a 0001f600 0000002c 0000007a'),
        'utf-32be',
        'é',
        /every 4 bytes/,
      ],
      ['GB18030', gb18030, 'gb18030', '张三', /frequencies/],
      [
        'Windows-1252',
        Buffer.concat([
          Buffer.from('name,label\n'),
          hex(
            '3580 20636166e9 2c780a 6e61ef7665 2c790a c9726963 2c780a 476172e76f6e 2c780a 68f474656c 2c790a e7e0 2c790a 5a6feb 2c780a 736e6f72f1 2c790a',
          ),
        ]),
        'windows-1252',
        '5€ café',
        /frequencies/,
      ],
    ];
    for (const [name, content, encoding, cell, evidence] of cases) {
      await using data = await dataFile('e.csv', content);
      const manifest = await profileDataset(data.path);
      expect({ name, encoding: manifest.encoding, cell: manifest.preview[0]?.[0] }).toEqual({ name, encoding, cell });
      expect(manifest.findings?.[0]?.evidence.join(), name).toMatch(evidence);
      expect(manifest.warnings.join(), name).toContain(`encoding found: ${encoding}`);
    }
  });

  test('is read as it is said to be, and the text is the same', async () => {
    verifies('data.encodings');
    await using data = await dataFile('e.csv', gb18030);
    await using plain = await dataFile('e.csv', gbText);
    const manifest = await profileDataset(data.path, { encoding: 'gb18030' });
    expect(manifest.preview).toEqual((await profileDataset(plain.path)).preview);
    expect(manifest).toMatchObject({
      rowCount: 6,
      targetColumn: '标签',
      labels: [
        { label: '好评', count: 4 },
        { label: '差评', count: 2 },
      ],
    });
    expect(manifest.findings).toBeUndefined();
    await using japanese = await dataFile('j.csv', shiftJis);
    expect((await profileDataset(japanese.path, { task: 'inference' })).preview[0]).toEqual(['田中', '良い']);
    await using marked = await dataFile(
      'm.csv',
      Buffer.concat([hex('fffe'), Buffer.from(table('a,x\nb,y'), 'utf16le')]),
    );
    await expect(profileDataset(marked.path, { encoding: 'utf-8' })).rejects.toMatchObject({
      code: 'dataset_encoding',
      hint: 'Leave --encoding out, or say --encoding utf-16le.',
    });
  });

  test('that could be several is a question, not a guess', async () => {
    verifies('data.encodings');
    // Иван and Пётр in Windows-1251: as Western European letters they are possible too.
    const russian = Buffer.concat([Buffer.from('name,label\n'), hex('c8e2e0ed2c780a cff2f02c790a')]);
    await using data = await dataFile('r.csv', russian);
    await expect(profileDataset(data.path)).rejects.toMatchObject({
      code: 'dataset_encoding',
      message: 'the encoding of r.csv cannot be told for sure',
      hint: expect.stringContaining('--encoding') as string,
      details: { options: expect.arrayContaining([expect.objectContaining({ value: 'windows-1251' })]) as unknown },
    });
    expect((await profileDataset(data.path, { encoding: 'windows-1251' })).preview[0]).toEqual(['Иван', 'x']);
  });

  test('far behind an ASCII start is found there', async () => {
    verifies('data.encodings');
    const head = table('plain,x\nrow,y\n'.repeat(10_000));
    await using late = await dataFile('late.csv', Buffer.concat([Buffer.from(head), hex('436166e92c780a')]));
    const manifest = await profileDataset(late.path);
    expect(manifest).toMatchObject({ encoding: 'windows-1252', rowCount: 20_001 });
    expect(manifest.findings?.[0]?.evidence[0]).toBe(`the first character beyond ASCII is byte ${head.length + 3}`);
  });
});

describe('bytes that cannot be decoded', () => {
  const mixed = Buffer.concat([Buffer.from('name,label\nüber,x\nbr'), hex('ff'), Buffer.from('cken,y\nköln,y\n')]);

  test('are named by row, line and byte', async () => {
    verifies('data.bad-bytes');
    await using data = await dataFile('m.csv', mixed);
    await expect(profileDataset(data.path)).rejects.toMatchObject({
      code: 'dataset_encoding',
      message: 'row 1 (line 3) of m.csv holds bytes that are not utf-8',
      why: 'Byte 21 of the file (hexadecimal ff) cannot be decoded.',
      details: { row: 1, line: 3, offset: 21, bytes: 'ff' },
    });
    await using zero = await dataFile('z.csv', 'name,label\na,x\nb\0c,y\nd,x\n');
    await expect(profileDataset(zero.path)).rejects.toMatchObject({
      code: 'dataset_format',
      message: 'row 1 (line 3) of z.csv holds a zero byte',
      details: { offset: 16 },
    });
    await using lines = await dataFile(
      'm.jsonl',
      Buffer.concat([Buffer.from('{"a":"é","y":1}\n{"a":"'), hex('c3'), Buffer.from('","y":2}\n')]),
    );
    await expect(profileDataset(lines.path)).rejects.toMatchObject({ details: { row: 1, line: 2, offset: 23 } });
    await using json = await dataFile(
      'm.json',
      Buffer.concat([Buffer.from('[{"a":"éö","y":1},{"a":"'), hex('c3'), Buffer.from('","y":2}]')]),
    );
    await expect(profileDataset(json.path)).rejects.toMatchObject({
      code: 'dataset_encoding',
      details: { offset: 26 },
    });
    await using header = await dataFile(
      'h.csv',
      Buffer.concat([Buffer.from('é,n'), hex('ff'), Buffer.from(',y\n1,2,3\n')]),
    );
    await expect(profileDataset(header.path, { encoding: 'utf-8' })).rejects.toMatchObject({
      message: 'the header (line 1) of h.csv holds bytes that are not utf-8',
    });
  });

  test('leave their rows out and are counted when that is said', async () => {
    verifies('data.bad-bytes');
    await using data = await dataFile('m.csv', mixed);
    const manifest = await profileDataset(data.path, { onBadBytes: 'drop-rows' });
    expect(manifest).toMatchObject({
      encoding: 'utf-8',
      rowCount: 3,
      onBadBytes: 'drop-rows',
      excludedRows: { missingTarget: 0, badBytes: 1 },
      preview: [
        ['über', 'x'],
        ['köln', 'y'],
      ],
    });
    expect(manifest.warnings).toContain('1 rows hold bytes that cannot be decoded and are left out');
  });
});
