import { fileURLToPath } from 'node:url';
import { AssayError } from '@assay/foundation';

/** What a person wrote for a repository, taken apart. Nothing has been looked at yet. */
export type RepositoryAddress = PathAddress | GitAddress | PackageAddress;

export interface PathAddress {
  readonly kind: 'path';
  readonly path: string;
  /** True for `file://`: what is there must be a git repository. */
  readonly mustBeGit: boolean;
  readonly revision: string | null;
  readonly subfolder: string | null;
}

export interface GitAddress {
  readonly kind: 'git';
  readonly transport: GitTransport;
  /** Without credentials, revision and fragment; git takes it as it is. */
  readonly url: string;
  /** Name and port, such as `git.example.org:8443`. */
  readonly host: string;
  readonly revision: string | null;
  readonly subfolder: string | null;
}

export const gitTransports = ['https', 'http', 'ssh'] as const;
export type GitTransport = (typeof gitTransports)[number];

export interface PackageAddress {
  readonly kind: 'package';
  /** In the index's normal form: lower case, `-` between words. */
  readonly name: string;
  /** Exactly this version; null for the newest. */
  readonly version: string | null;
}

/**
 * Reads a folder, a git address (`https://`, `http://`, `ssh://`, `user@host:path`, `file://`, each also with `git+` before
 * it, `@REVISION` after it and `#subdirectory=FOLDER` at its end, as pip writes them) or `pypi:NAME[==VERSION]`.
 * Throws `repository_unsupported` for other schemes and `invalid_request` for what is not well formed or holds a
 * password; no message repeats a password.
 */
export function parseAddress(given: string): RepositoryAddress {
  if (given.length > 4096 || hasControlCharacter(given)) throw malformed('it is too long or holds control characters');
  if (/^[a-z][a-z0-9+.-]*::/i.test(given)) throw unsupported(given.split('::', 1)[0]!);
  if (/^pypi:/i.test(given)) return packageAddress(given.slice('pypi:'.length));
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(given)?.[1]?.toLowerCase();
  if (scheme !== undefined) return urlAddress(given, scheme);
  const short = /^(?:([^/@\s:]+)@)?(\[[0-9a-f:]+\]|[^/@\s:]+):(?!\/\/)(.+)$/i.exec(given);
  if (short === null) return pathAddress(given);
  const [, user, host = '', path = ''] = short;
  if (user === undefined && !host.includes('.') && host !== 'localhost') throw unsupported(host);
  const { rest, revision, subfolder } = withoutSuffixes(path, true);
  requireHost(host);
  if (user !== undefined) requireUser(user);
  if (rest.startsWith('-')) throw malformed('the path begins with "-"');
  const url = `${user === undefined ? '' : `${user}@`}${host}:${rest}`;
  return { kind: 'git', transport: 'ssh', url, host: host.toLowerCase(), revision, subfolder };
}

/** True for everything but a path on this machine that is written as one. */
export function isAddress(given: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(given) || /^pypi:/i.test(given) || /^[^/\s:]+@[^/\s:]+:/.test(given);
}

function pathAddress(path: string): PathAddress {
  return { kind: 'path', path, mustBeGit: false, revision: null, subfolder: null };
}

