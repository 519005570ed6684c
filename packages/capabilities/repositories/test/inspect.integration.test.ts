import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AssayError } from '@assay/foundation';
import { temporaryFolder, verifies } from '@assay/testkit';
import { inspectRepository } from '../src/index.ts';
import { commitFiles, commitMore, git, put } from './support/git-repository.ts';

const signal = AbortSignal.timeout(120_000);
const code = { 'model.py': 'x = 1\n' };

async function failure(given: string, ref?: string): Promise<AssayError> {
  try {
    await inspectRepository(given, { ...(ref === undefined ? {} : { ref }), signal });
  } catch (error) {
    if (error instanceof AssayError) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

describe('what a path is', () => {
  it('a plain folder', async () => {
    verifies('repository.inspects');
    await using folder = await temporaryFolder();
    put(folder.path, code);
    expect(await inspectRepository(folder.path, { signal })).toEqual({
      kind: 'folder',
      given: folder.path,
      root: realpathSync(folder.path),
      subfolder: '',
      bare: false,
      remote: null,
      package: null,
      commit: null,
      refName: null,
      notes: ['a plain folder: the result is bound to its content by fingerprint, not to a commit'],
    });
  });

  it('a working tree, and a folder inside it', async () => {
    verifies('repository.inspects');
    await using folder = await temporaryFolder();
    const commit = commitFiles(folder.path, { 'sub/deep/model.py': 'x = 1\n' });
    const found = { kind: 'git', root: realpathSync(folder.path), bare: false, commit, refName: 'refs/heads/main' };
    expect(await inspectRepository(folder.path, { signal })).toMatchObject({ ...found, subfolder: '' });
    const inner = join(folder.path, 'sub', 'deep');
    expect(await inspectRepository(inner, { signal })).toMatchObject({ ...found, subfolder: 'sub/deep' });
  });

  it('a bare repository, by its own content and not by its name', async () => {
    verifies('repository.inspects');
    await using folder = await temporaryFolder();
    const commit = commitFiles(join(folder.path, 'work'), code);
    git(folder.path, 'clone', '--quiet', '--bare', 'work', 'served');
    expect(await inspectRepository(join(folder.path, 'served'), { signal })).toMatchObject({ bare: true, commit });
  });

  it('a repository without commits is taken as a folder', async () => {
    await using folder = await temporaryFolder();
    git(folder.path, 'init', '--quiet');
    put(folder.path, code);
    const ref = await inspectRepository(folder.path, { signal });
    expect(ref).toMatchObject({ kind: 'folder', commit: null });
    expect(ref.notes).toEqual(['a git repository without commits: the files are taken as they stand']);
  });

  it('a linked worktree', async () => {
    await using folder = await temporaryFolder();
    const commit = commitFiles(join(folder.path, 'main'), code);
    git(join(folder.path, 'main'), 'worktree', 'add', '--quiet', '--detach', '../linked');
    expect(await inspectRepository(join(folder.path, 'linked'), { signal })).toMatchObject({ kind: 'git', commit });
  });
});

describe('which commit is meant', () => {
  it('branch, tag, annotated tag, remote branch, full id', async () => {
    verifies('repository.pins-commit');
    await using folder = await temporaryFolder();
    const first = commitFiles(folder.path, code);
    git(folder.path, 'branch', 'old');
    git(folder.path, 'tag', '--annotate', '--message', 'one', 'v1');
    git(folder.path, 'update-ref', 'refs/remotes/origin/dev', first);
    const second = commitMore(folder.path, { 'b.py': 'y = 2\n' });
    const commitOf = async (ref?: string) =>
      (await inspectRepository(folder.path, { ...(ref === undefined ? {} : { ref }), signal })).commit;
    expect(await commitOf()).toBe(second);
    expect(await commitOf('old')).toBe(first);
    expect(await commitOf('v1')).toBe(first);
    expect(await commitOf('origin/dev')).toBe(first);
    expect(await commitOf('refs/heads/main')).toBe(second);
    expect(await commitOf(first)).toBe(first);
  });

  it('a detached HEAD has no name', async () => {
    await using folder = await temporaryFolder();
    const commit = commitFiles(folder.path, code);
    git(folder.path, 'checkout', '--quiet', '--detach');
    expect(await inspectRepository(folder.path, { signal })).toMatchObject({ commit, refName: null });
  });

  it('an unknown name lists the known ones', async () => {
    verifies('repository.refuses-clearly');
    await using folder = await temporaryFolder();
    commitFiles(folder.path, code);
    git(folder.path, 'tag', 'v1');
    const error = await failure(folder.path, 'nope');
    expect(error.code).toBe('repository_missing');
    expect(error.why).toBe('it has refs/heads/main, refs/tags/v1');
  });

  it('a name that looks like an option is only a name', async () => {
    await using folder = await temporaryFolder();
    commitFiles(folder.path, code);
    expect((await failure(folder.path, '--upload-pack=touch /tmp/x')).code).toBe('repository_missing');
  });
});

describe('paths that are refused', () => {
  it('missing, a file, a loop', async () => {
    verifies('repository.refuses-clearly');
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'file.py'), '');
    await symlink('loop', join(folder.path, 'loop'));
    expect(await failure(join(folder.path, 'nope'))).toMatchObject({ code: 'repository_missing' });
    expect(await failure(join(folder.path, 'file.py'))).toMatchObject({
      code: 'repository_missing',
      message: `${join(folder.path, 'file.py')} is a file, not a folder`,
    });
    expect(await failure(join(folder.path, 'loop'))).toMatchObject({ why: 'the path is a link to itself' });
  });

  it.each(['ext::sh -c id', 'fd::17', 'ftp://example.org/a', 'git://example.org/a', 'gh:owner/name', 'svn+ssh://h/a'])(
    'a way in that is not opened: %s',
    async (given) => {
      verifies('repository.refuses-clearly');
      expect(await failure(given)).toMatchObject({ code: 'repository_unsupported' });
    },
  );

  it('a folder without code lists what is there', async () => {
    verifies('repository.refuses-clearly');
    await using folder = await temporaryFolder();
    put(folder.path, { 'README.md': '# hi\n', 'data/a.csv': 'a\n' });
    const error = await failure(folder.path);
    expect(error.code).toBe('repository_no_code');
    expect(error.details['lookedAt']).toEqual(['README.md', 'data/a.csv']);
    expect(error.why).toBe('it holds README.md, data/a.csv … (3 entries)');
  });

  it('an empty folder and an empty bare repository', async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'empty'));
    git(folder.path, 'init', '--quiet', '--bare', 'bare');
    expect(await failure(join(folder.path, 'empty'))).toMatchObject({ code: 'repository_no_code', why: 'it is empty' });
    expect(await failure(join(folder.path, 'bare'))).toMatchObject({ code: 'repository_no_code' });
  });

  it('a damaged repository', async () => {
    await using folder = await temporaryFolder();
    commitFiles(folder.path, code);
    await writeFile(join(folder.path, '.git', 'config'), '[core\nbroken');
    const error = await failure(folder.path);
    expect(error.code).toBe('repository_unreadable');
    expect(error.why).toMatch(/bad config line/);
  });
});

