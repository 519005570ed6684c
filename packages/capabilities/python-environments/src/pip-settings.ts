import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PipFacts } from './pip-facts.ts';

/** A person's pip configuration, as far as it says where packages come from. */
export interface PipSettings {
  /** Undefined with `no-index`. May hold a user name and a password. */
  readonly indexUrl: string | undefined;
  readonly extraIndexUrls: readonly string[];
  /** Folders and files of this machine. */
  readonly findLinksPaths: readonly string[];
  readonly findLinksUrls: readonly string[];
  readonly constraintPaths: readonly string[];
  readonly constraintUrls: readonly string[];
  /** File or folder of certificates. */
  readonly cert: string | undefined;
  readonly trustedHosts: readonly string[];
  readonly proxy: string | undefined;
  readonly timeoutSeconds: number | undefined;
  readonly retries: number | undefined;
  /** True when the index is the one that pip brings itself. */
  readonly isDefaultIndex: boolean;
  /** Names of settings that are not taken over. */
  readonly leftOut: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What changes how pip talks, not what it installs. */
const harmless = new Set([
  'config-file',
  'disable-pip-version-check',
  'no-input',
  'no-color',
  'progress-bar',
  'cache-dir',
  'no-cache-dir',
  'quiet',
  'verbose',
  'root-user-action',
  'no-python-version-warning',
]);
const certificateVariables = ['REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'SSL_CERT_FILE'];

/** Reads `pip config list`: what the environment says wins over the section `install`, and that over `global`. */
export function pipSettings(facts: PipFacts, env: Environment): PipSettings {
  const { settings } = facts;
  const used = new Set<string>();
  const get = (name: string): string | undefined => {
    used.add(name);
    return [`:env:.${name}`, `install.${name}`, `global.${name}`]
      .map((key) => settings[key])
      .find((value) => value !== undefined);
  };
  const words = (name: string) => (get(name) ?? '').split(/\s+/).filter((word) => word !== '');
  const noIndex = isTrue(get('no-index'));
  const configured = get('index-url') ?? get('pypi-url');
  const [extra, links, constraints] = [words('extra-index-url'), words('find-links'), words('constraint')];
  const cert =
    get('cert') ?? certificateVariables.map((name) => env[name]).find((value) => value !== undefined && value !== '');
  const timeout = get('timeout') ?? get('default-timeout');
  const parts = {
    findLinksPaths: links.flatMap((link) => localPath(link) ?? []),
    findLinksUrls: links.filter((link) => localPath(link) === undefined),
    constraintPaths: constraints.flatMap((link) => localPath(link) ?? []),
    constraintUrls: constraints.filter((link) => localPath(link) === undefined),
    trustedHosts: words('trusted-host'),
    proxy: get('proxy'),
    timeoutSeconds: positive(timeout),
    retries: positive(get('retries')),
  };
  return {
    ...parts,
    indexUrl: noIndex ? undefined : (configured ?? facts.defaultIndex ?? undefined),
    extraIndexUrls: noIndex ? [] : extra,
    cert: cert === undefined ? undefined : expandUser(cert),
    isDefaultIndex: !noIndex && (configured === undefined || sameUrl(configured, facts.defaultIndex)),
    leftOut: leftOut(settings, used),
  };
}

function leftOut(settings: Readonly<Record<string, string>>, used: ReadonlySet<string>): string[] {
  const names = Object.keys(settings).flatMap((key) => /^(?::env:|install|global)\.(.+)$/.exec(key)?.[1] ?? []);
  return [...new Set(names)].filter((name) => !used.has(name) && !harmless.has(name)).sort();
}

/** The path of a link that is a path or a file: address; undefined for another address. */
export function localPath(link: string): string | undefined {
  if (link.startsWith('file://')) return fileURLToPath(link);
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return undefined;
  return resolve('/', expandUser(link));
}

function expandUser(path: string): string {
  return path === '~' || path.startsWith('~/') ? `${homedir()}${path.slice(1)}` : path;
}

function isTrue(text: string | undefined): boolean {
  return text !== undefined && ['1', 'true', 'yes', 'on', 'y', 't'].includes(text.toLowerCase());
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text);
  return text !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function sameUrl(a: string, b: string | null): boolean {
  return b !== null && a.replace(/\/+$/, '') === b.replace(/\/+$/, '');
}
