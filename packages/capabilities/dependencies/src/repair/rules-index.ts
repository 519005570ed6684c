import { normaliseName } from '../requirement.ts';
import { versionFits } from '../specifiers.ts';
import type { Facts, Rule } from './rule.ts';

const notFound =
  /Could not find a version that satisfies the requirement ([^\s(]+)(?: \(from [^)]*\))? \(from versions: ([^)]*)\)/;

/** Name and specifier of a requirement as pip prints it: `numba==0.53.1`, `x[y]>=1,<2`. */
export function askedFor(text: string): { readonly name: string; readonly specifier: string } {
  const [, name = '', specifier = ''] = /^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?(.*)$/.exec(text) ?? [];
  return { name: normaliseName(name), specifier: specifier.replace(/;.*$/, '') };
}

function missing(
  text: string,
): (Facts & { readonly versions: readonly string[]; readonly specifier: string }) | undefined {
  const match = notFound.exec(text);
  if (match === null) return undefined;
  const { name, specifier } = askedFor(match[1] ?? '');
  const versions = (match[2] ?? '') === 'none' ? [] : (match[2] ?? '').split(', ').filter((one) => one !== '');
  return { package: name, requirement: match[1] ?? null, versions, specifier };
}

/** The network counts only where it kept pip from an answer: a retry that then worked is no failure. */
const blocked =
  /from versions: none|Could not fetch URL|Max retries exceeded|^ERROR: [^\n]*(?:ConnectionPool|timed out)/m;

function network(kind: Rule['kind'], pattern: RegExp): Rule {
  return {
    kind,
    steps: ['install', 'probe'],
    pattern,
    read: (match, text) =>
      blocked.test(text)
        ? {
            subject: hostIn(text),
            package: missing(text)?.package ?? null,
            list: match[1] === undefined ? [] : [match[1]],
          }
        : undefined,
  };
}

function hostIn(text: string): string | null {
  return /host='([^']+)'/.exec(text)?.[1] ?? /(?:for url|fetch URL):? https?:\/\/([^/:\s]+)/.exec(text)?.[1] ?? null;
}

