import type { Collector } from '../declared.ts';
import { isMarker } from '../marker.ts';
import { normaliseName, type Origin, type Place, type Requirement } from '../requirement.ts';
import { fromPoetry } from '../specifiers.ts';
import { lineOf } from '../text.ts';
import { isTable, stringsOf, tableAt, type Table } from '../toml-table.ts';

interface Target {
  readonly collector: Collector;
  readonly path: string;
  readonly text: string;
}

/** `[tool.poetry.dependencies]` with its caret and tilde ranges, tables and lists of tables. */
export function readPoetry(poetry: Table, target: Target): void {
  const table = tableAt(poetry, 'dependencies') ?? {};
  const start = Math.max(0, target.text.indexOf('[tool.poetry.dependencies]'));
  for (const [name, value] of Object.entries(table)) {
    const at = target.text.slice(start).search(new RegExp(`^\\s*["']?${escape(name)}["']?\\s*=`, 'm'));
    const line = at === -1 ? lineOf(target.text, name, start) : lineOfOffset(target.text, start + at);
    const origin = { file: target.path, line };
    if (name.toLowerCase() === 'python') addPython(value, { target, origin });
    else for (const entry of Array.isArray(value) ? value : [value]) addEntry(name, entry, { target, origin });
  }
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function lineOfOffset(text: string, offset: number): number {
  const lead = /^\s*/.exec(text.slice(offset))?.[0].length ?? 0;
  return text.slice(0, offset + lead).split('\n').length;
}

interface At {
  readonly target: Target;
  readonly origin: Origin;
}

function addPython(value: unknown, { target, origin }: At): void {
  const read = typeof value === 'string' ? fromPoetry(value) : undefined;
  if (read === undefined) target.collector.ignore('python', 'its range cannot be read', origin);
  else if (read.specifier !== '') target.collector.requiresPython.push({ specifier: read.specifier, origin });
}

/** One entry of a table of poetry's or Pipfile's kind. */
export function addEntry(name: string, value: unknown, { target, origin }: At): void {
  const table = isTable(value) ? value : { version: value };
  if (table['optional'] === true) {
    target.collector.ignore(name, 'optional: nothing asks for it', origin);
    return;
  }
  const version = table['version'] ?? '*';
  const read = typeof version === 'string' ? fromPoetry(version) : undefined;
  if (read === undefined) {
    target.collector.ignore(`${name} = ${JSON.stringify(version)}`, 'its range cannot be read', origin);
    return;
  }
  if (!read.exact)
    target.collector.ignore(
      `${name} = ${JSON.stringify(version)}`,
      `several ranges were read as ${read.specifier}`,
      origin,
    );
  const marker = markerOf(table);
  if (marker !== null && !isMarker(marker)) {
    target.collector.ignore(name, `its condition "${marker}" cannot be read`, origin);
    return;
  }
  const requirement: Requirement = {
    name: normaliseName(name),
    extras: stringsOf(table['extras']),
    specifier: read.specifier,
    marker,
    place: placeOf(table),
    editable: table['editable'] === true || table['develop'] === true,
    hashes: stringsOf(table['hashes']),
    origin,
  };
  target.collector.requirements.push(requirement);
}

/** `markers`, `python` and `platform` of an entry in one marker; Pipfile writes `sys_platform = "== 'win32'"`. */
function markerOf(table: Table): string | null {
  const parts: string[] = [];
  if (typeof table['markers'] === 'string') parts.push(`(${table['markers']})`);
  if (typeof table['platform'] === 'string') parts.push(`sys_platform == '${table['platform']}'`);
  for (const name of ['sys_platform', 'os_name', 'platform_system', 'platform_machine', 'python_version'])
    if (typeof table[name] === 'string') parts.push(`${name} ${table[name]}`);
  const python = typeof table['python'] === 'string' ? fromPoetry(table['python']) : undefined;
  for (const range of python?.specifier.split(',').filter((part) => part !== '') ?? []) {
    const [, operator = '', version = ''] = /^([<>=!~]+)(.+)$/.exec(range) ?? [];
    parts.push(`python_version ${operator} '${version}'`);
  }
  return parts.length === 0 ? null : parts.join(' and ');
}

function placeOf(table: Table): Place {
  const { git, path, url, file } = table as Readonly<Record<'git' | 'path' | 'url' | 'file', unknown>>;
  if (typeof git === 'string') return { kind: 'vcs', url: git.startsWith('git+') ? git : `git+${git}` };
  if (typeof path === 'string') return { kind: 'path', path: path.replace(/^\.\/(?=.)/, '') };
  const address = typeof url === 'string' ? url : file;
  return typeof address === 'string' ? { kind: 'url', url: address } : { kind: 'index' };
}
