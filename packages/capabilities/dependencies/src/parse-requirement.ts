import { isMarker } from './marker.ts';
import { normaliseName, type Origin, type Place, type Requirement } from './requirement.ts';
import { fromConda, isSpecifier } from './specifiers.ts';

export type ParsedRequirement =
  { readonly requirement: Requirement; readonly note: string | null } | { readonly problem: string };

const NAME = String.raw`[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?`;
const MOST_CHARACTERS = 4000;

/** One requirement in the form of PEP 508, with what pip also takes in a requirements file: paths and addresses. */
export function parseRequirement(given: string, origin: Origin): ParsedRequirement {
  const text = given.trim();
  if (text.length > MOST_CHARACTERS) return { problem: `it has more than ${MOST_CHARACTERS} characters` };
  const place = bareplace(text);
  if (place !== undefined) return withPlace(place, text, origin);
  const match = new RegExp(`^(${NAME})\\s*(\\[[^\\]]*\\])?\\s*(.*)$`, 's').exec(text);
  if (match === null) return { problem: 'it does not begin with the name of a package' };
  const [, name = '', extraText, rest = ''] = match;
  const extras = (extraText ?? '')
    .slice(1, -1)
    .split(',')
    .map((extra) => extra.trim())
    .filter((extra) => extra !== '');
  const base = { name: normaliseName(name), extras, editable: false, hashes: [], origin };
  if (rest.startsWith('@')) return addressed(base, rest.slice(1).trim());
  return versioned(base, rest);
}

type Base = Pick<Requirement, 'name' | 'extras' | 'editable' | 'hashes' | 'origin'>;

function versioned(base: Base, rest: string): ParsedRequirement {
  const at = rest.indexOf(';');
  const marker = at === -1 ? null : rest.slice(at + 1).trim();
  const written = (at === -1 ? rest : rest.slice(0, at))
    .trim()
    .replace(/^\((.*)\)$/s, '$1')
    .trim();
  if (marker !== null && !isMarker(marker)) return { problem: `"${marker}" is not a condition that PEP 508 knows` };
  const specifier = written.replace(/\s+/g, '').replace(/,$/, '');
  if (
    isSpecifier(specifier) &&
    !/[\w*]\s+[\w<>=!~]/.test(written.replace(/([<>=!~,])\s+/g, '$1').replace(/\s+([<>=!~,])/g, '$1'))
  )
    return { requirement: { ...base, specifier, marker, place: { kind: 'index' } }, note: null };
  const conda = /^=(?!=)(.+)$/.exec(specifier)?.[1];
  const read = conda === undefined ? undefined : fromConda(conda);
  if (read !== undefined)
    return {
      requirement: { ...base, specifier: read, marker, place: { kind: 'index' } },
      note: `it is written for conda and was read as ${base.name}${read}`,
    };
  return { problem: `"${written}" is not a version range` };
}

function addressed(base: Base, rest: string): ParsedRequirement {
  const [address = '', condition] = rest.split(/\s+;\s*|;\s+/, 2);
  const marker = condition === undefined ? null : condition.trim();
  if (marker !== null && !isMarker(marker)) return { problem: `"${marker}" is not a condition that PEP 508 knows` };
  const place = placeOf(address.trim());
  if (place === undefined) return { problem: `"${address}" is not an address` };
  if (place.kind === 'path' && place.path.startsWith('/'))
    return {
      requirement: { ...base, specifier: '', marker, place: { kind: 'index' } },
      note: `it points at a folder of the machine on which it was written (${place.path}); ${base.name} is taken from the package index instead`,
    };
  return { requirement: { ...base, specifier: '', marker, place }, note: null };
}

/** A line that is a path or an address without a name before it. */
function bareplace(text: string): Place | undefined {
  if (/^(\.{0,2}\/|\.{1,2}(\[|$|\s*;)|[a-z][a-z0-9+.-]*:\/\/|git@|git\+)/i.test(text)) return placeOf(text);
  return /^[^\s;[]+\/[^\s;]*$|\.(whl|tar\.gz|zip)(\s*;.*)?$/.test(text) && !text.includes('@')
    ? placeOf(text)
    : undefined;
}

function withPlace(found: Place, text: string, origin: Origin): ParsedRequirement {
  const name = /[#&]egg=([A-Za-z0-9._-]+)/.exec(text)?.[1] ?? '';
  const inner = /\[([^\]]*)\]\s*(;.*)?$/.exec(text)?.[1];
  const extras = inner === undefined ? [] : inner.split(',').map((extra) => extra.trim());
  const [, condition] = text.split(/\s+;\s*|;\s+/, 2);
  const place: Place =
    found.kind === 'path'
      ? { kind: 'path', path: found.path.replace(/\[[^\]]*\]$/, '').replace(/\s*;.*$/, '') }
      : found;
  return {
    requirement: {
      name: normaliseName(name),
      extras,
      specifier: '',
      marker: condition?.trim() ?? null,
      place,
      editable: false,
      hashes: [],
      origin,
    },
    note: null,
  };
}

function placeOf(address: string): Place | undefined {
  if (/^(git|hg|svn|bzr)\+|^git@|^git:\/\//i.test(address)) return { kind: 'vcs', url: address.replace(/\s.*$/, '') };
  if (/^https?:\/\//i.test(address)) return { kind: 'url', url: address.replace(/\s.*$/, '') };
  const file = /^file:(\/\/)?(.*)$/i.exec(address);
  const path = (file === null ? address : decodeURIComponent(file[2] ?? '')).replace(/#.*$/, '').trim();
  return path === '' ? undefined : { kind: 'path', path: path.replace(/^\.\/(?=.)/, '').replace(/(?<=.)\/$/, '') };
}
