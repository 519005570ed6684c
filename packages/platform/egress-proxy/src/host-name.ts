import { isIPv4, isIPv6 } from 'node:net';

/** Where a connection should go. IPv6 addresses stand without brackets. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_NAME = 253;
const MAX_PORT = 65_535;

/**
 * The one spelling of a host: a lower-case name, a dotted IPv4 address, or an IPv6 address. Undefined for anything else:
 * `2130706433`, `0177.0.0.1` and `0x7f.1` are addresses to some resolvers and names to others.
 */
export function normalHost(text: string): string | undefined {
  const host = text.toLowerCase();
  if (host.startsWith('[') && host.endsWith(']')) return normalIPv6(host.slice(1, -1));
  if (isIPv4(host)) return host;
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  if (name.length === 0 || name.length > MAX_NAME) return undefined;
  const labels = name.split('.');
  if (!labels.every((label) => LABEL.test(label))) return undefined;
  // A last label that reads as a number makes the whole an address to the URL standard and to getaddrinfo.
  return /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!) ? undefined : name;
}

function normalIPv6(text: string): string | undefined {
  if (!isIPv6(text) || text.includes('%')) return undefined;
  return new URL(`http://[${text}]/`).hostname.slice(1, -1);
}

/** `host:port` with the port required, or defaulted when one is given. */
export function parseHostPort(text: string, defaultPort?: number): HostPort | undefined {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text);
  const host = match?.[1] === undefined ? undefined : normalHost(match[1]);
  const port = match?.[2] === undefined ? defaultPort : Number(match[2]);
  if (host === undefined || port === undefined || port < 1 || port > MAX_PORT) return undefined;
  return { host, port };
}

/** `host:port` as people and logs write it. */
export function hostPortText({ host, port }: HostPort): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
