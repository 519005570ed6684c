import { errorText, type Logger } from '@assay/foundation';
import type { AssayEvent } from '@assay/contracts';

/** Hands published events to listeners in order. A failing listener is logged and does not stop the others. */
export class Publisher {
  readonly #listeners = new Set<(event: AssayEvent) => void>();
  readonly #resets = new Set<() => void>();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  subscribe(listener: (event: AssayEvent) => void): Disposable {
    // A wrapper of its own: the same function may subscribe twice.
    const own = (event: AssayEvent) => listener(event);
    this.#listeners.add(own);
    return { [Symbol.dispose]: () => void this.#listeners.delete(own) };
  }

  /** Called when a tail was cut or the journal is closed: followers must look again. */
  onReset(listener: () => void): Disposable {
    this.#resets.add(listener);
    return { [Symbol.dispose]: () => void this.#resets.delete(listener) };
  }

  publish(events: readonly AssayEvent[]): void {
    if (this.#listeners.size === 0) return;
    for (const event of events)
      for (const listener of this.#listeners)
        try {
          listener(event);
        } catch (error) {
          this.#logger.log('error', 'a subscriber of a journal failed', {
            quest: event.quest,
            seq: event.seq,
            error: errorText(error),
          });
        }
  }

  reset(): void {
    for (const listener of this.#resets) listener();
  }
}
