import { AssayError } from '@assay/foundation';
import { openGit } from './git.ts';
import { languageOf } from './languages.ts';
import { locate, type Location } from './locate.ts';
import { resolveRef } from './resolve-ref.ts';
import type { RepositoryRef } from './repository.ts';
import { entryName, walkTree } from './tree-walk.ts';

export interface InspectOptions {
  /** A branch, a tag or a full commit id; HEAD when left out. */
  readonly ref?: string;
  readonly signal: AbortSignal;
  /** For asking git; 20 when left out. */
  readonly timeoutSeconds?: number;
}

/** Entries that are looked at before a folder counts as one without code. */
const LOOK_LIMIT = 50_000;
const GIT_TIMEOUT_SECONDS = 20;

/**
 * Finds out what a path is: a git working tree, a bare repository, a folder inside one, or a plain folder; and which
 * commit is meant. Nothing is copied and no program of the repository runs.
 * Throws `repository_missing`, `repository_no_code`, `repository_unsupported`, `repository_unreadable`,
 * `task_timeout`.
 */
export async function inspectRepository(given: string, options: InspectOptions): Promise<RepositoryRef> {
  const location = await locate(given);
  if (!location.bare) await requireCode(given, location, options.signal);
  return location.kind === 'folder' ? plainFolder(given, location, options) : gitRepository(given, location, options);
}

function plainFolder(given: string, location: Location, options: InspectOptions): RepositoryRef {
  if (options.ref !== undefined)
    throw new AssayError('repository_missing', `${location.root} has no commit "${options.ref}"`, {
      why: 'it is a plain folder, not a git repository',
      hint: 'leave the ref out, or give a git repository',
    });
  const notes = ['a plain folder: the result is bound to its content by fingerprint, not to a commit'];
  return { ...location, given, commit: null, refName: null, notes };
}

async function gitRepository(given: string, location: Location, options: InspectOptions): Promise<RepositoryRef> {
  await using git = await openGit();
  const call = { signal: options.signal, timeoutMs: (options.timeoutSeconds ?? GIT_TIMEOUT_SECONDS) * 1000 };
  const resolved = await resolveRef(git, location.root, { ref: options.ref, call });
  if (resolved !== undefined) return { ...location, given, ...resolved, notes: [] };
  if (location.bare)
    throw new AssayError('repository_no_code', `${location.root} has no commit`, {
      why: 'the bare repository is empty, or its HEAD names a branch that does not exist',
      hint: 'push a commit to it, or name an existing branch as the ref',
      details: { lookedAt: ['HEAD'] },
    });
  const notes = ['a git repository without commits: the files are taken as they stand'];
  return { ...location, kind: 'folder', given, commit: null, refName: null, notes };
}

async function requireCode(given: string, location: Location, signal: AbortSignal): Promise<void> {
  const path = location.subfolder === '' ? location.root : `${location.root}/${location.subfolder}`;
  const seen: string[] = [];
  let looked = 0;
  const enter = (entry: Parameters<typeof entryName>[0]) => entryName(entry) !== '.git';
  for await (const entry of walkTree(path, { signal, enter })) {
    if (entry.stat.isFile() && languageOf(entryName(entry)) !== undefined) return;
    if (!entry.stat.isDirectory() && seen.length < 20) seen.push(entry.path.toString('utf8'));
    if (++looked >= LOOK_LIMIT) return; // too large to decide here; the export decides
  }
  throw noCode(given, seen, looked);
}

/** `lookedAt` is shown to the person: at most 20 paths. */
export function noCode(path: string, lookedAt: readonly string[], total: number): AssayError {
  const listed = lookedAt.length === 0 ? 'it is empty' : `it holds ${lookedAt.join(', ')}`;
  return new AssayError('repository_no_code', `there is no code in ${path}`, {
    why: `${listed}${total > lookedAt.length && lookedAt.length > 0 ? ` … (${total} entries)` : ''}`,
    hint: 'give the folder that holds the source files; a subfolder of a repository is fine',
    details: { lookedAt, total },
  });
}
