import { AssayError } from '@assay/foundation';
import type { GitAddress } from '../source/address.ts';

export const remoteFailureKinds = [
  'name_not_resolved',
  'certificate',
  'host_key',
  'proxy',
  'credentials',
  'not_found',
  'not_git',
  'redirected',
  'no_ssh',
  'disk_full',
  'busy',
  'not_reached',
] as const;
export type RemoteFailureKind = (typeof remoteFailureKinds)[number];

/** In the order in which they are tried: one failure often prints the words of a later kind too. */
const words: readonly (readonly [RemoteFailureKind, RegExp])[] = [
  ['disk_full', /no space left on device|disk quota exceeded/i],
  ['no_ssh', /cannot run ssh|ssh: (not found|command not found)/i],
  ['proxy', /from proxy|resolve proxy|proxy authentication|proxy connect/i],
  ['name_not_resolved', /could not resolve host|name or service not known|temporary failure in name resolution/i],
  ['host_key', /host key verification failed|remote host identification has changed|no .*host key is known/i],
  [
    'certificate',
    /ssl certificate|certificate (verif|subject|has expired|problem)|verification failed|gnutls_handshake|ssl routines|ssl_connect|tls connect error|wrong version number|schannel|setting certificate/i,
  ],
  ['redirected', /transport '[^']*' not allowed|redirect|protocol .* (disabled|not supported)/i],
  [
    'credentials',
    /authentication failed|could not read (username|password)|returned error: 40[13]\b|permission denied \(|access denied|terminal prompts disabled/i,
  ],
  ['busy', /returned error: (429|5\d\d)\b|rate limit/i],
  ['not_found', /not found|returned error: 4(04|10)\b|does not exist|no such file/i],
  [
    'not_git',
    /is this a git repository|not appear to be a git repository|invalid index-pack|bad line length|protocol error/i,
  ],
  [
    'not_reached',
    /connection (refused|reset|timed out|closed)|connect to|connection to .* failed|operation (timed out|too slow)|unreachable|no route to host|hung up unexpectedly|early eof|rpc failed|empty reply|recv failure|send failure/i,
  ],
];

/** What git's words mean; undefined when they are none of these. */
export function remoteFailureKind(stderr: string): RemoteFailureKind | undefined {
  return words.find(([, pattern]) => pattern.test(stderr))?.[0];
}

/** What a git that could not read a remote repository means for a person. */
export function remoteFailure(address: GitAddress, stderr: string, secret: string | undefined): AssayError {
  const kind = remoteFailureKind(stderr);
  const { url, host } = address;
  const why = tellingLine(stderr);
  const make = (code: string, message: string, hint: string) =>
    new AssayError(code, message, { why, hint, details: { url, ...(kind === undefined ? {} : { kind }) } });
  switch (kind) {
    case 'name_not_resolved':
      return make(
        'repository_unreachable',
        `the host ${host} was not found`,
        'check the spelling of the address and the network of this machine',
      );
    case 'certificate':
      return make(
        'repository_unreachable',
        `the certificate of ${host} is not trusted`,
        'check the address; a host with a certificate of your own is trusted when GIT_SSL_CAINFO names its CA file where the daemon is started',
      );
    case 'host_key':
      return make(
        'repository_auth',
        `the ssh key of ${host} is not known or has changed`,
        `connect once by hand (ssh ${host}) and compare the key with the one that the host publishes; then try again`,
      );
    case 'proxy':
      return make(
        'repository_unreachable',
        `the proxy on the way to ${host} refused`,
        'check https_proxy and no_proxy where the daemon is started',
      );
    case 'credentials':
      return make('repository_auth', refusedMessage(address, secret), accessHint(address, secret));
    case 'not_found':
      return make(
        'repository_missing',
        `there is no repository ${url}`,
        `check the address; a private repository also looks like this: ${accessHint(address, secret)}`,
      );
    case 'not_git':
      return make(
        'repository_missing',
        `there is no git repository behind ${url}`,
        'give the address that the host shows for cloning, not the one of a web page',
      );
    case 'redirected':
      return make(
        'repository_unsupported',
        `${url} leads to an address that is not followed`,
        'give the address that it leads to, when you trust it',
      );
    case 'no_ssh':
      return make(
        'not_configured',
        'ssh is not installed',
        'install it (Debian, Ubuntu: apt install openssh-client), or give the https address',
      );
    case 'disk_full':
      return make(
        'disk_full',
        `there is no room on the disk for ${url}`,
        'free space in the home of Assay and try again',
      );
    case 'busy':
      return make(
        'repository_unreachable',
        `${host} does not answer now`,
        'it is overloaded or limits how often it is asked: wait some minutes and retry the task',
      );
    case 'not_reached':
      return make(
        'repository_unreachable',
        `${host} cannot be reached`,
        'check the address, the port and the network of this machine, then retry the task',
      );
    default:
      return make(
        'repository_unreadable',
        `git cannot read ${url}`,
        'clone it by hand (git clone --depth 1) to see what is wrong, and give the clone',
      );
  }
}

function refusedMessage({ url, host, transport }: GitAddress, secret: string | undefined): string {
  if (transport === 'ssh') return `${host} accepts none of the ssh keys of this user`;
  return secret === undefined ? `${url} asks for a password` : `${host} refuses the secret ${secret}`;
}

function accessHint({ host, transport }: GitAddress, secret: string | undefined): string {
  if (transport === 'ssh')
    return 'add a key to the ssh agent of the user who starts the daemon, and its public part to the host';
  if (secret !== undefined)
    return `check that the token is valid and may read this repository, and set it again: assay secrets set ${secret} --host ${host}`;
  return `make a token that may read it, keep it with "assay secrets set NAME --host ${host}", and add --secret NAME`;
}

/** Git's own reason: the last line that says what failed. */
function tellingLine(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => /^(fatal|error|ssh|remote|ERROR|Host key)|denied/.test(line));
  const chosen = telling.findLast(
    (line) => /^(fatal|ERROR|Host key)|denied/.test(line) && !/could not read from remote/i.test(line),
  );
  return (chosen ?? telling.at(-1) ?? lines.at(-1) ?? 'git gave no reason').slice(0, 300);
}
