import { existsSync, realpathSync, statSync } from 'node:fs';
import type { EgressPolicy, HostCredential, Mount, UpstreamProxies } from '@assay/sandbox';
import { certificatesIn } from './certificates.ts';
import { localPath, type PipSettings } from './pip-settings.ts';
import type { SecretGrant } from './secret-grant.ts';

/** What the installer gets inside the sandbox so that it finds the packages this person's pip finds. */
export interface IndexAccess {
  /** Undefined when everything comes from folders: then there is no network at all. */
  readonly policy: EgressPolicy | undefined;
  readonly mounts: readonly Mount[];
  readonly env: Readonly<Record<string, string>>;
  /** Without user names and passwords; part of what identifies an environment. */
  readonly indexes: readonly string[];
  /** `host:port` by which the installer reaches a host whose secret is added outside, and the real one. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

const MAX_PATHS = 20;
/** Port of a plain name for a host with TLS: one that no index has in practice; the next is taken where one does. */
const FIRST_NAME = 59_080;
const ports: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

type Environment = Readonly<Record<string, string | undefined>>;

export interface AccessOptions {
  readonly settings: PipSettings;
  readonly grants: readonly SecretGrant[];
  readonly env: Environment;
  /** The host that pip's own index serves files from, by pip's own constants. */
  readonly defaultFileHost: string | null;
}

/** Builds the policy, the mounts and the variables from a configuration. Nothing that it does not name is reachable. */
export function indexAccess(options: AccessOptions): IndexAccess {
  const { settings } = options;
  const notes = settings.leftOut.map((name) => `the pip setting "${name}" is not taken over`);
  const folders = new Folders(notes);
  const indexes = new Addresses(options, notes);
  const take = (address: string): string[] => {
    const path = localPath(address);
    if (path === undefined) return indexes.take(address);
    const inside = folders.take(path, 'index');
    return inside === undefined ? [] : [`file://${inside}`];
  };
  const index = settings.indexUrl === undefined ? [] : take(settings.indexUrl);
  const extra = settings.extraIndexUrls.flatMap(take);
  const links = [
    ...settings.findLinksPaths.flatMap((path) => folders.take(path, 'find-links') ?? []),
    ...settings.findLinksUrls.flatMap(take),
  ];
  const constraints = [
    ...settings.constraintPaths.flatMap((path) => folders.take(path, 'constraint') ?? []),
    ...settings.constraintUrls.flatMap(take),
  ];
  const cert = settings.cert === undefined ? undefined : folders.take(settings.cert, 'cert');
  const hosts = [...indexes.hosts];
  if (settings.isDefaultIndex && index.length > 0 && options.defaultFileHost !== null)
    hosts.push(`${options.defaultFileHost}:443`);
  const credentials = indexes.credentials;
  const upstream = upstreamProxies(settings.proxy, options.env);
  return {
    // What a person configured may stand in their own network.
    policy:
      hosts.length === 0
        ? undefined
        : { allow: hosts, privateHosts: hosts, credentials, ...(upstream === undefined ? {} : { upstream }) },
    mounts: folders.mounts,
    env: {
      PIP_CONFIG_FILE: '/dev/null',
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      PIP_NO_INPUT: '1',
      PIP_NO_CACHE_DIR: '1',
      PIP_PROGRESS_BAR: 'off',
      ...(index.length === 0 ? { PIP_NO_INDEX: '1' } : { PIP_INDEX_URL: index[0]! }),
      ...listed('PIP_EXTRA_INDEX_URL', extra),
      ...listed('PIP_FIND_LINKS', links),
      ...listed('PIP_CONSTRAINT', constraints),
      // The installer speaks plainly with the proxy beside it, and that speaks TLS with those hosts.
      ...listed('PIP_TRUSTED_HOST', [...settings.trustedHosts, ...indexes.renamed.keys()]),
      ...(cert === undefined ? {} : { PIP_CERT: cert, SSL_CERT_FILE: cert, REQUESTS_CA_BUNDLE: cert }),
      ...(settings.timeoutSeconds === undefined ? {} : { PIP_TIMEOUT: String(settings.timeoutSeconds) }),
      ...(settings.retries === undefined ? {} : { PIP_RETRIES: String(settings.retries) }),
    },
    indexes: indexes.shown,
    renamed: indexes.renamed,
    notes,
  };
}

/** Files and folders of this machine, each with a place of its own inside. */
class Folders {
  readonly mounts: Mount[] = [];
  readonly #notes: string[];

  constructor(notes: string[]) {
    this.#notes = notes;
  }