function packageAddress(text: string): PackageAddress {
  const match = /^([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?:\s*==\s*([a-z0-9][a-z0-9.!+_-]*))?$/i.exec(text.trim());
  if (match === null)
    throw malformed('a package is written pypi:NAME or pypi:NAME==VERSION, without extras and ranges of versions');
  return { kind: 'package', name: match[1]!.toLowerCase().replaceAll(/[-_.]+/g, '-'), version: match[2] ?? null };
}

function urlAddress(given: string, scheme: string): RepositoryAddress {
  const plain = scheme.startsWith('git+') ? given.slice('git+'.length) : given;
  const transport = scheme.replace(/^git\+/, '');
  if (transport !== 'file' && !isTransport(transport)) throw unsupported(scheme);
  const { rest, revision, subfolder } = withoutSuffixes(plain, transport !== 'file' || scheme.startsWith('git+'));
  let url: URL;
  try {
    url = new URL(rest);
  } catch {
    throw malformed('it is not a well-formed URL');
  }
  if (url.password !== '' || (transport !== 'ssh' && url.username !== '')) throw holdsCredentials();
  if (url.search !== '') throw malformed('a "?" and what follows it have no meaning in the address of a repository');
  if (transport === 'file') return fileAddress(url, { revision, subfolder });
  requireHost(url.hostname);
  if (url.username !== '') requireUser(decodeURIComponent(url.username));
  if (url.pathname.replaceAll('/', '') === '') throw malformed('it names a host, and no repository on it');
  const clean = rest.replace(/\/+$/, '');
  return { kind: 'git', transport, url: clean, host: url.host.toLowerCase(), revision, subfolder };
}

function fileAddress(
  url: URL,
  { revision, subfolder }: { readonly revision: string | null; readonly subfolder: string | null },
): PathAddress {
  if (url.hostname !== '' && url.hostname !== 'localhost')
    throw malformed('file:// reads this machine only: write three slashes, file:///path');
  try {
    return { kind: 'path', path: fileURLToPath(url), mustBeGit: true, revision, subfolder };
  } catch {
    throw malformed('it is not a well-formed file URL');
  }
}

function isTransport(scheme: string): scheme is GitTransport {
  return (gitTransports as readonly string[]).includes(scheme);
}

/** `…#subdirectory=FOLDER` and `…@REVISION`, where the `@` stands in the path and not at the start of a part of it. */
function withoutSuffixes(text: string, takesRevision: boolean) {
  const [address, fragment] = splitOnce(text, '#');
  const subfolder = fragment === undefined ? null : subdirectoryOf(fragment);
  if (!takesRevision) return { rest: address, revision: null, subfolder };
  const authority = /^[a-z+]+:\/\/[^/]*/i.exec(address)?.[0].length ?? 0;
  const path = address.slice(authority);
  const marks = [...path.matchAll(/(?<!^|\/)@/g)];
  if (marks.length === 0) return { rest: address, revision: null, subfolder };
  const mark = marks[0]!.index;
  const revision = decoded(path.slice(mark + 1));
  if (marks.length > 1 || revision === '')
    throw malformed('it is not clear where the revision begins: leave "@…" out and name it with --revision');
  return { rest: `${address.slice(0, authority)}${path.slice(0, mark)}`, revision, subfolder };
}

function subdirectoryOf(fragment: string): string | null {
  let subfolder: string | null = null;
  for (const part of fragment.split('&')) {
    const [name, value = ''] = splitOnce(part, '=');
    if (name === 'egg') continue; // pip's name for the package; of no meaning here
    if (name !== 'subdirectory' || value === '') throw malformed('after "#" only subdirectory=FOLDER is understood');
    subfolder = decoded(value);
  }
  return subfolder;
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed('a "%" in it is not followed by two hexadecimal digits');
  }
}

/** Names that ssh or curl could take for an option, or a shell for more than a name, do not pass. */
function requireHost(host: string): void {
  if (/^([a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])$/i.test(host)) return;
  throw malformed('the name of the host is not a host name');
}

function requireUser(user: string): void {
  if (/^[a-z0-9_][a-z0-9_.+-]*$/i.test(user)) return;
  throw malformed('the part before "@" is not a user name');
}

export function hasControlCharacter(text: string): boolean {
  for (const character of text) if (character < ' ' || character === '\u007f') return true;
  return false;
}

function malformed(why: string): AssayError {
  return new AssayError('invalid_request', 'the address of the repository cannot be read', {
    why,
    hint: 'give a folder, https://host/owner/name.git, ssh://git@host/owner/name.git, git@host:owner/name.git, file:///folder, or pypi:NAME==VERSION',
  });
}

function unsupported(scheme: string): AssayError {
  return new AssayError('repository_unsupported', `repositories cannot be read through "${scheme}:"`, {
    why: 'folders, https, ssh, file and http addresses of git repositories, and pypi:NAME are understood; no other way in is opened',
    hint: 'give the https or ssh address that the host shows for cloning; a local path with ":" in it is written ./name',
    details: { scheme },
  });
}

function holdsCredentials(): AssayError {
  return new AssayError('invalid_request', 'the address of the repository holds a user name or a password', {
    why: 'an address is written into the quest, where a password must not stand; it was not kept',
    hint: 'keep the password once with "assay secrets set NAME --host HOST", then give the address without it and --secret NAME',
  });
}
