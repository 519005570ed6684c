import { pathToFileURL } from 'node:url';
import { AssayError } from '@assay/foundation';
import type { Git, GitCall } from './git.ts';

export interface ResolvedRef {
  readonly commit: string;
  readonly refName: string | null;
}

/**
 * The commit that a name stands for, in git's own order of precedence, asked through `upload-pack`. Without a name:
 * HEAD; undefined when the repository has no commit yet. A full object id is taken as it is and checked when fetched.
 */
export async function resolveRef(
  git: Git,
  root: string,
  options: { readonly ref: string | undefined; readonly call: GitCall },
): Promise<ResolvedRef | undefined> {
  const { ref, call } = options;
  if (ref !== undefined && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(ref)) return { commit: ref, refName: null };
  const listing = await git.run(['ls-remote', '--symref', '--', pathToFileURL(root).href], call);
  if (!listing.ok) throw unreadable(root, listing.stderr);
  const refs = parseListing(listing.stdout);
  if (ref === undefined) return headOf(refs);
  for (const name of [ref, `refs/${ref}`, `refs/tags/${ref}`, `refs/heads/${ref}`, `refs/remotes/${ref}`]) {
    const commit = refs.ids.get(`${name}^{}`) ?? refs.ids.get(name);
    if (commit !== undefined) return { commit, refName: name };
  }
  throw unknownRef(ref, root, [...refs.ids.keys()]);
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

function headOf(refs: Listing): ResolvedRef | undefined {
  const commit = refs.ids.get('HEAD');
  return commit === undefined ? undefined : { commit, refName: refs.head };
}

function unknownRef(ref: string, root: string, names: readonly string[]): AssayError {
  const known = names.filter((name) => /^refs\/(heads|tags)\//.test(name) && !name.endsWith('^{}')).slice(0, 20);
  return new AssayError('repository_missing', `${root} has no branch, tag or commit "${ref}"`, {
    why: known.length === 0 ? 'the repository has no branches and no tags' : `it has ${known.join(', ')}`,
    hint: 'give a branch, a tag, or the full id of a commit (git rev-parse HEAD)',
    details: { ref, known },
  });
}

/** Git refused the repository; its own words are the reason. */
export function unreadable(root: string, stderr: string): AssayError {
  const reason = stderr.split('\n').find((line) => /^(fatal|error):/.test(line)) ?? stderr.split('\n')[0];
  return new AssayError('repository_unreadable', `git cannot read ${root}`, {
    why: reason === undefined || reason === '' ? 'git gave no reason' : reason,
    hint: 'run "git fsck" in it, or give a fresh clone or a plain copy of its files',
    details: { path: root },
  });
}
