import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { appendFile, symlink } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { repoManifest } from '../src/index.ts';
import { exportOf, filesIn } from './support/export-of.ts';
import { commitFiles, git, put } from './support/git-repository.ts';

/**
 * A repository in which every door that git is known to open is open: if any program of it runs, the file `ran` appears
 * beside it.
 */
function plantTraps(folder: string): { readonly repo: string; readonly ran: string } {
  const repo = join(folder, 'repo');
  const ran = join(folder, 'ran');
  const attributes = '*.py filter=evil diff=evil merge=evil\n* ident\n';
  commitFiles(repo, {
    'model.py': 'x = 1\n',
    '.gitattributes': attributes,
    '.gitmodules': '[submodule "s"]\npath = s\nurl = ext::x\n',
  });
  const trap = join(repo, '.git', 'trap.sh');
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${ran}'\ncat\n`);
  chmodSync(trap, 0o755);
  const config: Readonly<Record<string, string>> = {
    'core.fsmonitor': trap,
    'core.hooksPath': join(repo, '.git', 'hooks'),
    'core.sshCommand': trap,
    'core.pager': trap,
    'core.editor': trap,
    'core.askPass': trap,
    'core.gitProxy': trap,
    'core.alternateRefsCommand': trap,
    'filter.evil.smudge': trap,
    'filter.evil.clean': trap,
    'filter.evil.process': trap,
    'filter.evil.required': 'true',
    'diff.evil.command': trap,
    'diff.evil.textconv': trap,
    'diff.external': trap,
    'merge.evil.driver': trap,
    'uploadpack.packObjectsHook': trap,
    'credential.helper': `!${trap}`,
    'gpg.program': trap,
    'alias.ls-remote': `!${trap}`,
    'alias.status': `!${trap}`,
    'protocol.ext.allow': 'always',
    'remote.origin.url': `ext::${trap}`,
    'remote.origin.promisor': 'true',
    'extensions.partialClone': 'origin',
    'core.repositoryformatversion': '1',
  };
  for (const [name, value] of Object.entries(config)) git(repo, 'config', name, value);
  const hooks = [
    'pre-commit',
    'post-checkout',
    'post-index-change',
    'reference-transaction',
    'pre-auto-gc',
    'fsmonitor-watchman',
  ];
  mkdirSync(join(repo, '.git', 'hooks'), { recursive: true });
  for (const hook of [...hooks, 'post-merge', 'update', 'pre-receive', 'post-update', 'proc-receive']) {
    const path = join(repo, '.git', 'hooks', hook);
    writeFileSync(path, `#!/bin/sh\necho ${hook} >> '${ran}'\n`);
    chmodSync(path, 0o755);
  }
  return { repo, ran };
}

describe('a hostile repository', () => {
  it('has traps that do work when git is used without care', async () => {
    await using folder = await temporaryFolder();
    const { repo, ran } = plantTraps(folder.path);
    put(repo, { 'model.py': 'x = 2\n' });
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder.path };
    try {
      execFileSync('git', ['diff', '--stat'], { cwd: repo, env, stdio: 'ignore' });
    } catch {
      // the trap answers with nonsense
    }
    expect(existsSync(ran)).toBe(true);
  });

  it('runs nothing when it is inspected, exported and described', async () => {
    verifies('repository.hostile-harmless');
    await using folder = await temporaryFolder();
    const { repo, ran } = plantTraps(folder.path);
    put(repo, { 'model.py': 'x = 2\n', 'sub/new.py': 'y\n' });
    const exported = await exportOf(repo, folder.path);
    await repoManifest(exported, { signal: AbortSignal.timeout(60_000) });
    expect(existsSync(ran)).toBe(false);
    expect(exported.changes).toMatchObject({ modified: 1, untracked: 1 });
    expect(await filesIn(exported.path)).toEqual(['.gitattributes', '.gitmodules', 'model.py']);
  });

  it('runs nothing through a nested repository', async () => {
    verifies('repository.hostile-harmless');
    await using folder = await temporaryFolder();
    const { repo: inner, ran } = plantTraps(folder.path);
    const outer = join(folder.path, 'outer');
    commitFiles(outer, { 'a.py': 'a\n' });
    execFileSync('cp', ['-a', inner, join(outer, 'nested')]);
    git(outer, '-c', 'core.fsmonitor=false', 'update-index', '--add', '--cacheinfo', `160000,${'a'.repeat(40)},nested`);
    git(outer, 'commit', '--quiet', '--message', 'gitlink');
    const exported = await exportOf(outer, folder.path);
    expect(existsSync(ran)).toBe(false);
    expect(exported.notes).toContain('submodules are not fetched: nested');
  });

  it('cannot use the environment of the person who starts the daemon', async () => {
    verifies('repository.hostile-harmless');
    await using folder = await temporaryFolder();
    const ran = join(folder.path, 'ran');
    const trap = join(folder.path, 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\necho ran >> '${ran}'\ncat\n`);
    chmodSync(trap, 0o755);
    const repo = join(folder.path, 'repo');
    commitFiles(repo, { 'a.py': 'a\n' });
    const planted: Readonly<Record<string, string>> = {
      GIT_EXTERNAL_DIFF: trap,
      GIT_SSH_COMMAND: trap,
      GIT_PROXY_COMMAND: trap,
      GIT_DIR: '/nonexistent',
      GIT_WORK_TREE: '/nonexistent',
      GIT_INDEX_FILE: '/nonexistent/index',
      GIT_OBJECT_DIRECTORY: '/nonexistent',
      GIT_NAMESPACE: 'other',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: trap,
      GIT_TEMPLATE_DIR: folder.path,
    };
    Object.assign(process.env, planted);
    try {
      await expect(exportOf(repo, folder.path)).resolves.toMatchObject({ files: 1 });
    } finally {
      for (const name of Object.keys(planted)) delete process.env[name];
    }
    expect(existsSync(ran)).toBe(false);
  });

  it('may belong to another user', async () => {
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    commitFiles(repo, { 'a.py': 'a\n' });
    if (process.getuid?.() !== 0) return; // only root can give files away
    execFileSync('chown', ['-R', '12345:12345', repo]);
    await expect(exportOf(repo, folder.path)).resolves.toMatchObject({ files: 1, dirty: false });
  });

  it('that borrows objects through a pipe does not hang for ever', async () => {
    verifies('repository.bounded');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    commitFiles(repo, { 'a.py': 'a\n' });
    execFileSync('mkfifo', [join(repo, '.git', 'objects', 'info', 'alternates')]);
    const started = performance.now();
    await expect(exportOf(repo, folder.path, { timeoutSeconds: 1 })).rejects.toMatchObject({ code: 'task_timeout' });
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it('whose working tree holds pipes and devices in the place of files is only reported as changed', async () => {
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    commitFiles(repo, { 'a.py': 'a\n', 'b.py': 'b\n' });
    execFileSync('rm', [join(repo, 'b.py')]);
    execFileSync('mkfifo', [join(repo, 'b.py'), join(repo, 'c.py')]);
    await symlink('/dev/zero', join(repo, 'zero.py'));
    const exported = await exportOf(repo, folder.path, { timeoutSeconds: 20 });
    expect(exported.changes.modified).toBe(1);
    await appendFile(join(repo, 'a.py'), 'more\n');
    const again = await exportOf(repo, folder.path, { name: 'again', timeoutSeconds: 20 });
    expect(again.changes.modified).toBe(2);
  });
});
