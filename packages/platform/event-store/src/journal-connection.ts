import { isAscii } from 'node:buffer';
import { type AssayError, type Clock } from '@assay/foundation';
import type { AssayEvent } from '@assay/contracts';
import { damageError, LineDamage } from './damage.ts';
import type { FileJournalOptions } from './file-journal-options.ts';
import { startJournalWorker, type JournalWorker } from './journal-worker-client.ts';
import { decodeLine, type Seal } from './line.ts';
import type { OpenRequest } from './opened-journal.ts';
import type { Position, ReadAnswer } from './segment-reader.ts';
import { failureFromWire, JournalFailure } from './worker-protocol.ts';

const DEFAULT_SEGMENT_BYTES = 64 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;
/** Lines are about this long; a short read asks for no more than it needs. */
const TYPICAL_LINE = 512;

/**
 * One journal at the thread that owns its descriptors, and what is wrong with it.
 * States: writable; poisoned (`problem`, opened again at a later append); damaged (`problem`, for good).
 */
export class JournalConnection implements AsyncDisposable {
  generation = 1;
  lastSeq = 0;
  notes: readonly string[] = [];
  problem: AssayError | null = null;
  /** Called when a tail was cut while the journal is open. */
  onCut: () => void = () => undefined;
  readonly #options: FileJournalOptions;
  readonly #clock: Clock;
  readonly #worker: JournalWorker;
  readonly #ownsWorker: boolean;
  #handle = 0;
  /** Deaths of the thread when the journal was opened at it. */
  #deaths = 0;
  #readable = false;
  #triedAt = Number.NEGATIVE_INFINITY;
  #recovery: Promise<void> | undefined;
  #writing: Promise<void> | undefined;

  private constructor(options: FileJournalOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#worker = options.worker ?? startJournalWorker();
    this.#ownsWorker = options.worker === undefined;
  }

  static async open(options: FileJournalOptions): Promise<JournalConnection> {
    const connection = new JournalConnection(options);
    try {
      await connection.#open(undefined);
    } catch (error) {
      if (!(error instanceof JournalFailure)) throw error;
      connection.problem = error.error;
    }
    return connection;
  }

