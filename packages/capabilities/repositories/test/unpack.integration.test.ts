import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCode } from '@assay/foundation';
import { temporaryFolder, verifies, type TemporaryFolder } from '@assay/testkit';
import { TreeWriter } from '../src/package/tree-writer.ts';
import { unpackTarGz } from '../src/package/unpack-tar.ts';
import { unpackZip } from '../src/package/unpack-zip.ts';
import { filesIn } from './support/export-of.ts';
import { tarGz, zip, type TarEntry } from './support/package-index.ts';

const limits = { maxFiles: 50, maxBytes: 100_000 };
const signal = AbortSignal.timeout(120_000);

function writerIn(folder: TemporaryFolder, subfolder = ''): TreeWriter {
  return new TreeWriter(join(folder.path, 'tree'), { limits, subfolder, shown: 'it', checkTime: () => undefined });
}

/** Unpacks as an export does; gives the files that stand there, or the code of the refusal. */
async function unpacked(
  kind: 'tar' | 'zip',
  content: Buffer,
): Promise<{ files: string[]; skipped: string[] } | string> {
  await using folder = await temporaryFolder();
  const archive = join(folder.path, 'archive');
  await writeFile(archive, content);
  const writer = writerIn(folder);
  try {
    if (kind === 'tar') await unpackTarGz(archive, writer, signal);
    else await unpackZip(archive, writer, { signal, stripTop: false });
  } catch (error) {
    return errorCode(error) ?? String(error);
  }
  const skipped = writer.skipped.map(({ path, reason }) => `${path} ${reason}`);
  return { files: await filesIn(join(folder.path, 'tree')), skipped };
}

const good: TarEntry = { name: 'model-1.0/a.py', content: 'x = 1\n' };
const tar = async (...entries: TarEntry[]) => unpacked('tar', await tarGz([good, ...entries]));

describe('a hostile archive', () => {
  it('makes no links and no devices, and reports them', async () => {
    verifies('repository.hostile-archive');
    const made = await tar(
      { name: 'model-1.0/link', type: 'symlink', linkname: '/etc' },
      { name: 'model-1.0/link/passwd', content: 'written through the link?' },
      { name: 'model-1.0/hard', type: 'link', linkname: '/etc/passwd' },
      { name: 'model-1.0/zero', type: 'character-device', devmajor: 1, devminor: 5 },
      { name: 'model-1.0/pipe', type: 'fifo' },
    );
    const skipped = ['link archive_link', 'hard archive_link', 'zero special_file', 'pipe special_file'];
    expect(made).toEqual({ files: ['a.py', 'link/passwd'], skipped });
    const link = { name: 'link', content: '/etc/passwd', mode: 0o120777 };
    const zipped = zip([{ name: 'a.py', content: 'x\n' }, link]);
    expect(await unpacked('zip', zipped)).toEqual({ files: ['a.py'], skipped: ['link archive_link'] });
  });

  it.each(['../../assay-escape.py', 'model-1.0/../../assay-escape.py', '/tmp/assay-escape.py', 'model-1.0/C:\\b.py'])(
    'writes nothing outside: %s',
    async (name) => {
      verifies('repository.hostile-archive');
      expect(await tar({ name, content: 'x' })).toBe('repository_unreadable');
      expect(existsSync('/tmp/assay-escape.py')).toBe(false);
    },
  );

  it.each(['../../assay-escape.py', '/tmp/assay-escape.py', 'a/../../assay-escape.py'])(
    'that is a zip writes nothing outside: %s',
    async (name) => {
      verifies('repository.hostile-archive');
      const files = [
        { name: 'a.py', content: 'x' },
        { name, content: 'x' },
      ];
      expect(await unpacked('zip', zip(files))).toBe('repository_unreadable');
      expect(existsSync('/tmp/assay-escape.py')).toBe(false);
    },
  );

  it('has bounds in files, unpacked bytes and depth', async () => {
    verifies('repository.hostile-archive');
    const zeros = 'x'.repeat(200_000); // compresses to almost nothing
    expect(await tar({ name: 'model-1.0/big.py', content: zeros })).toBe('repository_too_large');
    const many = Array.from({ length: 60 }, (_, at) => ({ name: `model-1.0/${at}.py`, content: '' }));
    expect(await tar(...many)).toBe('repository_too_large');
    expect(await unpacked('zip', zip([{ name: 'big.py', content: zeros }]))).toBe('repository_too_large');
    expect(await unpacked('zip', zip(many))).toBe('repository_too_large');
    expect(await tar({ name: `model-1.0/${'d/'.repeat(200)}a.py`, content: '' })).toBe('repository_unreadable');
    expect(await tar({ name: 'model-1.0/a.py/b.py', content: '' })).toBe('repository_unreadable');
  });

  it('that is cut short, or is no archive, is refused', async () => {
    verifies('repository.hostile-archive');
    const whole = await tarGz([good, { name: 'model-1.0/b.py', content: 'y'.repeat(1000) }]);
    expect(await unpacked('tar', whole.subarray(0, whole.length - 20))).toBe('repository_unreadable');
    expect(await unpacked('tar', Buffer.from('not an archive'))).toBe('repository_unreadable');
    expect(await unpacked('zip', Buffer.from('not an archive at all, not an archive'))).toBe('repository_unreadable');
    expect(await unpacked('zip', zip([{ name: 'a.py', content: 'x' }]).subarray(0, 60))).toBe('repository_unreadable');
  });

  it('stops when it is canceled', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'archive'), await tarGz([good]));
    const aborted = AbortSignal.abort(new Error('canceled'));
    await expect(unpackTarGz(join(folder.path, 'archive'), writerIn(folder), aborted)).rejects.toThrow('canceled');
  });
});
