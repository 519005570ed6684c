import { mkdir, symlink } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { datasetManifestSchema } from '@assay/contracts';
import { verifies } from '@assay/testkit';
import { profileDataset } from '../src/index.ts';
import { dataFile, penguins } from './data-files.ts';

describe('a profile', () => {
  test('says what is in a CSV file', async () => {
    verifies('evaluation.profile-facts', 'evaluation.profile-roles');
    await using data = await dataFile('penguins.csv', penguins(30, { gaps: true }));
    const manifest = await profileDataset(data.path);
    expect(datasetManifestSchema.parse(manifest)).toEqual(manifest);
    expect(manifest).toMatchObject({
      v: 1,
      name: 'penguins.csv',
      path: data.path,
      format: 'csv',
      encoding: 'utf-8',
      bom: false,
      delimiter: ',',
      rowCount: 30,
      inputColumns: ['bill_length_mm', 'sex'],
      targetColumn: 'species',
      suggestedTask: 'classification',
      confidence: 0.9,
      excludedRows: { missingTarget: 3 },
      labels: [
        { label: 'Adelie', count: 9 },
        { label: 'Chinstrap', count: 9 },
        { label: 'Gentoo', count: 9 },
      ],
    });
    expect(manifest.sha256).toBe(execFileSync('sha256sum', [data.path], { encoding: 'utf8' }).slice(0, 64));
    expect(manifest.columns).toEqual([
      { name: 'id', position: 0, inferredType: 'integer', nonNull: 30, distinct: 30, distinctExact: true },
      { name: 'species', position: 1, inferredType: 'text', nonNull: 27, distinct: 3, distinctExact: true },
      { name: 'bill_length_mm', position: 2, inferredType: 'number', nonNull: 30, distinct: 30, distinctExact: true },
      { name: 'sex', position: 3, inferredType: 'text', nonNull: 30, distinct: 2, distinctExact: true },
    ]);
    expect(manifest.preview).toEqual([
      [1, 'Adelie', 30, 'male'],
      [2, 'Chinstrap', 31.3, 'female'],
      [3, 'Gentoo', 32.6, 'male'],
    ]);
    expect(manifest.warnings).toEqual([
      'column "species": 3 cells such as NA or null were read as missing',
      '3 rows have no target and are left out',
    ]);
    expect(manifest.reasons).toEqual([
      'the column is called "species"',
      '"species" has 3 different values of type text, so the task is classification',
      '"id" is not an input: it only numbers the rows',
    ]);
  });

  test('takes 16,384 columns and refuses one more', async () => {
    verifies('evaluation.profile-malformed');
    const wide = (columns: number) =>
      `${Array.from({ length: columns }, (_, i) => `c${i}`).join(',')}\n${'7,'.repeat(columns - 1)}8\n`;
    await using most = await dataFile('most.csv', wide(16_384));
    const { columns } = await profileDataset(most.path, { task: 'inference' });
    expect(columns.length).toBe(16_384);
    expect(columns.at(-1)).toMatchObject({ name: 'c16383', inferredType: 'integer', nonNull: 1, distinct: 1 });
    await using more = await dataFile('more.csv', wide(16_385));
    await expect(profileDataset(more.path)).rejects.toMatchObject({
      code: 'dataset_format',
      message: 'line 1 has more than 16384 cells',
    });
  });

  test('reads BOM, CRLF, quoted line ends and semicolons', async () => {
    verifies('evaluation.profile-facts');
    await using data = await dataFile('a.csv', '\ufeffname;y\r\n"a;\r\nb";1\r\n"say ""hi""";2\r\n\r\nlast;1');
    const manifest = await profileDataset(data.path);
    expect(manifest).toMatchObject({ bom: true, delimiter: ';', rowCount: 3, targetColumn: 'y' });
    expect(manifest.preview).toEqual([
      ['a;\r\nb', 1],
      ['say "hi"', 2],
      ['last', 1],
    ]);
    expect(manifest.warnings).toEqual([
      'delimiter found: ";" (confidence 0.95): ";" cuts 3 of the first 3 rows into 2 cells',
      '1 blank lines were skipped; they are not rows',
    ]);
  });

  test('reads TSV, JSON arrays, JSON objects that hold rows, and JSONL', async () => {
    verifies('evaluation.json-forms');
    const rows = [
      { text: 'a', label: true },
      { text: 'b', label: false },
      { text: 'c', label: true, extra: { deep: [1, 2] } },
    ];
    const files = {
      'a.tsv': 'text\tlabel\textra\na\ttrue\t\nb\tfalse\t\nc\ttrue\t{"deep":[1,2]}\n',
      'a.json': JSON.stringify(rows, null, 2),
      'b.json': JSON.stringify({ meta: { data: [1, { a: [] }], label: 'x' }, records: rows }),
      'a.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'),
      'a.ndjson': rows.map((row) => `${JSON.stringify(row)}\r\n`).join(''),
      'rows.txt': JSON.stringify({ items: rows }),
      'lines.json': rows.map((row) => JSON.stringify(row)).join('\n'),
    };
    for (const [name, content] of Object.entries(files)) {
      await using data = await dataFile(name, content);
      const manifest = await profileDataset(data.path, { task: 'classification' });
      expect(manifest, name).toMatchObject({
        rowCount: 3,
        targetColumn: 'label',
        labels: [
          { label: 'false', count: 1 },
          { label: 'true', count: 2 },
        ],
        preview: [
          ['a', true, null],
          ['b', false, null],
          ['c', true, '{"deep":[1,2]}'],
        ],
      });
      expect(
        manifest.columns.map(({ name: column, inferredType, nonNull }) => [column, inferredType, nonNull]),
      ).toEqual([
        ['text', 'text', 3],
        ['label', 'boolean', 3],
        ['extra', 'text', 1],
      ]);
    }
  });

  test('infers the narrowest type and keeps names that look like numbers as text', async () => {
    verifies('evaluation.big-ids-text', 'evaluation.profile-facts');
    await using data = await dataFile(
      'types.csv',
      [
        'int,num,bool,zip,big,edge,inf,mixed,none,y',
        '1,1.5,True,01234,9007199254740993,9007199254740991,1e400,1,,a',
        '-2,.5,false,99999,9007199254740992,-9007199254740991,2,true,NA,b',
        '+3,1e3,TRUE,00001,12,12,3,2,NaN,a',
        ' 4 , 2 ,False,7,12,1,4,,null,b',
      ].join('\n'),
    );
    const manifest = await profileDataset(data.path);
    expect(Object.fromEntries(manifest.columns.map(({ name, inferredType }) => [name, inferredType]))).toEqual({
      int: 'integer',
      num: 'number',
      bool: 'boolean',
      zip: 'text',
      big: 'text',
      edge: 'integer',
      inf: 'text',
      mixed: 'text',
      none: 'unknown',
      y: 'text',
    });
    expect(manifest.inputColumns).not.toContain('none');
    await using json = await dataFile(
      'ids.json',
      '[{"id":9007199254740993,"x":1,"y":1},{"id":9007199254740995,"x":2,"y":2}]',
    );
    const exact = await profileDataset(json.path);
    expect(exact.preview[0]![0]).toBe('9007199254740993');
    expect(exact.columns[0]).toMatchObject({ inferredType: 'text', distinct: 2 });
  });

  test('renames empty and double headers with a warning', async () => {
    verifies('evaluation.profile-headers');
    await using data = await dataFile('h.csv', ',x, x ,x_2,label\n1,2,3,4,a\n2,3,4,5,b\n');
    const manifest = await profileDataset(data.path);
    expect(manifest.columns.map(({ name }) => name)).toEqual(['column_1', 'x', 'x_3', 'x_2', 'label']);
    expect(manifest.warnings).toEqual([
      'column 1 has no name and is called "column_1"',
      'blanks around the column name "x" were dropped',
      'the column name "x" stands twice; column 3 is called "x_3"',
    ]);
  });

  test('takes __proto__ and constructor as column names and labels', async () => {
    verifies('evaluation.prototype-safe');
    await using csv = await dataFile('p.csv', '__proto__,constructor,label\n1,2,__proto__\n3,4,toString\n');
    await using json = await dataFile(
      'p.json',
      '[{"__proto__":1,"constructor":2,"label":"__proto__"},{"__proto__":3,"constructor":4,"label":"toString"}]',
    );
    for (const { path } of [csv, json]) {
      const manifest = await profileDataset(path);
      expect(manifest.columns.map(({ name }) => name)).toEqual(['__proto__', 'constructor', 'label']);
      expect(manifest.inputColumns).toEqual(['__proto__', 'constructor']);
      expect(manifest.labels).toEqual([
        { label: '__proto__', count: 1 },
        { label: 'toString', count: 1 },
      ]);
    }
    expect(Object.prototype).not.toHaveProperty('1');
  });

  test('counts distinct values exactly to 10,000 and then says that there are at least as many', async () => {
    verifies('evaluation.distinct-bound');
    const lines = Array.from(
      { length: 10_001 },
      (_, i) => `${Math.min(i, 9_999)},${i},${'x'.repeat(300)}${i % 4},${i % 3}`,
    );
    await using data = await dataFile('d.csv', `exact,more,long,label\n${lines.join('\n')}\n`);
    const manifest = await profileDataset(data.path);
    expect(manifest.columns.map(({ distinct, distinctExact }) => [distinct, distinctExact])).toEqual([
      [10_000, true],
      [10_000, false],
      [4, true],
      [3, true],
    ]);
  });
});