const networkRules: readonly Rule[] = [
  network('tls', /CERTIFICATE_VERIFY_FAILED\] certificate verify failed: ([^(\n]*)/),
  network('tls', /SSLError/),
  network('proxy_refused', /Tunnel connection failed: (\d+[^\n')]*)/),
  network('proxy_down', /Cannot connect to proxy/),
  network(
    'name_resolution',
    /Name or service not known|Temporary failure in name resolution|getaddrinfo failed|nodename nor servname/,
  ),
  network('index_timeout', /ReadTimeoutError|ConnectTimeoutError|Read timed out|timed out\. \(/),
  network('index_auth', /(401) Client Error|401 Error, Credentials not correct/),
  network('index_forbidden', /(403) Client Error/),
  network('index_error', /too many (5\d\d) error responses|(5\d\d) Server Error/),
  network(
    'index_down',
    /\[Errno 111\]|Connection refused|Network is unreachable|\[Errno 101\]|Connection reset by peer|RemoteDisconnected|IncompleteRead/,
  ),
];

/** Failures of the package index, and of choosing versions from what it offers. */
export const indexRules: readonly Rule[] = [
  ...networkRules,
  {
    kind: 'needs_other_python',
    pattern: /Ignored the following versions that require a different python version: ([^\n]*)/,
    read: (match, text) => {
      const wanted = missing(text);
      if (wanted === undefined) return undefined;
      const ranges = (match[1] ?? '').split('; ').map((entry) => /^(\S+) Requires-Python (.*)$/.exec(entry.trim()));
      const fitting = ranges.filter((entry) => entry !== null && versionFits(entry[1] ?? '', wanted.specifier));
      const range = fitting.at(-1)?.[2]?.replace(/\s+/g, '');
      return range === undefined ? undefined : { ...pick(wanted), subject: range };
    },
  },
  {
    kind: 'needs_other_python',
    pattern: /Package '([^']+)' requires a different Python: \S+ not in '([^']+)'/,
    read: (match) => ({ package: normaliseName(match[1] ?? ''), subject: match[2]?.replace(/\s+/g, '') ?? null }),
  },
  {
    kind: 'conflict',
    pattern: /The conflict is caused by:\n((?:[ ]+[^\n]+\n)+)/,
    read: (match) => ({
      list: (match[1] ?? '')
        .trim()
        .split('\n')
        .map((line) => line.trim()),
    }),
  },
  {
    kind: 'hash_mismatch',
    pattern: /THESE PACKAGES DO NOT MATCH THE HASHES[^\n]*\n\s+(\S+) from /,
    read: (match) => ({ package: askedFor(match[1] ?? '').name }),
  },
  {
    kind: 'hash_incomplete',
    pattern: /Hashes are required in --require-hashes mode|In --require-hashes mode, all requirements must/,
  },
  {
    kind: 'wrong_platform_file',
    pattern: /ERROR: (\S+\.whl) is not a supported wheel on this platform/,
    read: (match) => ({ subject: match[1] ?? null, package: normaliseName((match[1] ?? '').split('-')[0] ?? '') }),
  },
  {
    kind: 'bad_metadata',
    pattern:
      /(?:has invalid metadata|has inconsistent (?:version|name|Name)[^\n]*|Ignoring version [^\n]*invalid metadata)/,
    read: (_, text) => pick(missing(text)) ?? {},
  },
  {
    kind: 'bad_archive',
    pattern: /Wheel '([^']+)' located at [^\n]* is invalid|BadZipFile|is not a valid wheel filename/,
    read: (match) => ({ package: match[1] === undefined ? null : normaliseName(match[1]) }),
  },
  {
    kind: 'sdist_only',
    steps: ['probe'],
    pattern: /Skipping link: No sources permitted for (\S+):/,
    read: (_, text) => {
      const wanted = missing(text);
      return { ...pick(wanted), list: wheelTags(text, wanted?.specifier ?? '') };
    },
  },
  {
    kind: 'no_wheel',
    steps: ['probe'],
    pattern: /none of the wheel's tags \(([^)]*)\) are compatible/,
    read: (_, text) => {
      const wanted = missing(text);
      return wanted === undefined || wanted.versions.length > 0
        ? undefined
        : { ...pick(wanted), list: wheelTags(text, wanted.specifier) };
    },
  },
  {
    kind: 'unknown_package',
    steps: ['probe'],
    pattern: /404 Client Error|404 Not Found/,
    read: (_, text) => pick(missing(text)),
  },
  {
    kind: 'not_in_folders',
    steps: ['probe'],
    pattern: notFound,
    read: (_, text) => (/Fetching project page/.test(text) ? undefined : pick(missing(text))),
  },
  {
    kind: 'yanked',
    pattern: notFound,
    read: (_, text) => {
      const wanted = missing(text);
      const fitting = wanted?.versions.filter((version) => versionFits(version, wanted.specifier)) ?? [];
      return wanted === undefined || fitting.length === 0 ? undefined : { ...pick(wanted), list: fitting };
    },
  },
  {
    kind: 'version_missing',
    pattern: notFound,
    read: (_, text) => {
      const wanted = missing(text);
      return wanted === undefined || wanted.versions.length === 0
        ? undefined
        : { ...pick(wanted), list: wanted.versions };
    },
  },
  { kind: 'not_found', pattern: notFound, read: (_, text) => pick(missing(text)) },
];

function pick(wanted: Facts | undefined): Facts | undefined {
  return wanted === undefined
    ? undefined
    : { package: wanted.package ?? null, requirement: wanted.requirement ?? null };
}

/** The tags of wheels that exist for a fitting version and not for here, such as `cp39-cp39-win_amd64`; at most 200. */
function wheelTags(text: string, specifier: string): string[] {
  const found = new Set<string>();
  const pattern = /none of the wheel's tags \(([^)]*)\) are compatible[^\n]*?\/[\w.]+-(\d[^-/\s]*)-[^/\s]*\.whl/g;
  for (const [, tags = '', version = ''] of text.matchAll(pattern)) {
    if (!versionFits(version, specifier)) continue;
    for (const tag of tags.split(/,\s*/)) if (found.size < 200) found.add(tag);
  }
  return [...found];
}
