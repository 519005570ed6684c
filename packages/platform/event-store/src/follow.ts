import type { AssayEvent } from '@assay/contracts';
import type { FollowItem, FollowOptions, Journal } from './journal.ts';
import type { Publisher } from './publisher.ts';

const DEFAULT_LIMIT = 1000;
const PAGE = 500;

/** What following needs of a journal. */
export interface Followed extends Pick<Journal, 'generation' | 'lastSeq' | 'read'> {
  readonly publisher: Publisher;
  readonly closed: boolean;
  /** Throws when there is nothing to read from: closed, or damaged at opening. */
  checkReadable(): void;
}

/**
 * Replay, then live. While replaying nothing is buffered: pages are read until the reader stands at the last published
 * event; in that same turn of the event loop it subscribes, so there is neither a gap nor a duplicate.
 */
export async function* followJournal(journal: Followed, options: FollowOptions): AsyncGenerator<FollowItem> {
  const { signal } = options;
  journal.checkReadable();
  const generation = journal.generation;
  const foreign = options.generation !== undefined && options.generation !== generation;
  if (foreign || options.after > journal.lastSeq) {
    yield { kind: 'reset', generation, reason: 'generation' };
    return;
  }
  const over = () => signal.aborted || journal.closed || journal.generation !== generation;
  const target = journal.lastSeq;
  let position = options.after;
  if (position === target) yield { kind: 'caught_up', generation, lastSeq: target };
  while (position < journal.lastSeq && !over()) {
    for (const event of await journal.read({ after: position, limit: PAGE })) {
      if (over()) break;
      yield { kind: 'event', generation, event };
      position = event.seq;
      if (position === target) yield { kind: 'caught_up', generation, lastSeq: target };
    }
  }
  if (!over()) {
    using live = new LiveTail(journal.publisher, options.limit ?? DEFAULT_LIMIT, signal);
    for await (const event of live.events(over)) yield { kind: 'event', generation, event };
  }
  if (signal.aborted || journal.closed) return;
  const reason = journal.generation === generation ? 'slow' : 'generation';
  yield { kind: 'reset', generation: journal.generation, reason };
}

/** Live events in a bounded buffer. The iteration ends when the signal aborts, on overflow or when `over()` is true. */
class LiveTail implements Disposable {
  readonly #buffer: AssayEvent[] = [];
  readonly #limit: number;
  readonly #signal: AbortSignal;
  readonly #subscriptions: readonly Disposable[];
  #overflowed = false;
  #wake: (() => void) | undefined;
  readonly #notify = () => {
    this.#wake?.();
    this.#wake = undefined;
  };

  constructor(publisher: Publisher, limit: number, signal: AbortSignal) {
    this.#limit = limit;
    this.#signal = signal;
    this.#subscriptions = [publisher.subscribe((event) => this.#push(event)), publisher.onReset(this.#notify)];
    signal.addEventListener('abort', this.#notify, { once: true });
  }

  async *events(over: () => boolean): AsyncGenerator<AssayEvent> {
    for (;;) {
      while (this.#buffer.length > 0 && !this.#signal.aborted) yield this.#buffer.shift()!;
      if (this.#signal.aborted || this.#overflowed || over()) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    this.#signal.removeEventListener('abort', this.#notify);
  }

  #push(event: AssayEvent): void {
    // After an overflow nothing more is kept: what is buffered is delivered, then the reader is told to resume.
    if (this.#overflowed) return;
    if (this.#buffer.length >= this.#limit) this.#overflowed = true;
    else this.#buffer.push(event);
    this.#notify();
  }
}
