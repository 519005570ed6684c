import { AssayError } from '@assay/foundation';
import { hostPortText, normalHost, parseHostPort, type HostPort } from './host-name.ts';

export type Scheme = 'http' | 'https';

interface Rule {
  readonly host: string;
  readonly suffix: boolean;
  readonly port: number | undefined;
}

const MAX_RULES = 200;
const defaultPorts: Readonly<Record<Scheme, number>> = { http: 80, https: 443 };

/** Compiled `allow` entries. Throws `sandbox_refused` for an entry that is none, so that a slip never widens the list. */
export class AllowList {
  readonly #rules: readonly Rule[];

  constructor(entries: readonly string[]) {
    if (entries.length > MAX_RULES) throw unusable(`${entries.length} hosts`, `at most ${MAX_RULES} can be allowed`);
    this.#rules = entries.map(parseRule);
  }

  permits(target: HostPort, scheme: Scheme): boolean {
    return this.#rules.some((rule) => {
      if ((rule.port ?? defaultPorts[scheme]) !== target.port) return false;
      return rule.suffix ? target.host.endsWith(`.${rule.host}`) : target.host === rule.host;
    });
  }
}

function parseRule(entry: string): Rule {
  const suffix = entry.startsWith('.');
  const match = /^(\[[^\]]*\]|[^:]*)(:\d{1,5})?$/.exec(suffix ? entry.slice(1) : entry);
  const host = normalHost(match?.[1] ?? '');
  const port = match?.[2] === undefined ? undefined : Number(match[2].slice(1));
  if (host === undefined || port === 0 || (port ?? 0) > 65_535)
    throw unusable(JSON.stringify(entry), 'an entry is host, host:port, .suffix or .suffix:port');
  if (suffix && (!host.includes('.') || !/[a-z]/.test(host)))
    throw unusable(JSON.stringify(entry), 'a suffix needs at least two labels, such as .example.org');
  return { host, suffix, port };
}

/** The spellings of `host:port` entries, for comparing. Throws `sandbox_refused` for one without a port. */
export function exactHosts(entries: readonly string[]): ReadonlySet<string> {
  return new Set(
    entries.map((entry) => {
      const target = parseHostPort(entry);
      if (target === undefined) throw unusable(JSON.stringify(entry), 'it must be host:port');
      return hostPortText(target);
    }),
  );
}

function unusable(what: string, why: string): AssayError {
  return new AssayError('sandbox_refused', `${what} cannot be allowed on the network`, {
    why,
    hint: 'name hosts as host or host:port, such as index.example.org:443',
  });
}
