import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** An answer is used for this long. */
const FRESH_MS = 20;

/**
 * Whether no thread of the machine waits for a processor. Who then looks again at once instead of sleeping is woken sooner
 * and takes nothing from anybody; on a busy machine it would lose its turn to run when it is needed.
 */
export class SpareProcessors {
  readonly #processors = availableParallelism();
  #askedAt = Number.NEGATIVE_INFINITY;
  #spare = false;

  get any(): boolean {
    const now = performance.now();
    if (now - this.#askedAt > FRESH_MS) {
      this.#askedAt = now;
      // With a single one the other side could not run meanwhile.
      this.#spare = this.#processors > 1 && runnable() <= this.#processors;
    }
    return this.#spare;
  }
}

/** Threads that run or wait for a processor, the fourth field of /proc/loadavg; infinitely many where it is not told. */
function runnable(): number {
  try {
    return Number(/ (\d+)\/\d+ /.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
