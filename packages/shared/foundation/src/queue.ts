/**
 * A bounded queue between a producer that must not wait and one async consumer.
 * When it is full, `push` returns false and the queue ends with `overflowed` set: the consumer is told to resume
 * from what it has seen instead of the producer growing without bound.
 */
export class BoundedQueue<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  readonly #limit: number;
  #wake: (() => void) | undefined;
  #closed = false;
  overflowed = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#items.length;
  }

  push(item: T): boolean {
    if (this.#closed) return false;
    if (this.#items.length >= this.#limit) {
      this.overflowed = true;
      this.close();
      return false;
    }
    this.#items.push(item);
    this.#notify();
    return true;
  }

  /** No more items; what is queued is still delivered. */
  close(): void {
    this.#closed = true;
    this.#notify();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift()!;
      if (this.#closed) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
