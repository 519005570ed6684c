import { silentLogger, type Clock, type Logger } from '@assay/foundation';
import type { AssayEvent, EventDraft } from '@assay/contracts';
import { closedJournal } from './closed-journal.ts';
import { draftEvents } from './draft-events.ts';
import { followJournal } from './follow.ts';
import type { AppendOptions, FollowItem, FollowOptions, Journal, ReadQuery, ScanOptions } from './journal.ts';
import type { Projected, Projection } from './projection.ts';
import { ProjectionSet } from './projection-set.ts';
import { Publisher } from './publisher.ts';
import { readRange } from './read-range.ts';

export interface MemoryJournalOptions {
  readonly quest: string;
  readonly clock: Clock;
  readonly logger?: Logger;
}

/** A journal that lives as long as the process: for tests and for work that leaves nothing behind. */
export function openMemoryJournal(options: MemoryJournalOptions): Journal {
  return new MemoryJournal(options);
}

class MemoryJournal implements Journal {
  readonly quest: string;
  readonly generation = 1;
  readonly problem = null;
  readonly notes: readonly string[] = [];
  readonly publisher: Publisher;
  closed = false;
  readonly #events: AssayEvent[] = [];
  readonly #clock: Clock;
  readonly #projections: ProjectionSet;

  constructor(options: MemoryJournalOptions) {
    const logger = options.logger ?? silentLogger;
    this.quest = options.quest;
    this.#clock = options.clock;
    this.publisher = new Publisher(logger);
    this.#projections = new ProjectionSet(this, { logger });
  }

  get lastSeq(): number {
    return this.#events.length;
  }

  async append(drafts: readonly EventDraft[], _options?: AppendOptions): Promise<readonly AssayEvent[]> {
    this.checkReadable();
    const firstSeq = this.#events.length + 1;
    const events = draftEvents(drafts, { quest: this.quest, clock: this.#clock, firstSeq });
    this.#events.push(...events);
    this.#projections.fold(events);
    this.publisher.publish(events);
    return events;
  }

  async read(query: ReadQuery): Promise<readonly AssayEvent[]> {
    this.checkReadable();
    const { first, count } = readRange(query, this.lastSeq);
    return this.#events.slice(first - 1, first - 1 + count);
  }

  async *scan(options: ScanOptions = {}): AsyncIterable<AssayEvent> {
    for await (const events of this.batches(options.after ?? 0))
      for (const event of events) {
        options.signal?.throwIfAborted();
        yield event;
      }
  }

  async *batches(after: number): AsyncIterable<readonly AssayEvent[]> {
    if (after < this.#events.length) yield this.#events.slice(after);
  }

  subscribe(listener: (event: AssayEvent) => void): Disposable {
    return this.publisher.subscribe(listener);
  }

  follow(options: FollowOptions): AsyncIterable<FollowItem> {
    return followJournal(this, options);
  }

  project<S>(projection: Projection<S>): Promise<Projected<S>> {
    return this.#projections.project(projection);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closed = true;
    this.publisher.reset();
  }

  checkReadable(): void {
    if (this.closed) throw closedJournal(this.quest);
  }
}