  /** Rejects with JournalFailure. */
  async append(text: string, count: number): Promise<void> {
    // A thread that died while nothing was asked of it has lost nothing: the next one opens the journal first.
    if (this.#recovery === undefined && this.problem === null && this.#worker.deaths !== this.#deaths)
      this.#recovery = this.#reopen().finally(() => (this.#recovery = undefined));
    if (this.#recovery !== undefined) await this.#recovery;
    this.#writing = this.#append(text, count);
    try {
      await this.#writing;
    } finally {
      this.#writing = undefined;
    }
  }

  /** Opens a poisoned journal again. Rejects with `problem` while that is not possible, or failed a moment ago. */
  recover(): Promise<void> {
    const problem = this.problem;
    if (problem === null) return Promise.resolve();
    if (this.#recovery !== undefined) return this.#recovery;
    const soon = this.#clock.now() - this.#triedAt < (this.#options.retryMs ?? 1000);
    if (isForGood(problem) || soon) return Promise.reject(problem);
    this.#recovery = this.#reopen().finally(() => (this.#recovery = undefined));
    return this.#recovery;
  }

  /** Throws `problem` when there is no opened journal to read from. */
  checkReadable(): void {
    if (!this.#readable && this.problem !== null) throw this.problem;
  }

  /**
   * The events `first` to `last`, a read of about 1 MiB at a time; the next one is under way while one is decoded. Each
   * event is decoded when it is asked for, so those that are folded and forgotten never fill the memory.
   */
  async *batches(range: { first: number; last: number }): AsyncGenerator<Iterable<AssayEvent>> {
    this.checkReadable();
    const bytes = Math.min(READ_BYTES, (range.last - range.first + 1) * TYPICAL_LINE);
    let seq = range.first;
    let coming = seq <= range.last ? this.#read(seq, bytes, undefined) : undefined;
    while (coming !== undefined) {
      const answer: ReadAnswer = await coming;
      const count = Math.min(answer.ends.length, range.last - seq + 1);
      if (count === 0) throw this.#unreadable(new LineDamage(`event ${seq} is missing`), answer, 0);
      const events = this.#decode(answer, { seq, count });
      seq += count;
      coming = seq <= range.last ? this.#read(seq, bytes, answer.next) : undefined;
      // A rejection is seen when it is awaited, also when the consumer leaves before.
      coming?.catch(() => undefined);
      yield events;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.ask({ op: 'close', journal: this.#handle }).catch(() => undefined);
    if (this.#ownsWorker) await this.#worker[Symbol.asyncDispose]();
  }

  async #append(text: string, count: number): Promise<void> {
    try {
      await this.#worker.commit({ journal: this.#handle, text, count });
    } catch (error) {
      if (error instanceof JournalFailure && error.poisoned) this.problem = error.error;
      throw error;
    }
    this.lastSeq += count;
  }

  async #open(throughSeq: number | undefined): Promise<void> {
    const { dir, quest, create, segmentBytes } = this.#options;
    const handle = this.#worker.newHandle();
    const request: OpenRequest & { segmentBytes: number } = {
      dir,
      quest,
      create: create ?? true,
      now: this.#clock.now(),
      segmentBytes: segmentBytes ?? DEFAULT_SEGMENT_BYTES,
      ...(throughSeq === undefined ? {} : { throughSeq }),
    };
    const { deaths } = this.#worker;
    const opened = await this.#worker.ask({ op: 'open', journal: handle, request });
    const before = this.#handle;
    this.#handle = handle;
    this.#deaths = deaths;
    this.#readable = true;
    if (before !== 0) await this.#worker.ask({ op: 'close', journal: before });
    const cut = opened.generation !== this.generation && throughSeq !== undefined;
    this.generation = opened.generation;
    this.lastSeq = opened.lastSeq;
    this.notes = [...this.notes, ...opened.notes];
    this.problem = opened.failure === undefined ? null : failureFromWire(opened.failure).error;
    if (cut) this.onCut();
  }

  /** What was acknowledged must be there; what was answered as failed is cut. */
  async #reopen(): Promise<void> {
    this.#triedAt = this.#clock.now();
    // What is being written is acknowledged or failed before it is decided what is cut.
    await this.#writing?.catch(() => undefined);
    try {
      await this.#open(this.#readable ? this.lastSeq : undefined);
    } catch (error) {
      if (error instanceof JournalFailure) this.problem = error.error;
      else throw error;
    }
    if (this.problem !== null) throw this.problem;
    this.#triedAt = Number.NEGATIVE_INFINITY;
  }

  async #read(seq: number, bytes: number, at: Position | undefined): Promise<ReadAnswer> {
    const ask = () => this.#worker.ask({ op: 'read', journal: this.#handle, request: { seq, bytes, at } });
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof JournalFailure)) throw error;
      this.problem = error.error;
      // The thread may have died since; opened again it can be read.
      await this.recover();
      return await ask();
    }
  }

  *#decode(answer: ReadAnswer, range: { seq: number; count: number }): Generator<AssayEvent> {
    const bytes = Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength);
    const { quest } = this.#options;
    const ascii = isAscii(bytes);
    for (let line = 0, at = 0; line < range.count; line++) {
      const end = answer.ends[line]!;
      let event: AssayEvent;
      try {
        const seal = answer.seals[line] as Seal;
        event = decodeLine(bytes, at, end, { quest, seq: range.seq + line, seal, ascii });
      } catch (error) {
        throw this.#unreadable(error, answer, at);
      }
      yield event;
      at = end + 1;
    }
  }

  #unreadable(error: unknown, answer: ReadAnswer, at: number): unknown {
    if (!(error instanceof LineDamage)) return error;
    const damage = { file: answer.file, offset: answer.offset + at, reason: error.message };
    this.problem = damageError(this.#options.quest, damage);
    return this.problem;
  }
}

function isForGood(problem: AssayError): boolean {
  return problem.code === 'journal_damaged' || problem.code === 'record_newer';
}
