import { AssayError } from '@assay/foundation';
import type { RepositoryAddress } from './address.ts';

/** The host that a secret may be sent to for this address. Throws `secret_refused` where none may be sent. */
export function requireSecretPlace(address: RepositoryAddress, secret: string): string {
  if (address.kind !== 'git')
    throw refused(
      secret,
      'a secret opens an https address, and this is a path or a package',
      'leave --secret out; a password for an index is kept with "assay secrets set NAME --host HOST --for packages"',
    );
  if (address.transport === 'ssh')
    throw refused(
      secret,
      'ssh uses the keys and the agent of the user who starts the daemon',
      'leave --secret out, or give the https address',
    );
  if (address.transport === 'http' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(address.host))
    throw refused(secret, `http sends it over the network for everyone to read`, 'give the https address');
  return address.host;
}

function refused(secret: string, why: string, hint: string): AssayError {
  return new AssayError('secret_refused', `the secret ${secret} is not sent there`, { why, hint });
}