  /** The path inside, or undefined with a note. */
  take(path: string, what: string): string | undefined {
    if (!existsSync(path)) {
      this.#notes.push(`the ${what} ${path} of pip's settings does not exist`);
      return undefined;
    }
    if (this.mounts.length >= MAX_PATHS) {
      this.#notes.push(`the ${what} ${path} is left out: at most ${MAX_PATHS} folders and files are shown`);
      return undefined;
    }
    const target = `/pip/${what}-${this.mounts.length}${statSync(path).isDirectory() ? '' : suffixOf(path)}`;
    this.mounts.push({ source: realpathSync(path), target, mode: 'ro' });
    return target;
  }
}

/** pip tells archives and pages by their names. */
function suffixOf(path: string): string {
  return /\.(?:html?|txt|pem|crt)$/.exec(path)?.[0] ?? '';
}

/** Addresses on the network: the hosts, and what may be shown of them. */
class Addresses {
  readonly hosts = new Set<string>();
  readonly credentials: HostCredential[] = [];
  readonly shown: string[] = [];
  readonly renamed = new Map<string, string>();
  readonly #options: AccessOptions;
  readonly #notes: string[];

  constructor(options: AccessOptions, notes: string[]) {
    this.#options = options;
    this.#notes = notes;
  }

  /** The address as the installer gets it: a granted secret is added outside, whatever the scheme. */
  take(address: string): string[] {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const port = url === undefined ? undefined : Number(url.port) || ports[url.protocol];
    if (url === undefined || port === undefined) {
      this.#notes.push(`the address ${withoutSecrets(address)} of pip's settings is not http or https and is left out`);
      return [];
    }
    const host = `${url.hostname}:${port}`;
    this.hosts.add(host);
    const grant = this.#options.grants.find(({ hosts }) => hosts.includes(host));
    const had = url.username !== '' || url.password !== '';
    url.username = url.password = '';
    this.shown.push(url.href);
    if (grant === undefined) {
      if (had)
        this.#notes.push(
          `user name and password for ${host} are left out: keep them with "assay secrets set NAME --host ${host} --for packages"`,
        );
      return [url.href];
    }
    const { user, password } = grant;
    if (url.protocol === 'http:') {
      this.#add({ host, user, password });
      if (!isLoopback(url.hostname)) this.#notes.push(`the secret ${grant.name} goes to ${host} over plain HTTP`);
      return [url.href];
    }
    const name = this.#nameFor(url.hostname, host);
    this.#add({ host: name, user, password, tls: this.#tls(url.hostname, host) });
    return [`http://${name}${url.pathname}${url.search}`];
  }

  #add(credential: HostCredential): void {
    if (this.credentials.every(({ host }) => host !== credential.host)) this.credentials.push(credential);
  }

  /** A plain name for a host with TLS: a port of it that nothing else is configured for. */
  #nameFor(hostname: string, real: string): string {
    for (const [name, target] of this.renamed) if (target === real) return name;
    let port = FIRST_NAME;
    while (this.hosts.has(`${hostname}:${port}`) || this.renamed.has(`${hostname}:${port}`)) port += 1;
    const name = `${hostname}:${port}`;
    this.renamed.set(name, real);
    return name;
  }

  #tls(hostname: string, to: string): NonNullable<HostCredential['tls']> {
    const { cert, trustedHosts } = this.#options.settings;
    const ca = cert === undefined ? undefined : certificatesIn(cert);
    const unverified = trustedHosts.some((trusted) => trusted === hostname || trusted === to);
    return { to, ...(ca === undefined ? {} : { ca }), ...(unverified ? { unverified } : {}) };
  }
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

function withoutSecrets(address: string): string {
  return address.replace(/\/\/[^/@]*@/, '//');
}

function listed(name: string, values: readonly string[]): Record<string, string> {
  return values.length === 0 ? {} : { [name]: values.join(' ') };
}

/** pip's own setting, else the variables that most programs read, in the order in which they read them. */
export function upstreamProxies(setting: string | undefined, env: Environment): UpstreamProxies | undefined {
  const first = (...names: string[]) =>
    names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
  const http = setting ?? first('http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY');
  const https = setting ?? first('https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY');
  if (http === undefined && https === undefined) return undefined;
  const noProxy = setting === undefined ? (first('no_proxy', 'NO_PROXY') ?? '') : '';
  return {
    ...(http === undefined ? {} : { http }),
    ...(https === undefined ? {} : { https }),
    noProxy: noProxy
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  };
}