describe('a .git that leads elsewhere', () => {
  it('is refused when that repository does not know the folder', async () => {
    verifies('repository.no-foreign-git');
    await using folder = await temporaryFolder();
    const secret = join(folder.path, 'secret');
    commitFiles(secret, { 'secret.py': 'key = 1\n' });
    const tricks: Readonly<Record<string, (trick: string) => Promise<void>>> = {
      file: (trick) => writeFile(join(trick, '.git'), `gitdir: ${secret}/.git\n`),
      relative: (trick) => writeFile(join(trick, '.git'), 'gitdir: ../secret/.git\n'),
      link: (trick) => symlink(join(secret, '.git'), join(trick, '.git')),
      broken: (trick) => writeFile(join(trick, '.git'), 'gitdir: /nowhere\n'),
      nonsense: (trick) => writeFile(join(trick, '.git'), 'x'.repeat(10_000)),
    };
    for (const [name, plant] of Object.entries(tricks)) {
      const trick = join(folder.path, name);
      put(trick, code);
      await plant(trick);
      expect(await failure(trick), name).toMatchObject({ code: 'repository_unsupported' });
    }
  });

  it('is refused when its common directory is another repository', async () => {
    verifies('repository.no-foreign-git');
    await using folder = await temporaryFolder();
    const secret = join(folder.path, 'secret');
    commitFiles(secret, { 'secret.py': 'key = 1\n' });
    const trick = join(folder.path, 'trick');
    commitFiles(trick, code);
    await writeFile(join(trick, '.git', 'commondir'), `${secret}/.git\n`);
    expect(await failure(trick)).toMatchObject({ code: 'repository_unsupported' });
  });

  it('is honest in a submodule', async () => {
    await using folder = await temporaryFolder();
    const commit = commitFiles(join(folder.path, 'part'), code);
    commitFiles(join(folder.path, 'whole'), { 'a.py': '' });
    git(join(folder.path, 'whole'), 'submodule', '--quiet', 'add', '../part', 'sub');
    expect(await inspectRepository(join(folder.path, 'whole', 'sub'), { signal })).toMatchObject({
      commit,
      subfolder: '',
    });
  });

  it('is honest when it was moved inside the folder', async () => {
    await using folder = await temporaryFolder();
    const commit = commitFiles(folder.path, code);
    await rename(join(folder.path, '.git'), join(folder.path, 'gitdata'));
    await writeFile(join(folder.path, '.git'), 'gitdir: gitdata\n');
    expect(await inspectRepository(folder.path, { signal })).toMatchObject({ commit });
  });
});
