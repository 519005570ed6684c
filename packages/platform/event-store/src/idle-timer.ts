/** Calls once after a quiet time. Holds no process open. */
export class IdleTimer {
  readonly #ms: number;
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, onIdle: () => void) {
    this.#ms = ms;
    this.#onIdle = onIdle;
  }

  touch(): void {
    if (this.#timer === undefined) this.#timer = setTimeout(this.#onIdle, this.#ms).unref();
    else this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
