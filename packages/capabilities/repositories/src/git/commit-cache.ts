import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, Mutex, raceAbort } from '@assay/foundation';
import { boundedFetch } from './bounded-fetch.ts';
import { trimCache, USED_MARK } from './cache-space.ts';
import type { Git, GitCall } from './git.ts';
import type { GitSource } from './git-source.ts';
import { remoteFailureKind } from './remote-failure.ts';

/** A commit in our own bare repository, which is not removed before this is disposed. */
export interface CachedCommit extends AsyncDisposable {
  readonly gitDir: string;
  readonly commit: string;
  /** How it came: from the cache without asking the source, as one commit, or with the history that it needed. */
  readonly came: 'from_cache' | 'fetched' | 'fetched_with_history';
}

export interface CommitCacheOptions {
  readonly cacheDir: string;
  /** What one fetch may bring. */
  readonly maxBytes: number;
  /** What all caches together may hold; those that were not used for the longest time go first. */
  readonly cacheBytes: number;
  /** Made anew for every git command: what is left of the time goes down. */
  readonly call: () => GitCall;
}

/** One cache at a time is fetched into or removed; caches of different repositories do not wait for each other. */
class Cache {
  readonly lock = new Mutex();
  users = 0;
}
const caches = new Map<string, Cache>();

/**
 * Brings one commit, without its history where the source can do that, into a bare repository of our own: one per
 * source. A commit that is there already is not fetched again, and the source is not asked. A cache that a killed
 * process left damaged or locked is made anew once.
 */
export async function openCommit(
  git: Git,
  wanted: { readonly source: GitSource; readonly commit: string; readonly refName: string | null },
  options: CommitCacheOptions,
): Promise<CachedCommit> {
  const name = createHash('sha256').update(wanted.source.url).digest('hex').slice(0, 24);
  const gitDir = join(options.cacheDir, `${name}.git`);
  const cache = caches.get(gitDir) ?? new Cache();
  caches.set(gitDir, cache);
  cache.users += 1;
  const leave = () => {
    cache.users -= 1;
    if (cache.users === 0) caches.delete(gitDir);
  };
  try {
    await mkdir(options.cacheDir, { recursive: true, mode: 0o700 });
    const bring = () => bringCommit(git, gitDir, { ...wanted, options });
    const came = await raceAbort(cache.lock.run(bring), options.call().signal);
    await writeFile(join(gitDir, USED_MARK), '');
    await trimCache(options.cacheDir, { maxBytes: options.cacheBytes, isUsed: (path) => caches.has(path) });
    return { gitDir, commit: wanted.commit, came, [Symbol.asyncDispose]: async () => leave() };
  } catch (error) {
    leave();
    throw error;
  }
}

interface Wanted {
  readonly source: GitSource;
  readonly commit: string;
  readonly refName: string | null;
  readonly options: CommitCacheOptions;
}

async function bringCommit(git: Git, gitDir: string, wanted: Wanted): Promise<CachedCommit['came']> {
  if (await holds(git, gitDir, wanted)) return 'from_cache';
  const first = await fetchInto(git, gitDir, wanted);
  if (typeof first === 'string') return first;
  const kind = wanted.source.isRemote ? remoteFailureKind(first.stderr) : undefined;
  if (isUnknownCommit(first.stderr) || kind !== undefined) throw fetchFailed(wanted, first.stderr);
  await rm(gitDir, { recursive: true, force: true });
  const second = await fetchInto(git, gitDir, wanted);
  if (typeof second === 'string') return second;
  throw fetchFailed(wanted, second.stderr);
}

/** The ref is written last, so a commit that has one has all its files. */
async function holds(git: Git, gitDir: string, { commit, options }: Wanted): Promise<boolean> {
  const ref = `refs/assay/${commit}`;
  const found = await git.run(['--git-dir', gitDir, 'rev-parse', '--verify', '--quiet', ref], options.call());
  if (!found.ok || found.stdout.trim() !== commit) return false;
  return (await git.run(['--git-dir', gitDir, 'cat-file', '-e', `${commit}^{tree}`], options.call())).ok;
}

interface Failed {
  readonly stderr: string;
}

/** Asks for the commit alone; of a source that cannot serve that, for its branch or tag, at last for its history. */
async function fetchInto(
  git: Git,
  gitDir: string,
  wanted: Wanted,
): Promise<'fetched' | 'fetched_with_history' | Failed> {
  const { source, commit, refName, options } = wanted;
  const format = commit.length === 64 ? 'sha256' : 'sha1';
  const init = await git.run(['init', '--quiet', '--bare', `--object-format=${format}`, gitDir], options.call());
  if (!init.ok) return { stderr: init.stderr };
  const ref = `refs/assay/${commit}`;
  const fetch = (depth: readonly string[], ...refspecs: string[]) =>
    boundedFetch(git, gitDir, { source, options: depth, refspecs, maxBytes: options.maxBytes, call: options.call() });
  const alone = await fetch(['--depth', '1'], `+${commit}:${ref}`);
  if (alone === undefined) return 'fetched';
  if (!source.isRemote || !/unadvertised|not our ref|dumb http|couldn't find remote ref/i.test(alone))
    return { stderr: alone };
  const git_ = (...args: string[]) => git.run(['--git-dir', gitDir, ...args], options.call());
  if (refName !== null && !/dumb http/i.test(alone)) {
    const byName = await fetch(['--depth', '1'], `+${refName}:refs/assay-named`);
    const id = (await git_('rev-parse', '--verify', '--quiet', 'refs/assay-named^{commit}')).stdout.trim();
    if (byName === undefined && id === commit && (await git_('update-ref', ref, commit)).ok) return 'fetched';
  }
  const all = await fetch([], '+refs/heads/*:refs/assay-all/heads/*', '+refs/tags/*:refs/assay-all/tags/*');
  if (all !== undefined) return { stderr: all };
  if ((await git_('cat-file', '-e', `${commit}^{tree}`)).ok && (await git_('update-ref', ref, commit)).ok)
    return 'fetched_with_history';
  return { stderr: alone };
}

function isUnknownCommit(stderr: string): boolean {
  return /not our ref|unadvertised|couldn't find remote ref|bad object/i.test(stderr);
}

function fetchFailed({ source, commit }: Wanted, stderr: string): AssayError {
  if (!isUnknownCommit(stderr)) return source.failure(stderr);
  return new AssayError('repository_missing', `${source.shown} does not hold the commit ${commit}`, {
    why: 'no object of that name is in the repository, or it is a shallow or partial clone without it',
    hint: source.isRemote
      ? 'check the id; a commit that was never pushed, or was removed by a forced push, cannot be fetched'
      : 'check the id with "git rev-parse HEAD"; in a shallow clone run "git fetch --unshallow"',
    details: { commit },
  });
}
