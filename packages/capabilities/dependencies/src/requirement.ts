/** Where something was said: a file of the repository, relative to its root, and a 1-based line. */
export interface Origin {
  readonly file: string;
  readonly line: number;
}

/** Where a distribution comes from: the package index, or a place that the requirement names itself. */
export type Place =
  | { readonly kind: 'index' }
  | { readonly kind: 'url' | 'vcs'; readonly url: string }
  /** Relative to the repository's root, `.` for the root itself. */
  | { readonly kind: 'path'; readonly path: string };

/** One distribution that is needed. */
export interface Requirement {
  /** Normalised as in PEP 503; empty for a path or address that names none. */
  readonly name: string;
  readonly extras: readonly string[];
  /** PEP 440 specifiers with commas between them; empty for any version. */
  readonly specifier: string;
  /** A PEP 508 marker, or null. */
  readonly marker: string | null;
  readonly place: Place;
  readonly editable: boolean;
  /** `sha256:…`, as pip writes them. */
  readonly hashes: readonly string[];
  readonly origin: Origin;
}

/** Something that was read and not used, with the reason. */
export interface Ignored {
  readonly what: string;
  readonly why: string;
  readonly origin: Origin;
}

/** The canonical form of a distribution's name (PEP 503). */
export function normaliseName(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}

/** A requirement of the package index without conditions. */
export function indexRequirement(name: string, origin: Origin, specifier = ''): Requirement {
  return {
    name: normaliseName(name),
    extras: [],
    specifier,
    marker: null,
    place: { kind: 'index' },
    editable: false,
    hashes: [],
    origin,
  };
}

/** The requirement as pip reads it in a requirements file. */
export function requirementText(requirement: Requirement): string {
  const { name, extras, specifier, marker, place, hashes, editable } = requirement;
  const extra = extras.length === 0 ? '' : `[${extras.join(',')}]`;
  const condition = marker === null ? '' : ` ; ${marker}`;
  const digests = hashes.map((hash) => ` --hash=${hash}`).join('');
  if (place.kind === 'path') return `${editable ? '-e ' : ''}${localPath(place.path)}${extra}${condition}`;
  if (place.kind === 'index') return `${name}${extra}${specifier}${condition}${digests}`;
  return name === '' ? `${place.url}${condition}` : `${name}${extra} @ ${place.url}${condition}${digests}`;
}

function localPath(path: string): string {
  return path === '.' || path.startsWith('/') ? path : `./${path}`;
}
