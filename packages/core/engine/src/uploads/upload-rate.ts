import { AssayError, type Clock } from '@assay/foundation';

const MINUTE_MS = 60_000;
const MOST_OWNERS = 10_000;

/** How often owners begin to send within a minute. */
export class UploadRate {
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #began = new Map<string, number[]>();

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
  }

  /** Counts one; throws `too_many_requests` when there were too many. */
  take(ownerId: string): void {
    const now = this.#clock.now();
    const recent = (this.#began.get(ownerId) ?? []).filter((at) => at > now - MINUTE_MS);
    if (recent.length >= this.#perMinute) {
      const seconds = Math.ceil((recent[0]! + MINUTE_MS - now) / 1000);
      throw new AssayError('too_many_requests', 'too many files were sent within a minute', {
        why: `one user may begin ${this.#perMinute} a minute (uploads.per_minute)`,
        hint: `go on in ${seconds} s`,
        details: { retryAfterSeconds: seconds },
      });
    }
    this.#began.delete(ownerId);
    this.#began.set(ownerId, [...recent, now]);
    for (const oldest of this.#began.keys()) {
      if (this.#began.size <= MOST_OWNERS) break;
      this.#began.delete(oldest);
    }
  }
}
