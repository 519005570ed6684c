import type { EgressLimits } from './policy.ts';
import { refused } from './refusal.ts';

/** Counts what a session uses of its network, and says when it is enough. */
export class Meter {
  readonly #limits: EgressLimits;
  #open = 0;
  #total = 0;
  #bytes = 0;

  constructor(limits: EgressLimits) {
    this.#limits = limits;
  }

  /** Takes one connection; throws a Refusal when there are too many. Call `leave` at its end. */
  enter(): void {
    if (this.#open >= this.#limits.connections)
      throw refused(`more than ${this.#limits.connections} connections at the same time`, 429);
    if (this.#total >= this.#limits.totalConnections)
      throw refused(`more than ${this.#limits.totalConnections} connections in one session`, 429);
    if (this.#bytes > this.#limits.bytes) throw refused(this.overrun, 429);
    this.#open += 1;
    this.#total += 1;
  }

  leave(): void {
    this.#open -= 1;
  }

  /** Counts bytes; false when the session has had all it may. */
  count(bytes: number): boolean {
    this.#bytes += bytes;
    return this.#bytes <= this.#limits.bytes;
  }

  get overrun(): string {
    return `more than ${this.#limits.bytes} bytes in one session`;
  }
}
