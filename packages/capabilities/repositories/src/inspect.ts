import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, errorCode } from '@assay/foundation';
import { openGit } from './git/git.ts';
import type { Credential } from './git/git-environment.ts';
import { localSource, remoteSource } from './git/git-source.ts';
import { resolveRef } from './git/resolve-ref.ts';
import { canBeRun } from './languages.ts';
import { folderWithin, locate, type Location } from './locate.ts';
import { findPackage, type PackageIndex } from './package/find-package.ts';
import type { RepositoryRef } from './repository.ts';
import { parseAddress, type GitAddress, type PackageAddress } from './source/address.ts';
import { cleanSubfolder } from './source/subfolder.ts';
import { entryName, walkTree } from './tree-walk.ts';

export interface InspectOptions {
  /** A branch, a tag or a commit id, short or full; HEAD when left out. */
  readonly ref?: string | undefined;
  /** The folder of the repository that counts as the repository. */
  readonly subfolder?: string | undefined;
  /** For a private repository behind https. */
  readonly credential?: Credential | undefined;
  /** How packages are asked for; without it `pypi:` is `not_configured`. */
  readonly packages?: PackageIndex | undefined;
  readonly signal: AbortSignal;
  /** For asking git; 20 when left out, 45 for an address. */
  readonly timeoutSeconds?: number;
  /** Receives lines of progress. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/** Entries that are looked at before a folder counts as one without code. */
const LOOK_LIMIT = 50_000;
const GIT_TIMEOUT_SECONDS = 20;
const NETWORK_TIMEOUT_SECONDS = 45;

/**
 * Finds out what a path or an address is: a git working tree, a bare repository, a folder inside one, a plain folder, a
 * repository behind an address or a package of the index; and which commit or file is meant. Nothing is copied and no
 * program of the repository runs. Throws `repository_missing`, `repository_no_code`, `repository_unsupported`,
 * `repository_unreadable`, `repository_unreachable`, `repository_auth`, `repository_too_large`, `invalid_request`,
 * `not_configured`, `task_timeout`.
 */
export async function inspectRepository(given: string, options: InspectOptions): Promise<RepositoryRef> {
  const address = parseAddress(given);
  const asked = { ...options, subfolder: options.subfolder === undefined ? '' : cleanSubfolder(options.subfolder) };
  if (address.kind === 'package') return packageFile(given, address, asked);
  const revision = onlyOne('revision', address.revision ?? undefined, options.ref);
  const within = onlyOne('subfolder', address.subfolder ?? undefined, options.subfolder);
  const wanted = { ...asked, ref: revision, subfolder: within === undefined ? '' : cleanSubfolder(within) };
  if (address.kind === 'git') return remoteRepository(given, address, wanted);
  const location = await placeOf(address.path, wanted.subfolder);
  if (address.mustBeGit && location.kind === 'folder')
    throw new AssayError('repository_missing', `there is no git repository at ${address.path}`, {
      why: 'a file:// address names a git repository, and this is a plain folder',
      hint: 'give the path itself to use the folder as it stands',
    });
  if (!location.bare && wanted.ref === undefined) await requireCode(given, location, options.signal);
  return location.kind === 'folder' ? plainFolder(given, location, wanted) : localRepository(given, location, wanted);
}

/** A subfolder of a git repository is looked up in the commit later; it need not be in the working tree. */
async function placeOf(path: string, subfolder: string): Promise<Location> {
  const location = await locate(path);
  if (subfolder === '') return location;
  if (location.kind === 'folder') return { ...location, root: await folderWithin(location.root, subfolder) };
  return { ...location, subfolder: join(location.subfolder, subfolder) };
}

type Wanted = InspectOptions & { readonly subfolder: string };

function onlyOne(what: string, inAddress: string | undefined, beside: string | undefined): string | undefined {
  if (inAddress === undefined || beside === undefined || inAddress === beside) return inAddress ?? beside;
  throw new AssayError('invalid_request', `the ${what} is named twice`, {
    why: `the address says "${inAddress}", the option says "${beside}"`,
    hint: 'leave one of them out',
  });
}

const nothingRemote = { remote: null, package: null } as const;

function plainFolder(given: string, location: Location, options: Wanted): RepositoryRef {
  if (options.ref !== undefined)
    throw new AssayError('repository_missing', `${location.root} has no commit "${options.ref}"`, {
      why: 'it is a plain folder, not a git repository',
      hint: 'leave the revision out, or give a git repository',
    });
  const notes = ['a plain folder: the result is bound to its content by fingerprint, not to a commit'];
  return { ...location, ...nothingRemote, given, commit: null, refName: null, notes };
}

async function localRepository(given: string, location: Location, options: Wanted): Promise<RepositoryRef> {
  await using git = await openGit();
  const call = { signal: options.signal, timeoutMs: (options.timeoutSeconds ?? GIT_TIMEOUT_SECONDS) * 1000 };
  const resolved = await resolveRef(git, localSource(location.root), { ref: options.ref, call });
  if (resolved !== undefined) return { ...location, ...nothingRemote, given, ...resolved, notes: [] };
  if (location.bare) throw noCommit(location.root);
  const notes = ['a git repository without commits: the files are taken as they stand'];
  return { ...location, ...nothingRemote, kind: 'folder', given, commit: null, refName: null, notes };
}

async function remoteRepository(given: string, address: GitAddress, options: Wanted): Promise<RepositoryRef> {
  const { credential, signal, onProgress } = options;
  await using git = await openGit({ transport: address.transport, host: address.host, credential });
  const timeoutMs = (options.timeoutSeconds ?? NETWORK_TIMEOUT_SECONDS) * 1000;
  const call = { signal, timeoutMs, ...(onProgress === undefined ? {} : { onProgress }) };
  const resolved = await resolveRef(git, remoteSource(address, credential?.name), { ref: options.ref, call });
  if (resolved === undefined)
    throw noCommit(address.url, 'the repository is empty, or the address is that of a web page');
  const place = { kind: 'git', root: address.url, subfolder: options.subfolder, bare: true } as const;
  const notes = address.transport === 'http' ? [`${address.url} was read without encryption`] : [];
  return { ...place, remote: address, package: null, given, ...resolved, notes };
}

async function packageFile(given: string, address: PackageAddress, options: Wanted): Promise<RepositoryRef> {
  if (options.ref !== undefined)
    throw new AssayError('invalid_request', 'a package has versions, not revisions', {
      why: `"${options.ref}" was named as the revision of ${given}`,
      hint: `write the version behind the name: pypi:${address.name}==VERSION`,
    });
  if (options.packages === undefined)
    throw new AssayError('not_configured', 'packages of the index cannot be read here', {
      why: 'no Python with pip is known',
      hint: 'install python3 and pip, or give a folder or a git repository',
    });
  const { signal, onProgress } = options;
  const timeoutMs = (options.timeoutSeconds ?? NETWORK_TIMEOUT_SECONDS) * 1000;
  const file = await findPackage(address, { index: options.packages, call: { signal, timeoutMs, onProgress } });
  const root = `pypi:${file.name}==${file.version}`;
  const place = { kind: 'package', root, subfolder: options.subfolder, bare: true, remote: null } as const;
  return { ...place, package: file, given, commit: null, refName: null, notes: file.notes };
}

const EMPTY = 'the repository is empty, or its HEAD names a branch that does not exist';

function noCommit(shown: string, why = EMPTY): AssayError {
  return new AssayError('repository_no_code', `${shown} has no commit`, {
    why,
    hint: 'push a commit to it, or name an existing branch as the revision',
    details: { lookedAt: ['HEAD'] },
  });
}

async function requireCode(given: string, location: Location, signal: AbortSignal): Promise<void> {
  const path = location.subfolder === '' ? location.root : `${location.root}/${location.subfolder}`;
  const seen: string[] = [];
  let looked = 0;
  const enter = (entry: Parameters<typeof entryName>[0]) => entryName(entry) !== '.git';
  if (location.kind === 'git' && !(await isFolder(path))) return; // it may be in the commit
  for await (const entry of walkTree(path, { signal, enter })) {
    if (entry.stat.isFile() && canBeRun(entryName(entry))) return;
    if (!entry.stat.isDirectory() && seen.length < 20) seen.push(entry.path.toString('utf8'));
    if (++looked >= LOOK_LIMIT) return; // too large to decide here; the export decides
  }
  throw noCode(given, seen, looked);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false;
    throw error;
  }
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
