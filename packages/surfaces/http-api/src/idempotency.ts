import { AssayError, canonicalJson, type Clock } from '@assay/foundation';
import { createHash } from 'node:crypto';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Kept {
  readonly request: string;
  readonly expiresAt: number;
  readonly answer: Promise<Answer>;
}

const MAX_KEPT = 1000;
const KEPT_MS = 24 * 3600 * 1000;
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Answers of POST requests by Idempotency-Key: the same key with the same request gives the first answer again, also
 * while the first is still being made. The newest 1,000 answers of a day are kept in memory; a restart forgets them.
 */
export class IdempotencyStore {
  readonly #kept = new Map<string, Kept>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Runs `work` once per key. Answers of our own faults (5xx) are not kept, so a retry can succeed. */
  run(
    key: string,
    request: { readonly owner: string; readonly path: string; readonly body: unknown },
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    if (!IDEMPOTENCY_KEY.test(key))
      throw new AssayError('invalid_request', 'the Idempotency-Key is not valid', {
        hint: 'use 1 to 255 printable ASCII characters without spaces, such as a UUID',
      });
    const id = `${request.owner} ${key}`;
    const fingerprint = createHash('sha256')
      .update(canonicalJson([request.path, request.body ?? null]))
      .digest('hex');
    const kept = this.#kept.get(id);
    if (kept !== undefined && kept.expiresAt > this.#clock.now()) {
      if (kept.request === fingerprint) return kept.answer;
      throw new AssayError('idempotency_mismatch', 'this Idempotency-Key was used for another request', {
        hint: 'use a new key for a new request',
      });
    }
    return this.#start(id, fingerprint, work);
  }

  #start(id: string, request: string, work: () => Promise<Answer>): Promise<Answer> {
    const answer = work();
    this.#kept.delete(id);
    this.#kept.set(id, { request, expiresAt: this.#clock.now() + KEPT_MS, answer });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    const forget = () => {
      if (this.#kept.get(id)?.answer === answer) this.#kept.delete(id);
    };
    void answer.then((made) => (made.status >= 500 ? forget() : undefined), forget);
    return answer;
  }
}
