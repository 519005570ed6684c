import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayError } from '@assay/foundation';
import { nearNames } from '../near-names.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { Git, GitCall } from './git.ts';
import type { GitSource } from './git-source.ts';

export interface ResolvedRef {
  readonly commit: string;
  readonly refName: string | null;
}

const FULL_ID = /^([0-9a-f]{40}|[0-9a-f]{64})$/;
const SHORT_ID = /^[0-9a-f]{4,63}$/;
/** The commits of all branches and tags without their files, which a short id is looked up in. */
const HISTORY_BYTES = 512 * 1024 ** 2;

/**
 * The commit that a name stands for, in git's own order of precedence, asked through `upload-pack`. Without a name:
 * HEAD; undefined when the repository has no commit yet. A full object id is taken as it is and checked when fetched;
 * a short one must be the beginning of exactly one commit.
 */
export async function resolveRef(
  git: Git,
  source: GitSource,
  options: { readonly ref: string | undefined; readonly call: GitCall },
): Promise<ResolvedRef | undefined> {
  const { ref, call } = options;
  if (ref !== undefined && FULL_ID.test(ref)) return { commit: ref, refName: null };
  const listing = await git.run(['ls-remote', '--symref', '--', source.url], call);
  if (!listing.ok) throw source.failure(listing.stderr);
  const refs = parseListing(listing.stdout);
  if (ref === undefined) return headOf(refs, source);
  for (const name of [ref, `refs/${ref}`, `refs/tags/${ref}`, `refs/heads/${ref}`, `refs/remotes/${ref}`]) {
    const commit = refs.ids.get(`${name}^{}`) ?? refs.ids.get(name);
    if (commit !== undefined) return { commit, refName: name };
  }
  if (SHORT_ID.test(ref) && refs.ids.size > 0) {
    const commit = await longId(git, source, { short: ref, call });
    if (commit !== undefined) return { commit, refName: null };
  }
  throw unknownRef(ref, source.shown, [...refs.ids.keys()]);
}

interface Listing {
  readonly ids: ReadonlyMap<string, string>;
  /** The branch that HEAD stands on. */
  readonly head: string | null;
}

function parseListing(stdout: string): Listing {
  const ids = new Map<string, string>();
  let head: string | null = null;
  for (const line of stdout.split('\n')) {
    const [value, name] = line.split('\t');
    if (value === undefined || name === undefined) continue;
    if (!value.startsWith('ref: ')) ids.set(name, value);
    else if (name === 'HEAD') head = value.slice('ref: '.length);
  }
  return { ids, head };
}

function headOf(refs: Listing, source: GitSource): ResolvedRef | undefined {
  const commit = refs.ids.get('HEAD');
  if (commit !== undefined) return { commit, refName: refs.head };
  const branches = [...refs.ids.keys()].filter((name) => name.startsWith('refs/heads/'));
  if (branches.length === 0 || !source.isRemote) return undefined;
  throw new AssayError('repository_missing', `${source.shown} does not say which branch is meant`, {
    why: `its HEAD names a branch that does not exist; it has ${shortList(branches)}`,
    hint: 'name a branch, a tag or a commit with --revision',
    details: { known: branches.slice(0, 20) },
  });
}

/** Looks a short id up among the commits of all branches and tags; undefined when no commit begins so. */
async function longId(
  git: Git,
  source: GitSource,
  { short, call }: { readonly short: string; readonly call: GitCall },
): Promise<string | undefined> {
  const gitDir = await mkdtemp(join(tmpdir(), 'assay-commits-'));
  try {
    const init = await git.run(['init', '--quiet', '--bare', gitDir], call);
    if (!init.ok) throw source.failure(init.stderr);
    const refspecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
    const options = ['--filter=tree:0'];
    const failed = await boundedFetch(git, gitDir, { source, options, refspecs, maxBytes: HISTORY_BYTES, call });
    if (failed !== undefined) throw source.failure(failed);
    const found = await git.run(['--git-dir', gitDir, 'rev-parse', `--disambiguate=${short}`], call);
    const ids = found.stdout.split('\n').filter((line) => line !== '');
    const commits = new Set<string>();
    for (const id of ids.slice(0, 50)) {
      const commit = await git.run(['--git-dir', gitDir, 'rev-parse', '--verify', '--quiet', `${id}^{commit}`], call);
      if (commit.ok) commits.add(commit.stdout.trim());
    }
    if (commits.size > 1) throw ambiguous(short, source.shown, [...commits]);
    return [...commits][0];
  } finally {
    await rm(gitDir, { recursive: true, force: true });
  }
}

function ambiguous(short: string, shown: string, commits: readonly string[]): AssayError {
  return new AssayError('repository_missing', `more than one commit of ${shown} begins with ${short}`, {
    why: `it has ${commits.slice(0, 5).join(', ')}`,
    hint: 'give more digits of the commit that is meant',
    details: { commits: commits.slice(0, 5) },
  });
}

function unknownRef(ref: string, shown: string, names: readonly string[]): AssayError {
  const all = names.filter((name) => /^refs\/(heads|tags)\//.test(name) && !name.endsWith('^{}'));
  const last = (name: string) => name.replace(/^refs\/(heads|tags)\//, '');
  const near = new Set(nearNames(ref, all.map(last), 20));
  const known = all.length <= 20 ? all : all.filter((name) => near.has(last(name))).slice(0, 20);
  return new AssayError('repository_missing', `${shown} has no branch, tag or commit "${ref}"`, {
    why: known.length === 0 ? 'the repository has no branches and no tags' : `it has ${shortList(known, all.length)}`,
    hint: 'give a branch, a tag, or the id of a commit (git rev-parse HEAD)',
    details: { ref, known },
  });
}

function shortList(names: readonly string[], total = names.length): string {
  const listed = names.slice(0, 20);
  return `${listed.join(', ')}${total > listed.length ? ` and ${total - listed.length} more` : ''}`;
}
