import { AssayError } from '@assay/foundation';
import { parseHostPort, type HostPort } from './host-name.ts';
import type { Scheme } from './allow-list.ts';
import type { UpstreamProxies } from './policy.ts';

export interface Upstream extends HostPort {
  /** Whether the proxy itself is spoken to through TLS. */
  readonly tls: boolean;
  /** Value of Proxy-Authorization. */
  readonly authorization: string | undefined;
}

/** Finds the person's proxy for a target. Throws `config_invalid` for an address that is no HTTP proxy. */
export class UpstreamChoice {
  readonly #proxies: Readonly<Partial<Record<Scheme, Upstream>>>;
  readonly #direct: readonly string[];

  constructor(proxies: UpstreamProxies | undefined) {
    this.#proxies = {
      ...(proxies?.http === undefined ? {} : { http: parseUpstream(proxies.http) }),
      ...(proxies?.https === undefined ? {} : { https: parseUpstream(proxies.https) }),
    };
    this.#direct = (proxies?.noProxy ?? []).map((entry) => entry.toLowerCase());
  }

  /** Undefined: connect directly. */
  for(target: HostPort, scheme: Scheme): Upstream | undefined {
    return this.#direct.some((entry) => matches(entry, target)) ? undefined : this.#proxies[scheme];
  }
}

function parseUpstream(text: string): Upstream {
  const full = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : null;
  const tls = url?.protocol === 'https:';
  const target = url === null ? undefined : parseHostPort(url.hostname, Number(url.port) || (tls ? 443 : 80));
  if (url === null || target === undefined || (!tls && url.protocol !== 'http:'))
    throw new AssayError('config_invalid', 'the proxy of this machine cannot be used', {
      why: `${url === null ? 'it' : `${url.protocol}//${url.host}`} is not an HTTP proxy`,
      hint: 'set HTTPS_PROXY to an address such as http://proxy.example:3128, or unset it',
    });
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization = url.username === '' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  return { ...target, tls, authorization };
}

/** As most programs read NO_PROXY: `*`, a name and everything below it, with or without a leading dot, with a port. */
function matches(entry: string, target: HostPort): boolean {
  if (entry === '*') return true;
  const match = /^(?:\*?\.)?(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry);
  const name = match?.[1]?.replace(/^\[|\]$/g, '');
  if (name === undefined || name === '' || (match?.[2] !== undefined && Number(match[2]) !== target.port)) return false;
  return target.host === name || target.host.endsWith(`.${name}`);
}
