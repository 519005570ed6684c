import { AssayError } from '@assay/foundation';
import { nearNames } from '../near-names.ts';
import type { PackageAddress } from '../source/address.ts';
import { askIndex, withoutPasswords, type IndexCall, type PackageIndex } from './ask-index.ts';

export { type PackageIndex } from './ask-index.ts';

/** One file of the package index. */
export interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly file: string;
  /** A source distribution, or a wheel of nothing but Python when there is none. */
  readonly kind: 'sdist' | 'pure_wheel';
  /** What the index says of its content, such as `sha256` and the digest; null when it says nothing. */
  readonly hashName: string | null;
  readonly hash: string | null;
  /** Where it is downloaded from; empty for a folder of this machine. */
  readonly host: string;
  readonly notes: readonly string[];
}

interface Found {
  readonly version: string;
  readonly file: string;
  readonly kind: 'sdist' | 'pure_wheel' | 'wheel' | 'other';
  readonly hashName: string | null;
  readonly hash: string | null;
  readonly yanked: string | null;
  readonly requiresPython: string | null;
  readonly runsHere: boolean;
  readonly prerelease: boolean;
  readonly host: string;
}

interface Answer {
  readonly refused?: string;
  readonly why?: string;
  readonly found?: readonly Found[];
  readonly said?: readonly string[];
  readonly python?: string;
}

/**
 * The file that is unpacked for a package: of the version that was named, else of the newest one that is no pre-release,
 * was not withdrawn, and supports this Python. Throws `repository_missing`, `repository_unsupported` (no file that can be
 * read without running it), `repository_unreachable`, `not_configured`, `task_timeout`.
 */
export async function findPackage(
  address: PackageAddress,
  { index, call }: { readonly index: PackageIndex; readonly call: IndexCall },
): Promise<PackageFile> {
  call.onProgress?.(`asking the package index for ${address.name}`);
  const answer = (await askIndex(index, ['find', address.name], call)) as Answer;
  if (answer.refused !== undefined) throw refusal(address.name, answer.refused, answer.why ?? '');
  const found = answer.found ?? [];
  if (found.length === 0) throw nothingFound(address.name, answer.said ?? []);
  const version = address.version === null ? newestVersion(found) : namedVersion(address, found);
  const files = found.filter((one) => one.version === version);
  const chosen = files.find((one) => one.kind === 'sdist') ?? files.find((one) => one.kind === 'pure_wheel');
  if (chosen === undefined) throw nothingReadable(address.name, version, files);
  const { file, hashName, hash, host } = chosen;
  const kind = chosen.kind === 'sdist' ? 'sdist' : 'pure_wheel';
  return { name: address.name, version, file, kind, hashName, hash, host, notes: notesOn(chosen, answer.python ?? '') };
}

function newestVersion(found: readonly Found[]): string {
  const wishes: readonly ((one: Found) => boolean)[] = [
    (one) => one.yanked === null && !one.prerelease && one.runsHere,
    (one) => one.yanked === null && !one.prerelease,
    (one) => one.yanked === null,
  ];
  for (const wish of wishes) {
    const newest = found.find(wish); // newest first, as the script sorts them
    if (newest !== undefined) return newest.version;
  }
  return found[0]!.version;
}

function namedVersion({ name, version }: PackageAddress, found: readonly Found[]): string {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/^v/, '')
      .replace(/(\.0)+$/, '');
  const match =
    found.find((one) => one.version === version) ?? found.find((one) => plain(one.version) === plain(version ?? ''));
  if (match !== undefined) return match.version;
  const versions = [...new Set(found.map((one) => one.version))];
  throw new AssayError('repository_missing', `the index has no version ${version} of ${name}`, {
    why: `it has ${versions.length} versions; nearest: ${nearNames(version ?? '', versions, 5).join(', ')}; newest: ${versions[0] ?? 'none'}`,
    hint: `name one of them: pypi:${name}==${versions[0] ?? 'VERSION'}`,
    details: { name, version },
  });
}

function notesOn(chosen: Found, python: string): string[] {
  const notes = ['a package of the index: the result is bound to its version and the hash of its file'];
  if (chosen.kind === 'pure_wheel')
    notes.push(
      `version ${chosen.version} has no source distribution: its wheel, which holds only Python, was unpacked`,
    );
  if (chosen.yanked !== null) notes.push(`version ${chosen.version} was withdrawn by its authors: ${chosen.yanked}`);
  if (!chosen.runsHere) notes.push(`it asks for Python ${chosen.requiresPython ?? '?'}; this is Python ${python}`);
  if (chosen.hashName === null) notes.push('the index gives no hash for this file: the hash of what came was recorded');
  else if (chosen.hashName === 'md5' || chosen.hashName === 'sha1')
    notes.push(`the index gives only a weak hash (${chosen.hashName}) for this file`);
  return notes;
}

function nothingFound(name: string, said: readonly string[]): AssayError {
  const failures = said.filter((line) => !/\b404\b/.test(line));
  const last = failures.at(-1);
  if (last === undefined)
    return new AssayError('repository_missing', `the package index has no package ${name}`, {
      why: 'no index and no folder that pip is configured with knows the name',
      hint: 'check the spelling; "pip config list" shows which index is asked',
      details: { name },
    });
  return unreachable(name, last);
}

function unreachable(name: string, reason: string): AssayError {
  return new AssayError('repository_unreachable', `the package index cannot be asked for ${name}`, {
    why: withoutPasswords(reason).slice(0, 300),
    hint: 'check the network and "pip config list" of the user who starts the daemon, then retry the task',
    details: { name },
  });
}

function nothingReadable(name: string, version: string, files: readonly Found[]): AssayError {
  return new AssayError('repository_unsupported', `${name} ${version} has no files that can be read as source`, {
    why: `no source distribution (.tar.gz or .zip) and no pure Python wheel; it has ${files
      .map((one) => one.file)
      .slice(0, 5)
      .join(', ')}`,
    hint: 'name another version, or give the git repository of the project',
    details: { name, version },
  });
}

/** What a script that refused means. */
export function refusal(name: string, kind: string, why: string): AssayError {
  switch (kind) {
    case 'no_pip':
      return new AssayError('not_configured', 'packages are asked for through pip, and this Python has none', {
        why,
        hint: 'install it (Debian, Ubuntu: apt install python3-pip; elsewhere: python3 -m ensurepip)',
      });
    case 'strange_pip':
      return new AssayError('not_configured', 'this version of pip cannot be asked for packages', {
        why,
        hint: 'use another pip (python3 -m pip install --upgrade pip), or unpack the package yourself and give the folder',
      });
    case 'too_large':
      return new AssayError('repository_too_large', `the file of ${name} is too large`, {
        why,
        hint: 'name another version, or give a folder with the part you need',
      });
    case 'other_hash':
      return new AssayError('repository_changed', `what came for ${name} is not what the index promised`, {
        why,
        hint: 'the file was changed on its way or in the index: do not use it, and ask who runs the index',
      });
    case 'gone':
      return new AssayError('repository_changed', `the index has changed since ${name} was found`, {
        why,
        hint: 'create the plan again',
      });
    default:
      return unreachable(name, why);
  }
}
