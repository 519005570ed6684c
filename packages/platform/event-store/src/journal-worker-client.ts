import { Worker } from 'node:worker_threads';
import { deferred, type Deferred } from '@assay/foundation';
import { entryPath } from '@assay/entries';
import { CommitSlots } from './commit-slots.ts';
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
export function startJournalWorker(): JournalWorker {
  return new WorkerClient();
}

export interface AppendBatch {
  readonly journal: number;
  readonly text: string;
  readonly count: number;
}

interface Pending {
  readonly journal: number;
  /** Whether a slot of the shared memory is its own until it is answered. */
  readonly slot: boolean;
  readonly answer: Deferred<WorkerAnswers[keyof WorkerAnswers]>;
}

class WorkerClient implements JournalWorker {
  #thread: Worker | undefined;
  #disposed = false;
  #lastId = 0;
  #lastHandle = 0;
  #deaths = 0;
  #slots = new CommitSlots();
  readonly #pending = new Map<number, Pending>();

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
    return this.#answer(thread, { id, journal: command.journal, slot: false }) as Promise<WorkerAnswers[O]>;
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
    await this.#answer(thread, { id, journal: batch.journal, slot: true });
  }

  #answer(
    thread: Worker,
    { id, journal, slot }: { readonly id: number; readonly journal: number; readonly slot: boolean },
  ): Promise<WorkerAnswers[keyof WorkerAnswers]> {
    const answer = deferred<WorkerAnswers[keyof WorkerAnswers]>();
    // An idle thread does not hold the process open; an unanswered question does.
    if (this.#pending.size === 0) thread.ref();
    this.#pending.set(id, { journal, slot, answer });
    return answer.promise;
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
    thread.on('message', (reply: WorkerReply) => this.#settle(reply));
    thread.on('error', (error) => this.#end(thread, error.message));
    thread.on('exit', (code) => this.#end(thread, `it ended with code ${code}`));
    return thread;
  }

  #settle(reply: WorkerReply): void {
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    this.#pending.delete(reply.id);
    if (pending.slot) this.#slots.answered();
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
    for (const { journal, answer } of lost) answer.reject(ended(journal, why));
  }
}

function ended(journal: number, why: string): JournalFailure {
  return new JournalFailure(readOnly(`handle ${journal}`, new Error(`the journal thread is gone: ${why}`)), true);
}
