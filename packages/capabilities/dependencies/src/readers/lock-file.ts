import { isMarker } from '../marker.ts';
import type { ReadText } from '../declared.ts';
import { normaliseName, type Requirement } from '../requirement.ts';
import { isVersion } from '../specifiers.ts';
import { isTable, parseToml, stringsOf, tableAt, type Table } from '../toml-table.ts';

/** The lock files that are read, and the declaration that each belongs to; the first that fits counts. */
export const lockFiles = [
  { name: 'uv.lock', of: 'pyproject.toml' },
  { name: 'poetry.lock', of: 'pyproject.toml' },
  { name: 'pdm.lock', of: 'pyproject.toml' },
  { name: 'Pipfile.lock', of: 'Pipfile' },
] as const;

/** Exact versions with the hashes of their files, or why the file says none. */
export type LockRead = { readonly pins: readonly Requirement[] } | { readonly problem: string };

const MOST_PINS = 2000;
const SHA256 = /^sha256:[0-9a-f]{64}$/;

interface Entry {
  readonly name: string;
  readonly version: string;
  readonly markers: readonly string[];
  readonly hashes: readonly string[];
}

/** The packages of the index that a lock file names. What comes from git, an address or a folder is not among them. */
export async function readLockFile(path: string, read: ReadText): Promise<LockRead> {
  const file = await read(path);
  if (file === undefined) return { problem: 'it is too large, or no plain file' };
  const parsed = path.endsWith('Pipfile.lock') ? parseJson(file.text) : parseToml(file.text);
  if ('problem' in parsed) return { problem: parsed.problem };
  const found = path.endsWith('Pipfile.lock') ? pipfileEntries(parsed.table) : tomlEntries(parsed.table);
  if (found === undefined) return { problem: 'it has no list of packages' };
  const lines = lineFinder(file.text);
  const pins = found.filter(isUsable).map(({ name, version, markers, hashes }) => ({
    name: normaliseName(name),
    extras: [],
    specifier: `==${version}`,
    marker: markers.length === 0 ? null : markers.map((marker) => `(${marker})`).join(' or '),
    place: { kind: 'index' } as const,
    editable: false,
    hashes: [...new Set(hashes)].filter((hash) => SHA256.test(hash)),
    origin: { file: path, line: lines(name) },
  }));
  return pins.length > MOST_PINS ? { problem: `it has more than ${MOST_PINS} packages` } : { pins: unambiguous(pins) };
}

function isUsable({ name, version, markers }: Entry): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name) && isVersion(version) && markers.every(isMarker);
}

/** A package that stands there in several versions is pinned only when each says when it counts. */
function unambiguous(pins: readonly Requirement[]): Requirement[] {
  const counts = new Map<string, number>();
  for (const { name } of pins) counts.set(name, (counts.get(name) ?? 0) + 1);
  return pins.filter(({ name, marker }) => counts.get(name) === 1 || marker !== null);
}

function parseJson(text: string): { readonly table: Table } | { readonly problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    return isTable(value) ? { table: value } : { problem: 'it is not a JSON object' };
  } catch {
    return { problem: 'it is not valid JSON' };
  }
}

function pipfileEntries(content: Table): Entry[] | undefined {
  const packages = tableAt(content, 'default');
  if (packages === undefined) return undefined;
  return Object.entries(packages).flatMap(([name, value]) => {
    const version =
      isTable(value) && isFromIndex(value) ? /^==([^=].*)$/.exec(textOf(value['version']))?.[1] : undefined;
    if (version === undefined || !isTable(value)) return [];
    return [{ name, version, markers: textsOf(value['markers']), hashes: stringsOf(value['hashes']) }];
  });
}

/** `[[package]]` of uv, poetry and pdm; older poetry and pdm keep the files of all packages in one table. */
function tomlEntries(content: Table): Entry[] | undefined {
  const packages = content['package'];
  if (!Array.isArray(packages)) return undefined;
  const older = tableAt(content, 'metadata', 'files') ?? {};
  return packages.filter(isTable).flatMap((one) => {
    const { name, version } = { name: textOf(one['name']), version: textOf(one['version']) };
    if (name === '' || version === '' || !isFromIndex(one)) return [];
    const files = [one['files'], one['wheels'], [one['sdist']], older[name], older[`${name} ${version}`]];
    const hashes = files.flatMap((list) => (Array.isArray(list) ? list : [])).flatMap((file) => hashOf(file));
    const conditions = [...stringsOf(one['resolution-markers']), ...textsOf(one['markers']), ...textsOf(one['marker'])];
    return [{ name, version, markers: conditions, hashes }];
  });
}

function isFromIndex(one: Table): boolean {
  const source = tableAt(one, 'source');
  const kind = source === undefined ? '' : textOf(source['type']);
  const isElsewhere = ['git', 'url', 'path', 'directory', 'editable', 'virtual', 'file', 'hg', 'svn', 'bzr'].some(
    (key) =>
      key === kind || one[key] !== undefined || (source !== undefined && source[key] !== undefined && kind === ''),
  );
  return !isElsewhere;
}

function hashOf(file: unknown): string[] {
  return isTable(file) && typeof file['hash'] === 'string' ? [file['hash']] : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** One text or several; poetry writes a table of them by group when groups differ. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return isTable(value) ? Object.values(value).filter((one) => typeof one === 'string') : stringsOf(value);
}

/** The line of each name, found in one pass. */
function lineFinder(text: string): (name: string) => number {
  const lines = new Map<string, number>();
  for (const [index, line] of text.split('\n').entries()) {
    const name = /^\s*(?:name\s*=\s*)?"([^"]+)"\s*(?::\s*\{)?\s*$/.exec(line)?.[1];
    if (name !== undefined && !lines.has(name)) lines.set(name, index + 1);
  }
  return (name) => lines.get(name) ?? 1;
}
