/** Batches that may be on their way to the disk at once; more, and larger ones, go by message. */
const SLOTS = 8;
const SLOT_BYTES = 256 * 1024;

/** Grows with everything that the thread is asked: the word that it sleeps on. */
const ASKED = 0;
/** How many batches were placed. */
const PLACED = 1;
/** How many of them were finished. */
const FINISHED = 2;
/** 1 while the asking side waits for a message. */
const ASKER_SLEEPS = 3;
/** 1 while processors are idle, so that looking again at once takes nothing from anybody. */
const SPARE = 4;
/** 1 while the thread sleeps: only then must it be woken, which costs as much as encoding a line. */
const THREAD_SLEEPS = 5;
const COMMON_WORDS = 6;
// Words of a slot.
const JOURNAL = 0;
const ID = 1;
const COUNT = 2;
const BYTES = 3;
const FAILED = 4;
const SLOT_WORDS = 5;

const HEAD_BYTES = 4 * (COMMON_WORDS + SLOTS * SLOT_WORDS);

/** One batch as the thread finds it. */
export interface PlacedBatch {
  readonly journal: number;
  readonly id: number;
  readonly count: number;
  /** In the shared memory, and the thread's until it has finished. */
  readonly bytes: Buffer;
}

/**
 * Memory that the asking side and the journal thread share. The thread sleeps on a word of it, which wakes it sooner
 * than a message and costs nothing while it sleeps; the bytes of a batch lie in it, so they are encoded once; and its
 * outcome does, so that an asking side that is awake needs no message. Batches are placed, taken, finished and collected
 * in one order.
 */
export class CommitSlots {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #slots: readonly Buffer[];
  #taken = 0;
  #collected = 0;

  constructor(memory = new SharedArrayBuffer(HEAD_BYTES + SLOTS * SLOT_BYTES)) {
    this.memory = memory;
    this.#words = new Int32Array(memory, 0, HEAD_BYTES / 4);
    this.#slots = Array.from({ length: SLOTS }, (_, at) =>
      Buffer.from(memory, HEAD_BYTES + at * SLOT_BYTES, SLOT_BYTES),
    );
  }

  /** The asking side. False when the batch is too large or no slot is free: nothing was placed then. */
  place(batch: {
    readonly journal: number;
    readonly id: number;
    readonly count: number;
    readonly text: string;
  }): boolean {
    const words = this.#words;
    const placed = words[PLACED]!;
    // Three bytes is the most that one character of a JavaScript string takes in UTF-8.
    if (((placed - this.#collected) | 0) >= SLOTS || batch.text.length * 3 > SLOT_BYTES) return false;
    const at = wordOf(placed);
    words[at + JOURNAL] = batch.journal;
    words[at + ID] = batch.id;
    words[at + COUNT] = batch.count;
    words[at + BYTES] = this.#slots[indexOf(placed)]!.write(batch.text, 0, 'utf8');
    Atomics.store(words, PLACED, (placed + 1) | 0);
    return true;
  }

  /** The asking side, after it has placed a batch or sent a message. */
  wake(): void {
    Atomics.add(this.#words, ASKED, 1);
    if (Atomics.load(this.#words, THREAD_SLEEPS) === 1) Atomics.notify(this.#words, ASKED);
  }

  /** The asking side. The next finished batch, undefined when there is none. Its slot is free then. */
  collect(): { readonly id: number; readonly failed: boolean } | undefined {
    if (Atomics.load(this.#words, FINISHED) === this.#collected) return undefined;
    const at = wordOf(this.#collected);
    this.#collected = (this.#collected + 1) | 0;
    return { id: this.#words[at + ID]!, failed: this.#words[at + FAILED] === 1 };
  }

  /** The asking side says that it waits for a message. False when something is finished: it must not wait then. */
  askerSleeps(): boolean {
    Atomics.store(this.#words, ASKER_SLEEPS, 1);
    // When the thread was faster in taking the word back, its message is on the way.
    return Atomics.load(this.#words, FINISHED) === this.#collected || !this.wakeAsker();
  }

  /** Whether there are idle processors: told by the asking side, heeded by both. */
  set spare(spare: boolean) {
    Atomics.store(this.#words, SPARE, spare ? 1 : 0);
  }

  get spare(): boolean {
    return Atomics.load(this.#words, SPARE) === 1;
  }

  /** The thread. The next batch, undefined when there is none. */
  take(): PlacedBatch | undefined {
    const words = this.#words;
    if (Atomics.load(words, PLACED) === this.#taken) return undefined;
    const at = wordOf(this.#taken);
    const bytes = this.#slots[indexOf(this.#taken)]!.subarray(0, words[at + BYTES]);
    this.#taken = (this.#taken + 1) | 0;
    return { journal: words[at + JOURNAL]!, id: words[at + ID]!, count: words[at + COUNT]!, bytes };
  }

  /** The thread, for the batch that it took last. */
  finish(failed: boolean): void {
    const finished = this.#words[FINISHED]!;
    this.#words[wordOf(finished) + FAILED] = failed ? 1 : 0;
    Atomics.store(this.#words, FINISHED, (finished + 1) | 0);
  }

  /** The thread: true when the asking side sleeps, which must then be sent a message. */
  wakeAsker(): boolean {
    return Atomics.exchange(this.#words, ASKER_SLEEPS, 0) === 1;
  }

  /** The thread: what it gives to `sleep` when it finds nothing to do afterwards. */
  get asked(): number {
    return Atomics.load(this.#words, ASKED);
  }

  /** The thread sleeps until more is asked than `asked`. */
  sleep(asked: number): void {
    // Said before it looks at the word: who asks after that look finds it said.
    Atomics.store(this.#words, THREAD_SLEEPS, 1);
    Atomics.wait(this.#words, ASKED, asked);
    Atomics.store(this.#words, THREAD_SLEEPS, 0);
  }
}

function indexOf(count: number): number {
  return count & (SLOTS - 1);
}

function wordOf(count: number): number {
  return COMMON_WORDS + indexOf(count) * SLOT_WORDS;
}
