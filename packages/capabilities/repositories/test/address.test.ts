import { describe, expect, it } from 'vitest';
import type { AssayError } from '@assay/foundation';
import { verifies } from '@assay/testkit';
import { remoteFailureKind, type RemoteFailureKind } from '../src/git/remote-failure.ts';
import { nearNames } from '../src/near-names.ts';
import { parseAddress, requireSecretPlace } from '../src/index.ts';

function failure(given: string): AssayError {
  try {
    parseAddress(given);
  } catch (error) {
    return error as AssayError;
  }
  return expect.fail(`${given} was not refused`);
}

describe('what a person writes for a repository', () => {
  const git = (
    transport: string,
    url: string,
    rest: { readonly host: string; readonly [member: string]: unknown },
  ) => ({
    kind: 'git',
    transport,
    url,
    revision: null,
    subfolder: null,
    ...rest,
  });
  it.each<readonly [string, object]>([
    ['./model', { kind: 'path', path: './model', mustBeGit: false, revision: null, subfolder: null }],
    ['/data/a@b:c', { kind: 'path', path: '/data/a@b:c', mustBeGit: false, revision: null, subfolder: null }],
    ['file:///data/a%20b', { kind: 'path', path: '/data/a b', mustBeGit: true, revision: null, subfolder: null }],
    ['git+file:///data/r@v1', { kind: 'path', path: '/data/r', mustBeGit: true, revision: 'v1', subfolder: null }],
    ['https://h.org/o/n.git', git('https', 'https://h.org/o/n.git', { host: 'h.org' })],
    ['https://H.org:8443/o/n/', git('https', 'https://H.org:8443/o/n', { host: 'h.org:8443' })],
    [
      'git+https://h.org/o/n@v1.2#subdirectory=a/b',
      git('https', 'https://h.org/o/n', { host: 'h.org', revision: 'v1.2', subfolder: 'a/b' }),
    ],
    [
      'https://h.org/o/n.git@feature/x',
      git('https', 'https://h.org/o/n.git', { host: 'h.org', revision: 'feature/x' }),
    ],
    ['https://h.org/@scope/n#egg=n', git('https', 'https://h.org/@scope/n', { host: 'h.org' })],
    ['ssh://git@h.org:22/o/n.git@v1', git('ssh', 'ssh://git@h.org:22/o/n.git', { host: 'h.org:22', revision: 'v1' })],
    ['git@h.org:o/n.git', git('ssh', 'git@h.org:o/n.git', { host: 'h.org' })],
    ['git@h.org:o/n.git@v1', git('ssh', 'git@h.org:o/n.git', { host: 'h.org', revision: 'v1' })],
    ['h.org:o/n', git('ssh', 'h.org:o/n', { host: 'h.org' })],
    ['pypi:Some_Package', { kind: 'package', name: 'some-package', version: null }],
    ['pypi:a.b==1.0rc1', { kind: 'package', name: 'a-b', version: '1.0rc1' }],
  ])('%s', (given, expected) => {
    verifies('repository.addresses');
    expect(parseAddress(given)).toEqual(expected);
  });

  it.each<readonly [string, string]>([
    ['ext::sh -c id', 'repository_unsupported'],
    ['ftp://h.org/a', 'repository_unsupported'],
    ['git://h.org/a', 'repository_unsupported'],
    ['gh:o/n', 'repository_unsupported'],
    ['https://h.org', 'invalid_request'],
    ['https://h.org/a@b@c', 'invalid_request'],
    ['https://h.org/a?token=x', 'invalid_request'],
    ['https://h.org/a#x=1', 'invalid_request'],
    ['ssh://-oProxyCommand=id/a', 'invalid_request'],
    ['-oProxyCommand=id@h.org:a', 'invalid_request'],
    ['git@h.org:-x', 'invalid_request'],
    ['file://other/a', 'invalid_request'],
    ['https://h.org/a\nb', 'invalid_request'],
    ['pypi:a[extra]', 'invalid_request'],
    ['pypi:a>=1', 'invalid_request'],
    ['pypi:', 'invalid_request'],
  ])('%j is refused as %s', (given, code) => {
    verifies('repository.addresses');
    expect(failure(given)).toMatchObject({ code });
    expect(failure(given).hint).not.toBe('');
  });

  it.each([
    'https://ada:pA55word@h.org/a',
    'https://pA55word@h.org/a',
    'git+https://ada:pA55word@h.org/a@v1',
    'ssh://ada:pA55word@h.org/a',
    'ftp://ada:pA55word@h.org/a',
    'https://h.org/a?password=pA55word',
    'file://ada:pA55word@h.org/a',
  ])('a password is not repeated: %s', (given) => {
    verifies('repository.no-passwords-in-addresses');
    const { message, why, hint, details } = failure(given);
    expect(JSON.stringify([message, why, hint, details])).not.toContain('pA55word');
  });
});

