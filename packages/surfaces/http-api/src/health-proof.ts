import { createHmac } from 'node:crypto';

/** Proves that the daemon knows the token of its home without saying it; the command line asks before it sends its own. */
export function healthProof(token: string, challenge: string): string {
  return createHmac('sha256', token).update(`assay-health:${challenge}`).digest('hex');
}
