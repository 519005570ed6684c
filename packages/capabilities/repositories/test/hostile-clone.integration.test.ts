import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AssayError } from '@assay/foundation';
import { temporaryFolder, verifies } from '@assay/testkit';
import { exportOf } from './support/export-of.ts';
import { gitHttpServer } from './support/git-http-server.ts';
import { commitFiles, git, gitInput } from './support/git-repository.ts';

async function failure(work: Promise<unknown>): Promise<AssayError> {
  return work.then(
    () => expect.fail('it was not refused'),
    (error: AssayError) => error,
  );
}

function entry(mode: string, name: string, id: string): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
}

/** Serves one commit whose tree is made of these bytes, and exports it through HTTP. */
async function exportServed(folder: string, treeOf: (write: (tree: Buffer) => string, blob: string) => Buffer) {
  const repo = join(folder, 'served', 'repo');
  commitFiles(repo, { 'a.py': 'x = 1\n' });
  const blob = git(repo, 'rev-parse', 'HEAD:a.py');
  const write = (tree: Buffer) => gitInput(repo, tree, 'hash-object', '-w', '--literally', '-t', 'tree', '--stdin');
  const commit = gitInput(repo, 'x', 'commit-tree', write(treeOf(write, blob)));
  git(repo, 'update-ref', 'refs/heads/hostile', commit);
  await using server = await gitHttpServer(join(folder, 'served'));
  return await exportOf(`${server.url}/repo`, folder, { ref: 'hostile' });
}

describe('a hostile clone', () => {
  it.each(['../escape.py', '.git', '.GIT', '..'])('with an entry named %s writes nothing outside', async (name) => {
    verifies('repository.hostile-harmless');
    await using folder = await temporaryFolder();
    const error = await failure(exportServed(folder.path, (_write, blob) => entry('100644', name, blob)));
    expect(error.code).toBe('repository_unreadable');
    expect(readdirSync(folder.path).sort()).toEqual(['cache', 'served']);
  });

  it('that unfolds to more files than anybody can list is refused before anything is written', async () => {
    verifies('repository.bounded');
    await using folder = await temporaryFolder();
    const error = await failure(
      exportServed(folder.path, (write, blob) => {
        const level = (id: string, mode: string) =>
          Buffer.concat(Array.from({ length: 10 }, (_, at) => entry(mode, `d${at}`, id)));
        let tree = write(level(blob, '100644'));
        for (let depth = 0; depth < 7; depth++) tree = write(level(tree, '40000')); // 10^8 files in eight objects
        return level(tree, '40000');
      }),
    );
    expect(error.code).toBe('repository_too_large');
    expect(error.hint).not.toBe('');
    expect(readdirSync(folder.path).sort()).toEqual(['cache', 'served']);
  });

  it('that is deeper than the file system can hold is refused', async () => {
    verifies('repository.bounded');
    await using folder = await temporaryFolder();
    const error = await failure(
      exportServed(folder.path, (write, blob) => {
        let tree = entry('100644', 'a.py', blob);
        for (let depth = 0; depth < 60; depth++) tree = entry('40000', 'd'.repeat(100), write(tree));
        return tree;
      }),
    );
    expect(['repository_unreadable', 'repository_too_large']).toContain(error.code);
    expect(readdirSync(folder.path).sort()).toEqual(['cache', 'served']);
  });

  it('with a link in the place of a folder, and links that lead out, writes nothing outside', async () => {
    verifies('repository.hostile-harmless');
    await using folder = await temporaryFolder();
    const exported = await exportServed(folder.path, (_write, blob) => {
      const repo = join(folder.path, 'served', 'repo');
      const link = gitInput(repo, '/etc/passwd', 'hash-object', '-w', '--stdin');
      return Buffer.concat([entry('100644', 'a.py', blob), entry('120000', 'out', link)]);
    });
    expect(exported.skipped).toEqual([{ path: 'out', reason: 'link_outside' }]);
  });
});
