import { AssayError, errorText, silentLogger, type Logger } from '@assay/foundation';
import type { AssayEvent, EventDraft } from '@assay/contracts';
import { AppendQueue } from './append-queue.ts';
import { closedJournal } from './closed-journal.ts';
import type { FileJournalOptions } from './file-journal-options.ts';
import { FileSnapshots } from './file-snapshots.ts';
import { followJournal } from './follow.ts';
import { IdleTimer } from './idle-timer.ts';
import { JournalConnection } from './journal-connection.ts';
import type {
  AppendOptions,
  Durability,
  FollowItem,
  FollowOptions,
  Journal,
  ReadQuery,
  ScanOptions,
} from './journal.ts';
import type { Projected, Projection } from './projection.ts';
import { ProjectionSet } from './projection-set.ts';
import { Publisher } from './publisher.ts';
import { readRange } from './read-range.ts';
import { JournalFailure } from './worker-protocol.ts';

/** Notes about lost streamed events; the log has all of them. */
const MAX_NOTES = 50;

/**
 * Opens the journal under `dir`. Neither damage nor a disk that cannot be written rejects: `problem` says what and where
 * and appends reject with it. What is found damaged at opening is not read either; a disk that can only be read is.
 */
export async function openFileJournal(options: FileJournalOptions): Promise<Journal> {
  const connection = await JournalConnection.open(options);
  return new FileJournal(connection, options);
}

class FileJournal implements Journal {
  readonly quest: string;
  readonly publisher: Publisher;
  closed = false;
  readonly #connection: JournalConnection;
  readonly #queue: AppendQueue;
  readonly #projections: ProjectionSet;
  readonly #logger: Logger;
  readonly #idle: IdleTimer;
  readonly #notes: string[] = [];

  constructor(connection: JournalConnection, options: FileJournalOptions) {
    this.quest = options.quest;
    this.#connection = connection;
    connection.onCut = () => this.publisher.reset();
    this.#logger = options.logger ?? silentLogger;
    this.publisher = new Publisher(this.#logger);
    const snapshots = new FileSnapshots({ dir: options.dir, quest: options.quest, logger: this.#logger });
    this.#projections = new ProjectionSet(this, { snapshots, logger: this.#logger });
    this.#idle = new IdleTimer(options.idleMs ?? 5000, () => void this.#projections.writeSnapshots());
    this.#queue = new AppendQueue({
      quest: options.quest,
      clock: options.clock,
      lastSeq: connection.lastSeq,
      write: (text, count) => connection.append(text, count),
      published: (events) => this.#published(events),
      failed: (error, lost) => this.#failed(error, lost),
    });
  }

  get generation(): number {
    return this.#connection.generation;
  }

  get lastSeq(): number {
    return this.#queue.lastSeq;
  }

  get problem(): AssayError | null {
    return this.#connection.problem;
  }

  get notes(): readonly string[] {
    return [...this.#connection.notes, ...this.#notes];
  }

  append(drafts: readonly EventDraft[], options: AppendOptions = {}): Promise<readonly AssayEvent[]> {
    const { durability = 'acknowledged' } = options;
    const ready = !this.closed && this.#connection.problem === null && !this.#queue.full && drafts.length > 0;
    if (!ready) return this.#appendLater(drafts, durability);
    // Without an async function around it: its promises would cost as much as the rest of an append.
    try {
      return this.#queue.append(drafts, durability);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #appendLater(drafts: readonly EventDraft[], durability: Durability): Promise<readonly AssayEvent[]> {
    this.#refuseWhenClosed();
    if (this.#connection.problem !== null) await this.#recover();
    if (drafts.length === 0) return [];
    while (this.#queue.full) await this.#queue.room();
    return this.#queue.append(drafts, durability);
  }

  async read(query: ReadQuery): Promise<readonly AssayEvent[]> {
    this.checkReadable();
    const { first, count } = readRange(query, this.lastSeq);
    const found: AssayEvent[] = [];
    for await (const events of this.#connection.batches({ first, last: first + count - 1 })) found.push(...events);
    return found;
  }

  async *scan(options: ScanOptions = {}): AsyncIterable<AssayEvent> {
    for await (const events of this.batches(options.after ?? 0))
      for (const event of events) {
        options.signal?.throwIfAborted();
        yield event;
      }
  }

  async *batches(after: number): AsyncIterable<Iterable<AssayEvent>> {
    this.#refuseWhenClosed();
    yield* this.#connection.batches({ first: after + 1, last: this.lastSeq });
  }

  subscribe(listener: (event: AssayEvent) => void): Disposable {
    return this.publisher.subscribe(listener);
  }

  follow(options: FollowOptions): AsyncIterable<FollowItem> {
    return followJournal(this, options);
  }

  async project<S>(projection: Projection<S>): Promise<Projected<S>> {
    this.checkReadable();
    return this.#projections.project(projection);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.#idle.stop();
    await this.#queue.drain();
    await this.#projections.writeSnapshots();
    this.publisher.reset();
    await this.#connection[Symbol.asyncDispose]();
  }

  #published(events: readonly AssayEvent[]): void {
    this.#projections.fold(events);
    this.publisher.publish(events);
    this.#idle.touch();
  }

  async #recover(): Promise<void> {
    await this.#connection.recover();
    this.#queue.resume(this.#connection.lastSeq);
  }

  #failed(error: unknown, lost: number): AssayError {
    const failure = asAssayError(error, this.quest);
    this.#logger.log('error', 'a journal could not be written', {
      quest: this.quest,
      code: failure.code,
      why: failure.why,
      lostStreamedEvents: lost,
    });
    if (lost > 0 && this.#notes.length < MAX_NOTES)
      this.#notes.push(`${lost} streamed events were lost behind event ${this.lastSeq}: ${failure.code}`);
    return failure;
  }

  checkReadable(): void {
    this.#refuseWhenClosed();
    this.#connection.checkReadable();
  }

  #refuseWhenClosed(): void {
    if (this.closed) throw closedJournal(this.quest);
  }
}

function asAssayError(error: unknown, quest: string): AssayError {
  if (error instanceof JournalFailure) return error.error;
  if (error instanceof AssayError) return error;
  return new AssayError('internal', `the journal of ${quest} failed`, {
    why: errorText(error),
    hint: 'run "assay fsck"; it says what is damaged and what can be repaired',
    cause: error,
  });
}
