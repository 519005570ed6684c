import { randomBytes } from 'node:crypto';
import { AssayError, type Clock } from '@assay/foundation';

export const LINK_MINUTES = 10;
/** Links that nobody opened; the oldest go first. */
const MOST_OPEN = 100;

/** Codes of one-time links: 256 bits, one use, ten minutes, gone with the daemon. */
export class LinkCodes {
  readonly #clock: Clock;
  readonly #expiry = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  create(): { readonly code: string; readonly expiresAt: number } {
    const code = randomBytes(32).toString('base64url');
    const expiresAt = this.#clock.now() + LINK_MINUTES * 60_000;
    this.#expiry.set(code, expiresAt);
    for (const oldest of this.#expiry.keys()) if (this.#expiry.size > MOST_OPEN) this.#expiry.delete(oldest);
    return { code, expiresAt };
  }

  /** Throws `unauthorized` for a code that is unknown, used or too old. */
  redeem(code: string): void {
    const expiresAt = this.#expiry.get(code);
    this.#expiry.delete(code);
    if (expiresAt === undefined || expiresAt < this.#clock.now())
      throw new AssayError('unauthorized', 'this link has been used or is too old', {
        why: `a link opens the page once, within ${LINK_MINUTES} minutes`,
        hint: 'run "assay up" for a new one',
      });
  }
}
