import { chmod, lstat, mkdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { exportRepository, inspectRepository, repoManifest } from '../src/index.ts';
import { exportOf, filesIn } from './support/export-of.ts';
import { commitFiles, commitMore, git, gitInput, put } from './support/git-repository.ts';

const code = { 'model.py': 'x = 1\n' };

describe('exporting a commit', () => {
  it('writes the files of the commit, without .git, with the folders of the benchmark', async () => {
    verifies('repository.exports-commit');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    const commit = commitFiles(repo, { 'pkg/a.py': 'a\n', 'run.sh': '#!/bin/sh\n' });
    await chmod(join(repo, 'run.sh'), 0o755);
    const second = commitMore(repo, { 'README.md': 'hi\n' });
    const exported = await exportOf(repo, folder.path);
    expect(second).not.toBe(commit);
    expect(exported).toMatchObject({ commit: second, dirty: false, files: 3, skipped: [], notes: [] });
    expect(await filesIn(exported.path)).toEqual(['README.md', 'pkg/a.py', 'run.sh']);
    expect((await stat(join(exported.path, 'run.sh'))).mode & 0o777).toBe(0o755);
    expect((await stat(join(exported.path, 'pkg/a.py'))).mode & 0o777).toBe(0o644);
    expect((await stat(join(exported.path, '.scholar/benchmark'))).isDirectory()).toBe(true);
    expect((await stat(join(exported.path, '.scholar/uploads'))).isDirectory()).toBe(true);
    expect(existsSync(join(exported.path, '.git'))).toBe(false);
  });

  it('exports the named commit and reports what the working tree has besides', async () => {
    verifies('repository.exports-commit', 'repository.reports-changes');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    const commit = commitFiles(repo, { 'a.py': 'committed\n', 'gone.py': 'x\n', '.gitignore': '*.log\n' });
    put(repo, { 'a.py': 'changed\n', 'new.py': 'y\n', 'x.log': 'ignored\n' });
    await rm(join(repo, 'gone.py'));
    const exported = await exportOf(repo, folder.path);
    expect(exported.commit).toBe(commit);
    expect(await readFile(join(exported.path, 'a.py'), 'utf8')).toBe('committed\n');
    expect(exported.dirty).toBe(true);
    expect(exported.changes).toEqual({ modified: 2, untracked: 1, examples: ['a.py', 'gone.py', 'new.py'] });
    expect(exported.notes).toEqual([
      'the commit was exported; not in it: 2 changed and 1 untracked files (a.py, gone.py, new.py)',
    ]);
    // The index of the person's repository was not touched.
    expect(git(repo, 'status', '--porcelain')).toBe('M a.py\n D gone.py\n?? new.py');
  });

  it('exports only the subfolder that was given', async () => {
    verifies('repository.exports-commit');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    commitFiles(repo, { 'sub dir/a.py': 'a\n', 'b.py': 'b\n' });
    put(repo, { 'b.py': 'changed outside\n' });
    const exported = await exportOf(join(repo, 'sub dir'), folder.path);
    expect(await filesIn(exported.path)).toEqual(['a.py']);
    expect(exported.dirty).toBe(false);
  });

  it('copies a subfolder that no commit holds, and says so', async () => {
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    commitFiles(repo, { 'b.py': 'b\n' });
    put(repo, { 'fresh/a.py': 'a\n' });
    const exported = await exportOf(join(repo, 'fresh'), folder.path);
    expect(exported.commit).toBeNull();
    expect(exported.notes.at(-1)).toMatch(
      /^fresh is not part of commit [0-9a-f]{12} of .*: the folder was copied as it stands$/,
    );
    expect(await filesIn(exported.path)).toEqual(['a.py']);
  });

  it('exports bare repositories, old commits, worktrees and names that are not ASCII', async () => {
    verifies('repository.exports-commit');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, "ré po's 100%");
    const first = commitFiles(repo, { 'größe/模型 1.py': 'x\n' });
    commitMore(repo, { 'later.py': 'y\n' });
    git(folder.path, 'clone', '--quiet', '--bare', repo, 'bare');
    git(repo, 'worktree', 'add', '--quiet', '--detach', '../linked');
    const old = await exportOf(repo, folder.path, { ref: first, name: 'old' });
    expect(await filesIn(old.path)).toEqual(['größe/模型 1.py']);
    const bare = await exportOf(join(folder.path, 'bare'), folder.path, { name: 'b' });
    expect(await filesIn(bare.path)).toEqual(['größe/模型 1.py', 'later.py']);
    expect(bare.dirty).toBe(false);
    const linked = await exportOf(join(folder.path, 'linked'), folder.path, { name: 'l' });
    expect(await filesIn(linked.path)).toEqual(['größe/模型 1.py', 'later.py']);
  });

  it('fetches a commit once, without its history', async () => {
    verifies('repository.cache-depth');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    commitFiles(repo, code);
    const second = commitMore(repo, { 'b.py': 'y\n' });
    await exportOf(repo, folder.path, { name: 'one' });
    const [cache = ''] = readdirSync(join(folder.path, 'cache'));
    const gitDir = join(folder.path, 'cache', cache);
    expect(git(gitDir, 'rev-list', '--all')).toBe(second);
    const ref = await inspectRepository(repo, { signal: AbortSignal.timeout(60_000) });
    await rm(repo, { recursive: true });
    await mkdir(repo); // the source is gone, the cache still serves
    const options = { cacheDir: join(folder.path, 'cache'), signal: AbortSignal.timeout(60_000) };
    await expect(exportRepository(ref, join(folder.path, 'two'), options)).resolves.toMatchObject({ commit: second });
  });

  it('makes a damaged or locked cache anew', async () => {
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    commitFiles(repo, code);
    await exportOf(repo, folder.path, { name: 'one' });
    const gitDir = join(folder.path, 'cache', readdirSync(join(folder.path, 'cache'))[0] ?? '');
    const commit = commitMore(repo, { 'b.py': 'y\n' });
    await writeFile(join(gitDir, 'shallow.lock'), ''); // left by a killed process
    await expect(exportOf(repo, folder.path, { name: 'two' })).resolves.toMatchObject({ commit });
    await rm(join(gitDir, 'objects'), { recursive: true });
    await expect(exportOf(repo, folder.path, { name: 'three' })).resolves.toMatchObject({ commit });
  });

  it('serves several exports of one repository at a time', async () => {
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    commitFiles(repo, code);
    const names = ['a', 'b', 'c', 'd'];
    const all = await Promise.all(names.map((name) => exportOf(repo, folder.path, { name })));
    expect(all.map((exported) => exported.files)).toEqual([1, 1, 1, 1]);
  });

  it('keeps SHA-256 repositories', async () => {
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    await mkdir(repo);
    git(repo, 'init', '--quiet', '--object-format=sha256');
    const commit = commitMore(repo, code);
    const exported = await exportOf(repo, folder.path);
    expect(exported.commit).toBe(commit);
    expect(commit).toHaveLength(64);
  });

  it('reports LFS pointers and submodules', async () => {
    verifies('repository.reports-missing-content');
    await using folder = await temporaryFolder();
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`;
    commitFiles(join(folder.path, 'part'), code);
    const repo = join(folder.path, 'repo');
    commitFiles(repo, { 'a.py': '', 'weights.bin': pointer });
    git(repo, 'submodule', '--quiet', 'add', '../part', 'sub');
    git(repo, 'commit', '--quiet', '--message', 'sub');
    put(repo, { 'weights.bin': 'the real content' }); // as git-lfs would have left it
    const exported = await exportOf(repo, folder.path);
    expect(exported.dirty).toBe(false);
    expect(exported.notes).toEqual([
      'submodules are not fetched: sub',
      '1 files are Git LFS pointers without their content: weights.bin',
    ]);
  });

  it('says that a commit is missing', async () => {
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    commitFiles(repo, code);
    const missing = 'a'.repeat(40);
    await expect(exportOf(repo, folder.path, { ref: missing })).rejects.toMatchObject({
      code: 'repository_missing',
      message: `${repo} does not hold the commit ${missing}`,
    });
  });

  it('says that the commit holds no code although the folder does', async () => {
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    commitFiles(repo, { 'README.md': 'hi\n' });
    put(repo, code);
    await expect(exportOf(repo, folder.path)).rejects.toMatchObject({
      code: 'repository_no_code',
      details: { lookedAt: ['README.md'], total: 1 },
    });
    expect(readdirSync(folder.path).sort()).toEqual(['cache', 'repo']);
  });
});

describe('exporting a plain folder', () => {
  it('copies files and links that stay inside, and reports the rest', async () => {
    verifies('repository.copies-safely');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    put(repo, {
      'a.py': 'a\n',
      'pkg/b.py': 'b\n',
      'pkg/.git/config': 'x',
      'pkg/__pycache__/b.pyc': 'x',
      'venv/pyvenv.cfg': 'x',
      'venv/bin/tool.py': 'x',
      '.scholar/benchmark/adapter.py': 'planted',
    });
    await symlink('pkg/b.py', join(repo, 'inside'));
    await symlink('pkg', join(repo, 'folder-inside'));
    await symlink('/etc/passwd', join(repo, 'absolute'));
    await symlink('../secret.txt', join(repo, 'above'));
    await symlink(repo, join(repo, 'itself'));
    await symlink('nowhere', join(repo, 'broken'));
    await symlink('absolute', join(repo, 'through'));
    await writeFile(join(folder.path, 'secret.txt'), 'secret');
    execFileSync('mkfifo', [join(repo, 'pipe')]);
    const server = createServer().listen(join(repo, 'socket'));
    const exported = await exportOf(repo, folder.path);
    server.close();
    expect(await filesIn(exported.path)).toEqual(['a.py', 'folder-inside', 'inside', 'pkg/b.py']);
    expect(await readlink(join(exported.path, 'inside'))).toBe('pkg/b.py');
    expect(exported.files).toBe(4);
    expect(new Map(exported.skipped.map(({ path, reason }) => [path, reason]))).toEqual(
      new Map([
        ['pipe', 'special_file'],
        ['socket', 'special_file'],
        ['pkg/.git', 'git_data'],
        ['pkg/__pycache__', 'bytecode'],
        ['venv', 'virtual_environment'],
        ['.scholar', 'reserved_name'],
        ['absolute', 'link_outside'],
        ['above', 'link_outside'],
        ['itself', 'link_outside'],
        ['through', 'link_outside'],
        ['broken', 'link_broken'],
      ]),
    );
    expect(await filesIn(join(exported.path, '.scholar'))).toEqual([]);
  });

  it.each(['folder', 'git'] as const)('leaves out a name that is not UTF-8, and names it: %s', async (kind) => {
    verifies('repository.names-not-utf8');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    put(repo, { ...code, 'pkg/b.py': '' });
    await writeFile(Buffer.concat([Buffer.from(`${repo}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]), 'x');
    const odd = Buffer.concat([Buffer.from(`${repo}/pkg/`), Buffer.from([0xff, 0xfe])]);
    await mkdir(odd);
    await writeFile(Buffer.concat([odd, Buffer.from('/inside.py')]), 'x');
    await symlink(Buffer.concat([Buffer.from('caf'), Buffer.from([0xe9]), Buffer.from('.txt')]), join(repo, 'link'));
    if (kind === 'git') commitFiles(repo, {});
    const exported = await exportOf(repo, folder.path);
    expect(await filesIn(exported.path)).toEqual(['model.py', 'pkg/b.py']);
    expect(exported.files).toBe(2);
    expect(exported.skipped).toEqual([
      { path: 'caf\\xe9.txt', reason: 'name_not_utf8' },
      { path: 'pkg/\\xff\\xfe', reason: 'name_not_utf8' },
      { path: 'link', reason: 'link_broken' },
    ]);
    const manifest = await repoManifest(exported, { signal: new AbortController().signal });
    expect(manifest.warnings.join('\n')).toContain('caf\\xe9.txt');
  });

  it('does not follow a link in the place of .scholar', async () => {
    verifies('repository.copies-safely');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    put(repo, code);
    await mkdir(join(folder.path, 'mine'));
    await symlink('../mine', join(repo, '.scholar'));
    const exported = await exportOf(repo, folder.path);
    expect((await lstat(join(exported.path, '.scholar'))).isDirectory()).toBe(true);
    expect(readdirSync(join(folder.path, 'mine'))).toEqual([]);
  });

  it('leaves the person’s folder as it was', async () => {
    verifies('repository.leaves-source');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    put(repo, { 'pkg/a.py': 'a\n' });
    const before = (await lstat(join(repo, 'pkg'))).mtimeMs;
    await exportOf(repo, folder.path);
    expect(await filesIn(repo)).toEqual(['pkg/a.py']);
    expect((await lstat(join(repo, 'pkg'))).mtimeMs).toBe(before);
  });

  it('has bounds', async () => {
    verifies('repository.bounded');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    put(repo, { 'a.py': 'a'.repeat(100), 'b.py': 'b' });
    const tooLarge = { code: 'repository_too_large' };
    const bytes = { maxFiles: 10, maxBytes: 100 };
    const files = { maxFiles: 1, maxBytes: 1000 };
    await expect(exportOf(repo, folder.path, { limits: bytes })).rejects.toMatchObject(tooLarge);
    await expect(exportOf(repo, folder.path, { limits: files })).rejects.toMatchObject(tooLarge);
    git(repo, 'init', '--quiet');
    commitMore(repo, {});
    await expect(exportOf(repo, folder.path, { limits: bytes })).rejects.toMatchObject(tooLarge);
    await expect(exportOf(repo, folder.path, { limits: files })).rejects.toMatchObject(tooLarge);
    expect(readdirSync(folder.path).sort()).toEqual(['cache', 'repo']);
  });

  it('ends at the time-out and on abort, and leaves nothing', async () => {
    verifies('repository.bounded');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    put(repo, code);
    await expect(exportOf(repo, folder.path, { timeoutSeconds: 0 })).rejects.toMatchObject({ code: 'task_timeout' });
    const ref = await inspectRepository(repo, { signal: AbortSignal.timeout(60_000) });
    const options = { cacheDir: join(folder.path, 'cache'), signal: AbortSignal.abort(new Error('canceled')) };
    await expect(exportRepository(ref, join(folder.path, 'x'), options)).rejects.toThrow('canceled');
    expect(readdirSync(folder.path)).toEqual(['repo']);
  });

  it('does not write into a folder that holds something', async () => {
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    put(repo, code);
    put(join(folder.path, 'export'), { 'mine.txt': 'x' });
    await expect(exportOf(repo, folder.path)).rejects.toThrow('is not empty');
    expect(readdirSync(join(folder.path, 'export'))).toEqual(['mine.txt']);
  });
});

