import { compare, explain, satisfies, valid, validRange } from '@renovatebot/pep440';

/** True for PEP 440 specifiers with commas between them; the empty text allows every version. */
export function isSpecifier(text: string): boolean {
  return text.trim() === '' || validRange(text);
}

/** True when a version fits; pre-releases count, as for interpreters and pinned files. */
export function versionFits(version: string, specifier: string): boolean {
  if (specifier.trim() === '') return true;
  return satisfies(version, specifier, { prereleases: true });
}

export function isVersion(text: string): boolean {
  return valid(text) !== null;
}

/** Order of two PEP 440 versions, as `Array.sort` wants it. */
export function compareVersions(a: string, b: string): number {
  return compare(a, b);
}

/**
 * A constraint as poetry and Pipfile write it, in PEP 440: `^1.2`, `~1.2`, `1.*`, `*`, `1.2`, commas and `||`.
 * `exact` says that the union of several ranges became one range that also allows what lies between them.
 */
export function fromPoetry(text: string): { readonly specifier: string; readonly exact: boolean } | undefined {
  const ranges = text.split(/\s*\|\|?\s*/).map((range) => oneRange(range));
  if (ranges.some((range) => range === undefined)) return undefined;
  const [only] = ranges;
  if (ranges.length === 1) return { specifier: only!, exact: true };
  return { specifier: hull(ranges as string[]), exact: false };
}

function oneRange(text: string): string | undefined {
  const parts = text
    .split(/\s*,\s*|\s+(?=[<>=!~^])/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const translated = parts.map(onePart);
  if (translated.some((part) => part === undefined)) return undefined;
  const specifier = translated.filter((part) => part !== '').join(',');
  return isSpecifier(specifier) ? specifier : undefined;
}

function onePart(part: string): string | undefined {
  if (part === '*') return '';
  const match = /^(\^|~(?!=)|==?=?|!=|~=|>=|<=|>|<)?\s*(.+)$/.exec(part);
  const [, operator = '', version = ''] = match ?? [];
  if (operator === '^') return caret(version);
  if (operator === '~') return tilde(version);
  if (operator === '' || operator === '=') return `==${version}`;
  return `${operator}${version}`;
}

/** `^1.2.3` allows what leaves the leftmost part that is not zero: `>=1.2.3,<2`; `^0.0.3` is `>=0.0.3,<0.0.4`. */
function caret(version: string): string | undefined {
  const release = explain(version)?.release;
  if (release === undefined) return undefined;
  const significant = release.findIndex((part) => part !== 0);
  return `>=${version},<${next(release, significant === -1 ? release.length - 1 : significant)}`;
}

/** `~1.2.3` and `~1.2` allow the last part of a minor version to change, `~1` the minor one. */
function tilde(version: string): string | undefined {
  const release = explain(version)?.release;
  return release === undefined ? undefined : `>=${version},<${next(release, Math.min(1, release.length - 1))}`;
}

function next(release: readonly number[], at: number): string {
  return [...release.slice(0, at), (release[at] ?? 0) + 1].join('.');
}

/** The smallest range with no gaps that holds all of them. */
function hull(ranges: readonly string[]): string {
  const bounds = (pattern: RegExp) => ranges.map((range) => pattern.exec(range)?.[2]);
  const lower = bounds(/(>=|==|~=|>)\s*([\w.!+]+?)(\.\*)?(,|$)/);
  const upper = bounds(/(<=|<)\s*([\w.!+]+)/);
  const low = lower.every((one) => one !== undefined) ? `>=${[...lower].sort(byVersion)[0]}` : '';
  const high = upper.every((one) => one !== undefined) ? `<${[...upper].sort(byVersion).at(-1)}` : '';
  return [low, high].filter((part) => part !== '').join(',');
}

function byVersion(a: string, b: string): number {
  return compare(a, b);
}

/** A conda match specification's version part: `1.21` means `1.21.*`, `1.21=build` exactly that version. */
export function fromConda(text: string): string | undefined {
  const trimmed = text.trim();
  if (/^[<>!=~]/.test(trimmed)) return isSpecifier(trimmed) ? trimmed : undefined;
  const [version = '', build] = trimmed.split('=');
  if (version === '' || version === '*') return '';
  if (version.endsWith('*')) {
    const specifier = `==${version.replace(/\.?\*$/, '.*')}`;
    return isSpecifier(specifier) ? specifier : undefined;
  }
  if (!isVersion(version)) return undefined;
  return build === undefined ? `==${version}.*` : `==${version}`;
}
