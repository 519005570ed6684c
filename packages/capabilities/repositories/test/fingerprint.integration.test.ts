import { chmod, link, mkdir, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { fingerprintTree } from '../src/index.ts';
import { exportOf } from './support/export-of.ts';
import { commitFiles, put } from './support/git-repository.ts';

async function printOf(prepare: (folder: string) => unknown): Promise<string> {
  await using folder = await temporaryFolder();
  put(folder.path, { 'a.py': 'a\n', 'pkg/b.py': 'b\n' });
  await chmod(join(folder.path, 'a.py'), 0o644);
  await chmod(join(folder.path, 'pkg/b.py'), 0o644);
  await prepare(folder.path);
  return (await fingerprintTree(folder.path)).sha256;
}

const same = () => printOf(() => undefined);

describe('the fingerprint of a tree', () => {
  it('is the documented hash', async () => {
    verifies('repository.fingerprint');
    await using folder = await temporaryFolder();
    put(folder.path, { 'b.txt': 'hello', 'a/z.sh': '' });
    await chmod(join(folder.path, 'b.txt'), 0o644);
    await chmod(join(folder.path, 'a/z.sh'), 0o755);
    await symlink('b.txt', join(folder.path, 'c'));
    // printf 'assay.tree/1\nfile 755 <sha256 of nothing> a/z.sh\0\nfile 644 <sha256 of hello> b.txt\0\nlink 777 <sha256 of "b.txt"> c\0\n' | sha256sum
    expect(await fingerprintTree(folder.path)).toEqual({
      sha256: '22974c6c32a582189b8b7684bbcbb53c653266e9496f66de456a474ce7e0a1ea',
      files: 3,
      bytes: 5,
    });
  });

  it('does not depend on times, on the order of creation or on empty folders', async () => {
    verifies('repository.fingerprint');
    const plain = await same();
    expect(await printOf((folder) => utimes(join(folder, 'a.py'), 1, 1))).toBe(plain);
    expect(await printOf((folder) => mkdir(join(folder, 'empty')))).toBe(plain);
    const recreated = async (folder: string) => {
      await rename(join(folder, 'a.py'), join(folder, 'x'));
      await rename(join(folder, 'x'), join(folder, 'a.py'));
    };
    expect(await printOf(recreated)).toBe(plain);
  });

  const changes: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
    'a changed byte': (folder) => writeFile(join(folder, 'a.py'), 'A\n'),
    'a new file': (folder) => writeFile(join(folder, 'c.py'), ''),
    'a renamed file': (folder) => rename(join(folder, 'a.py'), join(folder, 'c.py')),
    'a moved file': (folder) => rename(join(folder, 'a.py'), join(folder, 'pkg/a.py')),
    'an executable bit': (folder) => chmod(join(folder, 'a.py'), 0o755),
    'a set-user-id bit': (folder) => chmod(join(folder, 'a.py'), 0o4644),
    'a new link': (folder) => symlink('a.py', join(folder, 'c.py')),
    'a hidden file': (folder) => writeFile(join(folder, '.env'), ''),
    'a .git deeper down': async (folder) => put(folder, { 'pkg/.git/config': 'x' }),
    'a .scholar deeper down': async (folder) => put(folder, { 'pkg/.scholar/x.py': 'x' }),
    'a pipe': async (folder) => execFileSync('mkfifo', [join(folder, 'pipe')]),
  };
  it.each(Object.keys(changes))('changes with %s', async (name) => {
    verifies('repository.fingerprint');
    expect(await printOf((folder) => changes[name]?.(folder))).not.toBe(await same());
  });

  it('tells links by their target', async () => {
    const to = (target: string) => printOf((folder) => symlink(target, join(folder, 'l')));
    expect(await to('a.py')).not.toBe(await to('pkg/b.py'));
    expect(await to('/etc/passwd')).not.toBe(await to('a.py'));
  });

  it('cannot be fooled by names that look like its own lines', async () => {
    const one = await printOf((folder) => writeFile(join(folder, 'n\nfile 644 x'), ''));
    const two = await printOf(async (folder) => {
      await writeFile(join(folder, 'n'), '');
      await writeFile(join(folder, 'file 644 x'), '');
    });
    expect(one).not.toBe(two);
  });

  it('leaves .git and .scholar at the top out', async () => {
    verifies('repository.fingerprint');
    const planted = (folder: string) => put(folder, { '.git/x': 'x', '.scholar/benchmark/y': 'y' });
    expect(await printOf(planted)).toBe(await same());
  });

  it('is the same for two exports of one commit, whatever the umask', async () => {
    verifies('repository.fingerprint');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    commitFiles(repo, { 'a.py': 'a\n', 'pkg/b.py': 'b\n' });
    const one = await exportOf(repo, folder.path, { name: 'one' });
    const before = process.umask(0o077);
    const two = await exportOf(repo, folder.path, { name: 'two' }).finally(() => process.umask(before));
    expect(await fingerprintTree(two.path)).toEqual(await fingerprintTree(one.path));
  });

  it('fails when the tree changes while it is read', async () => {
    verifies('repository.fingerprint-races');
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'large.bin');
    await writeFile(path, Buffer.alloc(64 * 1024 * 1024));
    const work = fingerprintTree(folder.path);
    const writer = setInterval(() => void writeFile(path, 'x', { flag: 'a' }), 1);
    await expect(work.finally(() => clearInterval(writer))).rejects.toMatchObject({ code: 'repository_changed' });
  });

  it('counts both names of a hard link, and stops on abort', async () => {
    await using folder = await temporaryFolder();
    put(folder.path, { 'a.py': 'a\n' });
    await link(join(folder.path, 'a.py'), join(folder.path, 'b.py'));
    expect(await fingerprintTree(folder.path)).toMatchObject({ files: 2, bytes: 4 });
    const signal = AbortSignal.abort(new Error('canceled'));
    await expect(fingerprintTree(folder.path, { signal })).rejects.toThrow('canceled');
  });
});
