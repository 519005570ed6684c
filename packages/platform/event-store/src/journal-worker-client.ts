import { Worker } from 'node:worker_threads';
import { deferred, type Deferred } from '@assay/foundation';
import { entryPath } from '@assay/entries';
import { CommitSlots } from './commit-slots.ts';
import { SpareProcessors, type Spare } from './spare-processors.ts';
import {
  failureFromWire,
  JournalFailure,
  readOnly,
  type WorkerAnswers,
  type WorkerCommand,
  type WorkerReply,
  type WorkerRequest,
  type WorkerStart,
} from './worker-protocol.ts';

/** The one thread that owns the descriptors of all journals of a process. */
export interface JournalWorker extends AsyncDisposable {
  /** Rejects with JournalFailure; also when the thread ends before it has answered. */
  ask<O extends WorkerCommand['op']>(command: Extract<WorkerCommand, { op: O }>): Promise<WorkerAnswers[O]>;
  /**
   * Seals, writes and syncs `count` lines with open seals: through shared memory, or as a message when they do not fit.
   * Rejects as `ask` does.
   */
  commit(batch: AppendBatch): Promise<void>;
  /** A handle for one opened journal. */
  newHandle(): number;
  /** How often the thread has died: what was opened before the last time must be opened again. */
  readonly deaths: number;
}

/** Starts when it is first asked something, and again when it was asked after its thread had died. */
export function startJournalWorker(spare: Spare = new SpareProcessors()): JournalWorker {
  return new WorkerClient(spare);
}

export interface AppendBatch {
  readonly journal: number;
  readonly text: string;
  readonly count: number;
}

/** How long outcomes are looked for before the thread is asked to send a message: a few syncs of a fast disk. */
const LOOK_MS = 1;

interface Pending {
  readonly journal: number;
  readonly answer: Deferred<WorkerAnswers[keyof WorkerAnswers]>;
}

class WorkerClient implements JournalWorker {
  #thread: Worker | undefined;
  #disposed = false;
  #lastId = 0;
  #lastHandle = 0;
  #deaths = 0;
  #slots = new CommitSlots();
  /** Batches in the shared memory whose outcome was not collected. */
  #placed = 0;
  /** Whether the next turn of the event loop looks for outcomes. */
  #looking = false;
  readonly #spare: Spare;
  readonly #pending = new Map<number, Pending>();

  constructor(spare: Spare) {
    this.#spare = spare;
  }

  newHandle(): number {
    return ++this.#lastHandle;
  }

  get deaths(): number {
    return this.#deaths;
  }

  ask<O extends WorkerCommand['op']>(command: Extract<WorkerCommand, { op: O }>): Promise<WorkerAnswers[O]> {
    if (this.#disposed) return Promise.reject(ended(command.journal, 'it was stopped'));
    const thread = (this.#thread ??= this.#start());
    const id = ++this.#lastId;
    thread.postMessage({ ...command, id } satisfies WorkerRequest, []);
    this.#slots.wake();
    return this.#answer(thread, id, command.journal) as Promise<WorkerAnswers[O]>;
  }

  async commit(batch: AppendBatch): Promise<void> {
    const thread = this.#thread;
    const id = this.#lastId + 1;
    if (this.#disposed || thread === undefined || !this.#slots.place({ ...batch, id })) {
      await this.ask({ op: 'append', ...batch });
      return;
    }
    this.#slots.wake();
    this.#lastId = id;
    this.#placed += 1;
    this.#slots.spare = this.#spare.any;
    if (!this.#looking) this.#look(performance.now());
    await this.#answer(thread, id, batch.journal);
  }

  #answer(thread: Worker, id: number, journal: number): Promise<WorkerAnswers[keyof WorkerAnswers]> {
    const answer = deferred<WorkerAnswers[keyof WorkerAnswers]>();
    // An idle thread does not hold the process open; an unanswered question does.
    if (this.#pending.size === 0) thread.ref();
    this.#pending.set(id, { journal, answer });
    return answer.promise;
  }

  /** Looks for outcomes in the next turns of the event loop while processors are idle, else waits for a message. */
  #look(since: number): void {
    const soon = this.#slots.spare && performance.now() - since < LOOK_MS;
    this.#looking = this.#placed > 0 && (soon || !this.#slots.askerSleeps());
    if (this.#looking) setImmediate(() => this.#look(this.#collect() ? performance.now() : since));
  }

  /** False when nothing was finished. */
  #collect(): boolean {
    let any = false;
    for (let found = this.#slots.collect(); found !== undefined; found = this.#slots.collect()) {
      any = true;
      this.#placed -= 1;
      // What went wrong comes in a message.
      if (!found.failed) this.#settle({ id: found.id, ok: true, value: null });
    }
    return any;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(entryPath('journal-worker'), {
      name: 'journals',
      workerData: { memory: this.#slots.memory } satisfies WorkerStart,
    });
    thread.unref();
    thread.on('message', (reply: WorkerReply) => this.#receive(reply));
    thread.on('error', (error) => this.#end(thread, error.message));
    thread.on('exit', (code) => this.#end(thread, `it ended with code ${code}`));
    return thread;
  }

  #receive(reply: WorkerReply): void {
    if (reply.id !== 0) return this.#settle(reply);
    this.#collect();
    if (!this.#looking) this.#look(performance.now());
  }

  #settle(reply: WorkerReply): void {
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) this.#thread?.unref();
    if (reply.ok) pending.answer.resolve(reply.value);
    else pending.answer.reject(failureFromWire(reply.failure));
  }

  #end(thread: Worker, why: string): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#deaths += 1;
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    this.#slots = new CommitSlots();
    this.#placed = 0;
    for (const { journal, answer } of lost) answer.reject(ended(journal, why));
  }
}

function ended(journal: number, why: string): JournalFailure {
  return new JournalFailure(readOnly(`handle ${journal}`, new Error(`the journal thread is gone: ${why}`)), true);
}
