import { insideRepository, folderOf, type ReadText } from './declared.ts';
import type { DeclarationKind } from './dependency-spec.ts';
import { lockFiles, readLockFile } from './readers/lock-file.ts';
import { requirementText, type Ignored, type Requirement } from './requirement.ts';
import { versionFits } from './specifiers.ts';

export interface LockChoice {
  /** The lock file that counts, or the one that would count if it fitted; null when there is none. */
  readonly lock: { readonly file: string; readonly whyNot: string | null } | null;
  readonly pins: readonly Requirement[];
  readonly ignored: readonly Ignored[];
}

interface Chosen {
  readonly kind: DeclarationKind;
  /** The file that declares, relative to the repository's root. */
  readonly file: string;
  readonly requirements: readonly Requirement[];
}

/**
 * The exact versions of the lock file beside a declaration. One that does not fit what is declared is stale: none of it
 * counts, and that is said.
 */
export async function followLock(
  files: readonly string[],
  read: ReadText,
  chosen: Chosen | undefined,
): Promise<LockChoice> {
  if (chosen === undefined) return { lock: null, pins: [], ignored: [] };
  const here = lockFiles
    .map(({ name, of }) => ({ path: insideRepository(folderOf(chosen.file), name) ?? name, of }))
    .filter(({ path }) => files.includes(path));
  const ignored: Ignored[] = [];
  const pass = (file: string, why: string) => ignored.push({ what: file, why, origin: { file, line: 1 } });
  let followed: { readonly file: string; readonly pins: readonly Requirement[] } | undefined;
  let stale: { readonly file: string; readonly whyNot: string } | undefined;
  for (const { path, of } of here) {
    if (followed !== undefined || of !== chosen.kind) {
      pass(path, `${followed?.file ?? chosen.file} stands before it`);
      continue;
    }
    const found = await readLockFile(path, read);
    const whyNot = 'problem' in found ? found.problem : whyStale(chosen.requirements, found.pins);
    if (whyNot === undefined && 'pins' in found) followed = { file: path, pins: found.pins };
    if (whyNot === undefined) continue;
    const said = `${whyNot}; the ranges of ${chosen.file} count`;
    pass(path, said);
    stale ??= { file: path, whyNot: said };
  }
  const lock = followed === undefined ? (stale ?? null) : { file: followed.file, whyNot: null };
  return { lock, pins: followed?.pins ?? [], ignored };
}

/** What is declared and not locked, or locked in a version that the declaration no longer allows. */
function whyStale(requirements: readonly Requirement[], pins: readonly Requirement[]): string | undefined {
  for (const one of requirements) {
    if (one.place.kind !== 'index') continue;
    const locked = pins.filter(({ name }) => name === one.name);
    const asked = `${one.origin.file}:${one.origin.line} asks for ${requirementText({ ...one, hashes: [] })}`;
    // A condition may be the reason that a lock for other machines leaves it out.
    if (locked.length === 0 && one.marker === null) return `it is stale: ${asked}, and it has no ${one.name}`;
    const versions = locked.map(({ specifier }) => specifier.slice(2));
    if (versions.length > 0 && !versions.some((version) => versionFits(version, one.specifier)))
      return `it is stale: ${asked}, and it has ${one.name} ${versions.join(', ')}`;
  }
  return undefined;
}