describe('a secret', () => {
  it.each<readonly [string, string | null]>([
    ['https://h.org/a', 'h.org'],
    ['https://h.org:8443/a', 'h.org:8443'],
    ['http://127.0.0.1:80/a', '127.0.0.1'],
    ['http://h.org/a', null],
    ['git@h.org:a', null],
    ['pypi:a', null],
    ['/a', null],
  ])('for %s goes to %s', (given, host) => {
    verifies('repository.secrets');
    if (host === null)
      expect(() => requireSecretPlace(parseAddress(given), 'team')).toThrow('the secret team is not sent there');
    else expect(requireSecretPlace(parseAddress(given), 'team')).toBe(host);
  });
});

describe('what git says of a repository that it cannot read', () => {
  it.each<readonly [string, RemoteFailureKind | undefined]>([
    ["fatal: unable to access 'https://h/a/': Could not resolve host: h", 'name_not_resolved'],
    ['ssh: Could not resolve hostname h: Name or service not known', 'name_not_resolved'],
    ["fatal: unable to access 'https://h/': SSL certificate problem: self-signed certificate", 'certificate'],
    ["fatal: unable to access 'https://h/': server certificate verification failed. CAfile: none", 'certificate'],
    ["fatal: unable to access 'https://h/': gnutls_handshake() failed: Error in the pull function.", 'certificate'],
    ['Host key verification failed.\nfatal: Could not read from remote repository.', 'host_key'],
    ['No ED25519 host key is known for h and you have requested strict checking.', 'host_key'],
    ["fatal: unable to access 'https://h/': Received HTTP code 407 from proxy after CONNECT", 'proxy'],
    ["fatal: could not read Username for 'https://h': terminal prompts disabled", 'credentials'],
    ["fatal: Authentication failed for 'https://h/a/'", 'credentials'],
    ["fatal: unable to access 'https://h/a/': The requested URL returned error: 403", 'credentials'],
    ['git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.', 'credentials'],
    ["fatal: repository 'https://h/a/' not found", 'not_found'],
    ['ERROR: Repository not found.\nfatal: Could not read from remote repository.', 'not_found'],
    ["fatal: '/a' does not appear to be a git repository", 'not_git'],
    ["fatal: transport 'file' not allowed", 'redirected'],
    ["fatal: unable to access 'https://h/': The requested URL returned error: 503", 'busy'],
    ["fatal: unable to access 'https://h/': Failed to connect to h port 443: Connection refused", 'not_reached'],
    ['fatal: the remote end hung up unexpectedly', 'not_reached'],
    ['error: RPC failed; curl 56 Recv failure: Connection reset by peer', 'not_reached'],
    ['fatal: write error: No space left on device', 'disk_full'],
    ['error: cannot run ssh: No such file or directory', 'no_ssh'],
    ["error: invalid path '.git/config'", undefined],
  ])('%s', (stderr, kind) => {
    verifies('repository.remote-failures');
    expect(remoteFailureKind(stderr)).toBe(kind);
  });
});

describe('near names', () => {
  it('come first', () => {
    expect(nearNames('devlop', ['main', 'release/1.0', 'develop', 'feature'], 1)).toEqual(['develop']);
    expect(nearNames('1.0', ['main', 'release/1.0'], 1)).toEqual(['release/1.0']);
  });
});
