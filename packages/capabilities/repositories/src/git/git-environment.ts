import type { GitTransport } from '../source/address.ts';

/** A password for one host, for the one git process that asks for it. */
export interface Credential {
  /** What the person calls it; the only part that may be shown. */
  readonly name: string;
  /** Name and port, as in the address. */
  readonly host: string;
  readonly username: string;
  readonly value: string;
}

/** What one git may reach: repositories of this machine, or one host through one transport. */
export interface GitAccess {
  readonly transport: 'file' | GitTransport;
  readonly host?: string;
  readonly credential?: Credential | undefined;
}

/**
 * A file and not `-c`: git drops `-c` values when it starts upload-pack. `safe.directory` is needed because checkouts
 * are often owned by another user; `protocol` refuses every transport but the one that was named, also for redirects.
 * The helper prints what this one process was given as a descriptor, and is asked for this one host alone: a password in
 * the environment could be read by every process of the same user.
 */
export function gitConfiguration({ transport, host, credential }: GitAccess): string {
  const helper =
    credential === undefined
      ? ''
      : `[credential "${transport}://${host ?? ''}"]
	helper = "!f() { test \\"$1\\" = get && cat /proc/self/fd/3; }; f"
`;
  return `[safe]
	directory = *
[core]
	hooksPath = /dev/null
	fsmonitor = false
	attributesFile = /dev/null
	excludesFile = /dev/null
	untrackedCache = false
	protectHFS = true
	protectNTFS = true
[protocol]
	allow = never
	version = 2
[protocol "${transport}"]
	allow = always
[http]
	followRedirects = initial
	lowSpeedLimit = 1
	lowSpeedTime = 20
	emptyAuth = false
[fetch]
	unpackLimit = 1
	recurseSubmodules = false
[transfer]
	bundleURI = false
	credentialsInUrl = die
[uploadpack]
	allowAnySHA1InWant = true
	allowFilter = true
[gc]
	auto = 0
[maintenance]
	auto = false
[init]
	defaultBranch = main
	templateDir =
[submodule]
	recurse = false
[advice]
	detachedHead = false
${helper}`;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Ways out of a network, and whom to trust in it. */
const NETWORK_NAMES =
  'http_proxy https_proxy all_proxy no_proxy HTTPS_PROXY ALL_PROXY NO_PROXY ' + // curl does not read HTTP_PROXY
  'SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE GIT_SSL_CAINFO GIT_SSL_CAPATH';

/** The whole environment of a git process; of the caller's only what reaching the named place needs. */
export function gitEnvironment(
  access: GitAccess,
  place: { readonly home: string; readonly configFile: string; readonly env: Environment },
): Record<string, string> {
  const { home, configFile, env } = place;
  const isHttp = access.transport === 'http' || access.transport === 'https';
  return {
    PATH: env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: configFile,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: access.transport,
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    SSH_ASKPASS: '/bin/false',
    ...(isHttp ? picked(env, NETWORK_NAMES.split(' ')) : {}),
    ...(access.transport === 'ssh' ? { ...picked(env, ['SSH_AUTH_SOCK', 'USER', 'LOGNAME']), ...ssh } : {}),
  };
}

/**
 * The person's keys, agent and ~/.ssh/config, without questions, without forwarding anything to the host, and with the
 * host's key checked whatever that file says.
 */
const ssh = {
  GIT_SSH_VARIANT: 'ssh',
  GIT_SSH_COMMAND:
    'ssh -o BatchMode=yes -o StrictHostKeyChecking=yes -o ForwardAgent=no -o ForwardX11=no ' +
    '-o ClearAllForwardings=yes -o PermitLocalCommand=no -o ConnectTimeout=15 -o ServerAliveInterval=10',
  SSH_ASKPASS_REQUIRE: 'never',
};

function picked(env: Environment, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = env[name];
    if (value !== undefined && value !== '') found[name] = value;
  }
  return found;
}
