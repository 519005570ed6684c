import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { inspectTable, prepareData, profileDataset } from '../src/index.ts';
import { dataFile, penguins } from './data-files.ts';

/** Python's zipfile as a second opinion: members are given as name=path, stored or deflated. */
function zipped(path: string, mode: 'ZIP_STORED' | 'ZIP_DEFLATED', ...members: readonly string[]): string {
  const program = `import sys,zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.${mode}) as archive:
    for member in sys.argv[2:]:
        name, _, path = member.partition("=")
        archive.write(path, name)`;
  execFileSync('python3', ['-c', program, path, ...members]);
  return path;
}

describe('a ZIP archive', () => {
  test('with several files is a question that lists them, and the named one is read, also again', async () => {
    verifies('data.zip');
    await using data = await dataFile('p.csv', penguins(60));
    const other = join(data.folder.path, 'readme.md');
    await writeFile(other, '# what this is\n');
    const names = ['数据/企鹅.csv', 'readme.md', 'old.csv'];
    const path = zipped(
      join(data.folder.path, 'two.zip'),
      'ZIP_DEFLATED',
      `${names[0]}=${data.path}`,
      `readme.md=${other}`,
      `old.csv=${other}`,
    );
    const [question] = (await inspectTable(path)).questions;
    expect(question).toMatchObject({
      field: 'member',
      question: 'Which file of two.zip is the data?',
      options: [{ value: names[0], label: /^\d+ bytes$/ }, { value: 'readme.md' }, { value: 'old.csv' }].map((one) => ({
        ...one,
        label: expect.stringMatching(/^\d+ bytes$/) as string,
      })),
    });
    const manifest = await profileDataset(path, { member: names[0] });
    expect(manifest).toMatchObject({ member: names[0], compression: 'zip', rowCount: 60, format: 'csv' });
    const prepared = await prepareData(manifest, data.folder.path, { training: true, seed: 17 });
    expect(prepared.handedOut.length + prepared.trainRows.length).toBe(60);
    await expect(profileDataset(path, { member: 'none.csv' })).rejects.toMatchObject({
      code: 'dataset_format',
      message: 'two.zip holds no single file called none.csv',
      why: `There is ${names.join(', ')} in it.`,
    });
    await expect(profileDataset(data.path, { member: 'p.csv' })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test.each(['ZIP_STORED', 'ZIP_DEFLATED'] as const)(
    '%s, whose bytes are not what its check sum says, is refused',
    async (mode) => {
      verifies('data.zip');
      await using data = await dataFile('p.csv', penguins(5000));
      const path = zipped(join(data.folder.path, 'p.zip'), mode, `p.csv=${data.path}`);
      const bytes = await readFile(path);
      const central = bytes.lastIndexOf(Buffer.from('504b0102', 'hex'));
      if (mode === 'ZIP_STORED') bytes[central - 100] = bytes[central - 100]! ^ 1;
      else bytes.writeUInt32LE((bytes.readUInt32LE(central + 16) ^ 1) >>> 0, central + 16);
      await writeFile(path, bytes);
      await expect(profileDataset(path)).rejects.toMatchObject({
        code: 'dataset_format',
        message: 'p.zip is a damaged zip file',
        why: 'Unpacking it stopped: the check sum (CRC-32) of p.csv is not the one in the archive.',
      });
    },
  );

  test('that is encrypted, empty, or holds something packed again is refused with what to do', async () => {
    verifies('data.zip');
    await using data = await dataFile('p.csv', penguins(30));
    const at = (name: string) => join(data.folder.path, name);
    const locked = zipped(at('locked.zip'), 'ZIP_DEFLATED', `p.csv=${data.path}`);
    const bytes = await readFile(locked);
    // the flag of encryption, in both places where it stands
    bytes[6] = bytes[6]! | 1;
    const central = bytes.lastIndexOf(Buffer.from('504b0102', 'hex'));
    bytes[central + 8] = bytes[central + 8]! | 1;
    await writeFile(locked, bytes);
    await expect(profileDataset(locked)).rejects.toMatchObject({
      message: 'p.csv in locked.zip is encrypted',
      hint: expect.stringContaining('password') as string,
    });
    await expect(profileDataset(zipped(at('none.zip'), 'ZIP_STORED'))).rejects.toMatchObject({
      code: 'dataset_format',
    });
    const inner = zipped(at('inner.zip'), 'ZIP_DEFLATED', `p.csv=${data.path}`);
    await writeFile(at('p.csv.gz'), gzipSync(penguins(30)));
    for (const [outer, kind] of [
      [zipped(at('outer.zip'), 'ZIP_DEFLATED', `inner.zip=${inner}`), 'zip'],
      [zipped(at('gz.zip'), 'ZIP_DEFLATED', `p.csv.gz=${at('p.csv.gz')}`), 'gzip'],
    ] as const)
      await expect(profileDataset(outer)).rejects.toMatchObject({
        message: expect.stringContaining('is packed twice') as string,
        why: expect.stringContaining(`is a ${kind} file again`) as string,
      });
    await writeFile(at('twice.csv.gz'), gzipSync(gzipSync(penguins(30))));
    await expect(profileDataset(at('twice.csv.gz'))).rejects.toMatchObject({ message: 'twice.csv.gz is packed twice' });
    execFileSync('tar', ['czf', at('p.tar.gz'), '-C', data.folder.path, 'p.csv']);
    await expect(profileDataset(at('p.tar.gz'))).rejects.toMatchObject({
      message: 'p.tar.gz is a tar archive, not a text table',
    });
  });
});
