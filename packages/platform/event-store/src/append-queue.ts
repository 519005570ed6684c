import { AssayError, deferred, type Clock, type Deferred } from '@assay/foundation';
import type { AssayEvent, EventDraft } from '@assay/contracts';
import { draftEvents } from './draft-events.ts';
import { encodeLine } from './encode-line.ts';
import type { Durability } from './journal.ts';
import { MAX_LINE_BYTES } from './line.ts';

/** Streamed events wait at most this long for a sync to go with; with the sync itself they stay under 50 ms. */
const STREAM_MS = 30;
/** Characters that may wait for the disk; more makes callers wait. */
const MAX_WAITING = 16 * 1024 * 1024;

export interface AppendQueueOptions {
  readonly quest: string;
  readonly clock: Clock;
  readonly lastSeq: number;
  /** Seals, writes and syncs lines. A rejection means that none of them counts. */
  write(text: string, count: number): Promise<void>;
  /** Called in order for events that are on disk, before their callers are answered. */
  published(events: readonly AssayEvent[]): void;
  /** Called once per failed write, before the callers hear of it. `lost` streamed events have no caller to tell. */
  failed(error: unknown, lost: number): AssayError;
}

interface Batch {
  /** Lines with open seals. */
  text: string;
  readonly events: AssayEvent[];
  readonly callers: Caller[];
}

interface Caller {
  readonly events: readonly AssayEvent[];
  readonly resolve: (events: readonly AssayEvent[]) => void;
  readonly reject: (failure: AssayError) => void;
}

/**
 * Group commit: one write is under way at a time, and everything that is appended meanwhile goes with the next one.
 * Sequence numbers are given when a draft enters; when a write fails, everything behind it fails too and the numbers
 * are given again.
 */
export class AppendQueue {
  readonly #options: AppendQueueOptions;
  #durable: number;
  #next: number;
  #waiting = emptyBatch();
  #urgent = false;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #flushPlanned = false;
  #room: Deferred<void> | undefined;

  constructor(options: AppendQueueOptions) {
    this.#options = options;
    this.#durable = options.lastSeq;
    this.#next = options.lastSeq + 1;
  }

  /** The last event on disk. */
  get lastSeq(): number {
    return this.#durable;
  }

  /** Resolves with the next write; others may have taken the room by then. */
  room(): Promise<void> {
    return (this.#room ??= deferred()).promise;
  }

  /** True when the disk has enough to do: callers wait for room. */
  get full(): boolean {
    return this.#waiting.text.length > MAX_WAITING;
  }

  /** Throws when a draft does not fit; nothing was placed then. */
  append(drafts: readonly EventDraft[], durability: Durability): Promise<readonly AssayEvent[]> {
    const { quest, clock } = this.#options;
    const events = draftEvents(drafts, { quest, clock, firstSeq: this.#next });
    const text = encode(events);
    const batch = this.#waiting;
    this.#next += events.length;
    batch.text += text;
    for (const event of events) batch.events.push(event);
    if (durability === 'streamed') {
      if (!this.#flushPlanned) this.#timer ??= setTimeout(() => this.#flush(), STREAM_MS);
      return Promise.resolve(events);
    }
    this.#urgent = true;
    this.#plan();
    return new Promise((resolve, reject) => batch.callers.push({ events, resolve, reject }));
  }

  /** After the journal was opened again: the last event that is on disk. */
  resume(lastSeq: number): void {
    if (this.#writing !== undefined || this.#waiting.events.length > 0) return;
    this.#durable = lastSeq;
    this.#next = lastSeq + 1;
  }

  /** Waits until everything that was appended is on disk or has failed. */
  async drain(): Promise<void> {
    while (this.#writing !== undefined || this.#waiting.events.length > 0) {
      if (this.#writing === undefined) this.#flush();
      await this.#writing;
    }
  }

  /** One write per turn of the event loop, so that all callers of this turn are in it. */
  #plan(): void {
    if (this.#flushPlanned || this.#writing !== undefined) return;
    this.#flushPlanned = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushPlanned = false;
    if (this.#writing !== undefined || this.#waiting.events.length === 0) return;
    const batch = this.#waiting;
    this.#waiting = emptyBatch();
    this.#urgent = false;
    this.#room?.resolve();
    this.#room = undefined;
    this.#writing = this.#write(batch);
  }

  async #write(batch: Batch): Promise<void> {
    try {
      await this.#options.write(batch.text, batch.events.length);
    } catch (error) {
      this.#writing = undefined;
      this.#fail(error, [batch, this.#waiting]);
      return;
    }
    this.#writing = undefined;
    this.#durable = batch.events.at(-1)!.seq;
    this.#options.published(batch.events);
    for (const { events, resolve } of batch.callers) resolve(events);
    if (this.#urgent) this.#plan();
    else if (this.#waiting.events.length > 0) this.#timer ??= setTimeout(() => this.#flush(), STREAM_MS);
  }

  #fail(error: unknown, batches: readonly Batch[]): void {
    this.#waiting = emptyBatch();
    this.#urgent = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#next = this.#durable + 1;
    const callers = batches.flatMap((batch) => batch.callers);
    const all = batches.reduce((sum, batch) => sum + batch.events.length, 0);
    const told = callers.reduce((sum, caller) => sum + caller.events.length, 0);
    const failure = this.#options.failed(error, all - told);
    for (const { reject } of callers) reject(failure);
    this.#room?.resolve();
    this.#room = undefined;
  }
}

function emptyBatch(): Batch {
  return { text: '', events: [], callers: [] };
}

/** Lines with open seals: the thread that writes them adds the checksums. */
function encode(events: readonly AssayEvent[]): string {
  let text = '';
  for (const event of events) text += encodeLine(event);
  if (text.length > MAX_LINE_BYTES / 3)
    throw new AssayError('payload_too_large', `these events take ${text.length} characters`, {
      why: `one append may take up to ${MAX_LINE_BYTES / 3}`,
      hint: 'keep large content in files and refer to them',
    });
  return text;
}