describe('target, inputs and task', () => {
  test('what a person says is never guessed', async () => {
    verifies('evaluation.profile-roles');
    await using data = await dataFile('penguins.csv', penguins(30));
    const manifest = await profileDataset(data.path, { target: 'sex', input: ['species'], task: 'classification' });
    expect(manifest).toMatchObject({ targetColumn: 'sex', inputColumns: ['species'], confidence: 1 });
    const inference = await profileDataset(data.path, { task: 'inference' });
    expect(inference).toMatchObject({ targetColumn: null, suggestedTask: 'inference', confidence: 1 });
  });

  test('numbers with more than 20 values are a regression, else labels', async () => {
    verifies('evaluation.profile-roles');
    const table = (values: number) =>
      `x,target\n${Array.from({ length: 60 }, (_, i) => `${i},${(i % values) + 0.5}`).join('\n')}`;
    await using twentyOne = await dataFile('a.csv', table(21));
    await using twenty = await dataFile('b.csv', table(20));
    expect(await profileDataset(twentyOne.path)).toMatchObject({ suggestedTask: 'regression', confidence: 0.95 });
    expect(await profileDataset(twenty.path)).toMatchObject({ suggestedTask: 'classification', confidence: 0.65 });
  });

  test('a guess that a person should confirm has a confidence below 0.7', async () => {
    verifies('evaluation.profile-roles');
    const lines = Array.from({ length: 20 }, (_, i) => `${i},${i * 2},${i % 2}`);
    await using nameless = await dataFile('a.csv', `a,b,c\n${lines.join('\n')}`);
    await using twoNames = await dataFile('b.csv', `x,label,class\n${lines.join('\n')}`);
    await using none = await dataFile(
      'c.csv',
      `a,b\n${lines.map((line) => line.slice(0, line.lastIndexOf(','))).join('\n')}`,
    );
    expect(await profileDataset(nameless.path)).toMatchObject({ targetColumn: 'c', confidence: 0.5 });
    expect((await profileDataset(twoNames.path)).confidence).toBeLessThan(0.7);
    expect(await profileDataset(none.path)).toMatchObject({
      targetColumn: null,
      suggestedTask: 'inference',
      confidence: 0.5,
    });
  });

  test('a wrong column name lists the columns', async () => {
    verifies('evaluation.column-missing');
    await using data = await dataFile('penguins.csv', penguins(3));
    await expect(profileDataset(data.path, { target: 'spezies' })).rejects.toMatchObject({
      code: 'column_missing',
      message: 'there is no column "spezies" to be the target',
      why: 'The columns are: id, species, bill_length_mm, sex.',
    });
    await expect(profileDataset(data.path, { input: ['beak'] })).rejects.toMatchObject({ code: 'column_missing' });
    await expect(profileDataset(data.path, { target: 'species', input: ['species'] })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('a target that cannot be measured is refused with what to do', async () => {
    verifies('evaluation.target-unsuitable');
    const cases: readonly (readonly [string, Parameters<typeof profileDataset>[1], RegExp])[] = [
      ['x,y\n1,a\n2,a\n', {}, /one class/],
      ['x,y\n1,\n2,NA\n', { target: 'y' }, /holds no value/],
      ['x,y\n1,a\n2,b\n', { task: 'regression' }, /needs numbers/],
      ['x,y\n1,1.0\n2,1\n3,2\n', { task: 'classification' }, /two spellings of one label/],
      ['x,y\n1,True\n2,true\n3,false\n', {}, /two spellings of one label/],
      [`x,y\n${Array.from({ length: 1001 }, (_, i) => `1,l${i}`).join('\n')}`, {}, /at most 1000/],
      [`x,y\n1,${'l'.repeat(257)}\n2,b`, {}, /longer than 256 bytes/],
    ];
    for (const [content, hints, why] of cases) {
      await using data = await dataFile('t.csv', content);
      await expect(profileDataset(data.path, hints), content.slice(0, 40)).rejects.toMatchObject({
        code: 'target_unsuitable',
        why: expect.stringMatching(why) as string,
        hint: expect.stringMatching(/./) as string,
      });
    }
    await using json = await dataFile('t.json', '[{"x":1,"y":"5"},{"x":2,"y":5},{"x":3,"y":"a"}]');
    await expect(profileDataset(json.path)).rejects.toMatchObject({
      code: 'target_unsuitable',
      why: expect.stringMatching(/mixes texts with numbers/) as string,
    });
  });
});

describe('what is not a table is refused by name', () => {
  test('files that are not there, not files, empty or without rows', async () => {
    verifies('evaluation.profile-malformed');
    await using data = await dataFile('empty.csv', '');
    await expect(profileDataset(join(data.folder.path, 'nothing.csv'))).rejects.toMatchObject({
      code: 'dataset_missing',
    });
    await expect(profileDataset(data.folder.path)).rejects.toMatchObject({ code: 'dataset_format' });
    await expect(profileDataset(data.path)).rejects.toMatchObject({ code: 'dataset_empty' });
    execFileSync('mkfifo', [join(data.folder.path, 'pipe.csv')]);
    await expect(profileDataset(join(data.folder.path, 'pipe.csv'))).rejects.toMatchObject({ code: 'dataset_format' });
    await using bom = await dataFile('bom.csv', '\ufeff');
    await expect(profileDataset(bom.path)).rejects.toMatchObject({ code: 'dataset_empty' });
    await using header = await dataFile('header.csv', 'a,b\n');
    await expect(profileDataset(header.path)).rejects.toMatchObject({
      code: 'dataset_no_rows',
      why: 'It has only a header (a, b).',
    });
    await using array = await dataFile('array.json', '[]');
    await expect(profileDataset(array.path)).rejects.toMatchObject({ code: 'dataset_no_rows' });
  });

  test('a link is followed to the real file', async () => {
    verifies('evaluation.profile-facts');
    await using data = await dataFile('penguins.csv', penguins(5));
    await mkdir(join(data.folder.path, 'other'));
    await symlink(data.path, join(data.folder.path, 'other', 'link.csv'));
    expect((await profileDataset(join(data.folder.path, 'other', 'link.csv'))).path).toBe(data.path);
  });

  test('binary files, named', async () => {
    verifies('evaluation.profile-malformed');
    for (const [bytes, name] of [
      [[0x50, 0x4b, 3, 4, 20, 0], /ZIP file that cannot be read/],
      [[0x1f, 0x8b, 8, 0], /damaged gzip/],
      [[0x50, 0x41, 0x52, 0x31], /Parquet/],
      [[1, 2, 0, 0, 0, 9, 0, 0], /not a text table/],
    ] as const) {
      await using data = await dataFile('b.csv', Buffer.from(bytes));
      await expect(profileDataset(data.path)).rejects.toMatchObject({
        code: 'dataset_format',
        message: expect.stringMatching(name) as string,
      });
    }
  });

  test('malformed CSV, with line and row', async () => {
    verifies('evaluation.profile-malformed');
    const cases = [
      ['a,b\n1,2\n1,2,3\n', 'dataset_ragged', { row: 1, line: 3, cells: 3, expected: 2 }],
      ['a,b\n1,2\n\n3\n', 'dataset_ragged', { row: 1, line: 4, cells: 1, expected: 2 }],
      ['a,b\n1,"2\n3,4\n', 'dataset_format', { line: 2 }],
      ['a,b\n"1"x,2\n', 'dataset_format', { line: 2, column: 0 }],
    ] as const;
    for (const [content, code, details] of cases) {
      await using data = await dataFile('m.csv', content);
      await expect(profileDataset(data.path), content).rejects.toMatchObject({ code, details });
    }
    await using numbers = await dataFile('n.csv', '1,2,3\n4,5,6\n');
    await expect(profileDataset(numbers.path)).rejects.toMatchObject({
      code: 'dataset_format',
      message: 'n.csv has no header row',
    });
  });

  test('malformed JSON, with row and reason', async () => {
    verifies('evaluation.profile-malformed');
    const cases = [
      ['a.json', '[{"a":1},', /ends in the middle|wrong place/],
      ['a.json', '[{"a":1} {"a":2}]', /wrong place/],
      ['a.json', '[{"a":1,"a":2}]', /stands twice/],
      ['a.json', '[1,2]', /./],
      ['a.json', '{"rows":[{"a":1}]}', /data, records, items, examples/],
      ['a.json', '{"data":[{"a":1}],"items":[{"a":1}]}', /more than one array/],
      ['a.json', '[{"a":1}] trailing', /./],
      ['a.json', '[{"a":01}]', /./],
      ['a.json', '[{"":1}]', /name of a column/],
      ['a.json', '['.repeat(100), /./],
      ['a.jsonl', '{"a":1}\n{"a":2', /character/],
      ['a.jsonl', '{"a":1}\n[1]\n', /one object/],
      ['a.jsonl', '{"a":1,"a":2}\n', /stands twice/],
    ] as const;
    for (const [name, content, why] of cases) {
      await using data = await dataFile(name, content);
      await expect(profileDataset(data.path), content.slice(0, 60)).rejects.toMatchObject({
        code: 'dataset_format',
        why: expect.stringMatching(why) as string,
      });
    }
  });

  test('a row without end does not fill the memory', async () => {
    verifies('evaluation.profile-malformed');
    await using json = await dataFile('long.json', `[{"a":"${'x'.repeat(20 * 1024 * 1024)}"}]`);
    await expect(profileDataset(json.path)).rejects.toMatchObject({
      why: 'Near row 0: one row is longer than 16 MiB.',
    });
    await using lines = await dataFile('long.jsonl', `{"a":"${'x'.repeat(20 * 1024 * 1024)}"}`);
    await expect(profileDataset(lines.path)).rejects.toMatchObject({ message: 'line 1 is longer than 16 MiB' });
    await using data = await dataFile('long.csv', `a,b\n"${'x'.repeat(40 * 1024 * 1024)}`);
    await expect(profileDataset(data.path)).rejects.toMatchObject({
      code: 'dataset_format',
      message: 'the row on line 2 is longer than 16 MiB',
    });
  });
});
