import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CachedCommit } from './commit-cache.ts';
import type { Git, GitCall } from './git.ts';
import type { RepositoryRef, WorkingTreeChanges } from '../repository.ts';
import { unreadable } from './git-source.ts';

export const noChanges: WorkingTreeChanges = { modified: 0, untracked: 0, examples: [] };

const EXAMPLES = 20;

/**
 * How the working tree differs from the commit. Git works on our cache with an index of our own and takes the person's
 * folder only as a work tree, so none of that repository's configuration, filters, hooks or monitors take part.
 * `ignore` names paths whose files differ by design (large-file pointers).
 */
export async function workingTreeChanges(
  git: Git,
  ref: RepositoryRef,
  options: { readonly cached: CachedCommit; readonly ignore: ReadonlySet<string>; readonly call: GitCall },
): Promise<WorkingTreeChanges> {
  if (ref.bare) return noChanges;
  const { cached, ignore } = options;
  const scratch = await mkdtemp(join(cached.gitDir, 'index-'));
  try {
    const call = { ...options.call, cwd: ref.root, env: { GIT_INDEX_FILE: join(scratch, 'index') } };
    const base = ['--git-dir', cached.gitDir, '--work-tree', ref.root, '--literal-pathspecs'];
    const paths = ref.subfolder === '' ? [] : ['--', ref.subfolder];
    const list = async (...args: string[]) => {
      const result = await git.run([...base, ...args, ...paths], call);
      if (!result.ok) throw unreadable(ref.root, result.stderr);
      return result.stdout.split('\0').filter((path) => path !== '' && !ignore.has(path));
    };
    const prepared = await git.run([...base, 'read-tree', cached.commit], call);
    if (!prepared.ok) throw unreadable(ref.root, prepared.stderr);
    await git.run([...base, 'update-index', '-q', '--refresh'], call); // says no when anything differs
    const modified = await list('diff-files', '--name-only', '-z', '--ignore-submodules=all', '--no-ext-diff');
    const untracked = await list('ls-files', '--others', '-z', '--exclude-per-directory=.gitignore');
    const examples = [...modified, ...untracked].slice(0, EXAMPLES);
    return { modified: modified.length, untracked: untracked.length, examples };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
