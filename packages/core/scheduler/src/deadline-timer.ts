import type { Clock } from '@assay/foundation';

/** Timers of Node overflow beyond 24.8 days; a day at a time is far from it. */
const LONGEST_SLEEP_MS = 86_400_000;

interface Armed {
  readonly at: number;
  readonly stop: AbortController;
}

/** Wakes at the next deadline. A later deadline leaves an earlier timer alone: waking too early is harmless. */
export class DeadlineTimer {
  readonly #clock: Clock;
  readonly #wake: () => void;
  #armed: Armed | undefined;

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  /** Milliseconds of the deadline, or null for none. */
  arm(deadline: number | null): void {
    if (deadline === null) {
      this.stop();
      return;
    }
    const now = this.#clock.now();
    const at = Math.min(Math.max(deadline, now), now + LONGEST_SLEEP_MS);
    if (this.#armed !== undefined && this.#armed.at <= at) return;
    this.stop();
    this.#armed = { at, stop: new AbortController() };
    void this.#sleep(this.#armed, at - now);
  }

  stop(): void {
    this.#armed?.stop.abort(new Error('not needed any more'));
    this.#armed = undefined;
  }

  async #sleep(armed: Armed, ms: number): Promise<void> {
    try {
      await this.#clock.sleep(ms, armed.stop.signal);
    } catch {
      return;
    }
    if (this.#armed === armed) this.#armed = undefined;
    this.#wake();
  }
}