describe('a commit that only a hostile tool can make', () => {
  async function exportTree(folder: string, tree: Buffer) {
    const repo = join(folder, 'repo');
    commitFiles(repo, code);
    const id = gitInput(repo, tree, 'hash-object', '-w', '--literally', '-t', 'tree', '--stdin');
    const commit = gitInput(repo, 'x', 'commit-tree', id);
    return exportOf(repo, folder, { ref: commit });
  }

  function entry(mode: string, name: string, id: string): Buffer {
    return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
  }

  const blob = '587be6b4c3f93f93c489c0111bba5596147a26cb'; // "x\n"

  it.each(['../escape.py', '/tmp/escape.py', '.git', '..', '.GIT'])(
    'with a file named %s writes nothing outside',
    async (name) => {
      verifies('repository.hostile-harmless');
      await using folder = await temporaryFolder();
      commitFiles(join(folder.path, 'repo'), { 'x.py': 'x\n' });
      await expect(exportTree(folder.path, entry('100644', name, blob))).rejects.toMatchObject({
        code: 'repository_unreadable',
      });
      expect(readdirSync(folder.path).sort()).toEqual(['cache', 'repo']);
      expect(existsSync('/tmp/escape.py')).toBe(false);
    },
  );

  it('that writes through its own link writes nothing outside', async () => {
    verifies('repository.hostile-harmless');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    commitFiles(repo, { 'x.py': 'x\n' });
    const outside = join(folder.path, 'outside');
    await mkdir(outside);
    const link = gitInput(repo, outside, 'hash-object', '-w', '--stdin');
    const inner = gitInput(
      repo,
      entry('100644', 'planted.py', blob),
      'hash-object',
      '-w',
      '--literally',
      '-t',
      'tree',
      '--stdin',
    );
    // A link and a folder of the same name.
    const tree = Buffer.concat([entry('120000', 'door', link), entry('40000', 'door', inner)]);
    await exportTree(folder.path, tree).catch(() => undefined);
    expect(readdirSync(outside)).toEqual([]);
  });
});
