import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AssayError, Mutex } from '@assay/foundation';
import type { Git, GitCall } from './git.ts';
import { unreadable } from './resolve-ref.ts';

export interface CachedCommit {
  /** Our own bare repository, which holds the whole commit. */
  readonly gitDir: string;
  readonly commit: string;
}

/** Fetches into one cache run one after another; caches of different repositories do not wait for each other. */
const locks = new Map<string, Mutex>();

/**
 * Brings one commit, without its history, into a bare repository of our own: one per source folder. A commit that is
 * there already is not fetched again. A cache that a killed process left damaged or locked is made anew once.
 */
export async function fetchCommit(
  git: Git,
  source: { readonly root: string; readonly commit: string },
  options: { readonly cacheDir: string; readonly call: GitCall },
): Promise<CachedCommit> {
  const name = createHash('sha256').update(source.root).digest('hex').slice(0, 24);
  const gitDir = join(options.cacheDir, `${name}.git`);
  const lock = locks.get(gitDir) ?? new Mutex();
  locks.set(gitDir, lock);
  return lock.run(async () => {
    await mkdir(options.cacheDir, { recursive: true, mode: 0o700 });
    if (await holds(git, gitDir, { commit: source.commit, call: options.call }))
      return { gitDir, commit: source.commit };
    const first = await fetchInto(git, gitDir, { ...source, call: options.call });
    if (first === undefined) return { gitDir, commit: source.commit };
    await rm(gitDir, { recursive: true, force: true });
    const second = await fetchInto(git, gitDir, { ...source, call: options.call });
    if (second === undefined) return { gitDir, commit: source.commit };
    throw fetchFailed(source, second);
  });
}

/** The ref is written last, so a commit that has one has all its files. */
async function holds(git: Git, gitDir: string, wanted: { commit: string; call: GitCall }): Promise<boolean> {
  const ref = `refs/assay/${wanted.commit}`;
  const found = await git.run(['--git-dir', gitDir, 'rev-parse', '--verify', '--quiet', ref], wanted.call);
  if (!found.ok || found.stdout.trim() !== wanted.commit) return false;
  return (await git.run(['--git-dir', gitDir, 'cat-file', '-e', `${wanted.commit}^{tree}`], wanted.call)).ok;
}

/** Undefined when it worked, else git's words. */
async function fetchInto(
  git: Git,
  gitDir: string,
  wanted: { readonly root: string; readonly commit: string; readonly call: GitCall },
): Promise<string | undefined> {
  const { root, commit, call } = wanted;
  const format = commit.length === 64 ? 'sha256' : 'sha1';
  const init = await git.run(['init', '--quiet', '--bare', `--object-format=${format}`, gitDir], call);
  if (!init.ok) return init.stderr;
  const url = pathToFileURL(root).href;
  const refspec = `+${commit}:refs/assay/${commit}`;
  const options = ['--quiet', '--depth', '1', '--no-tags', '--no-recurse-submodules', '--no-auto-gc'];
  const fetched = await git.run(['--git-dir', gitDir, 'fetch', ...options, '--', url, refspec], call);
  return fetched.ok ? undefined : fetched.stderr;
}

function fetchFailed(source: { readonly root: string; readonly commit: string }, stderr: string): AssayError {
  if (!/not our ref|couldn't find remote ref|bad object|does not exist|no such/i.test(stderr))
    return unreadable(source.root, stderr);
  return new AssayError('repository_missing', `${source.root} does not hold the commit ${source.commit}`, {
    why: 'no object of that name is in the repository, or it is a shallow or partial clone without it',
    hint: 'check the id with "git rev-parse HEAD"; in a shallow clone run "git fetch --unshallow"',
    details: { commit: source.commit },
  });
}
