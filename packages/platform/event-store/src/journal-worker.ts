import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { assertNever } from '@assay/foundation';
import { CommitSlots, type PlacedBatch } from './commit-slots.ts';
import { JournalFiles } from './journal-files.ts';
import { sealInPlace } from './seal.ts';
import {
  failureToWire,
  type WorkerAnswers,
  type WorkerCommand,
  type WorkerReply,
  type WorkerRequest,
  type WorkerStart,
} from './worker-protocol.ts';

// The thread that owns the descriptors of all journals. Every call is synchronous: a sync in the thread pool would wait
// behind hashing and compression.
const journals = new Map<number, { readonly quest: string; readonly files: JournalFiles }>();

if (parentPort === null) throw new Error('this file is the entry of a worker thread');
const port = parentPort;

const slots = new CommitSlots((workerData as WorkerStart).memory);

function answer(request: WorkerRequest): void {
  const quest = request.op === 'open' ? request.request.quest : questOf(request.journal);
  try {
    const value = perform(request);
    reply({ id: request.id, ok: true, value }, buffersOf(value));
  } catch (error) {
    reply({ id: request.id, ok: false, failure: failureToWire(error, quest) });
  }
}

function commit({ journal, id, count, bytes }: PlacedBatch): void {
  let failed = false;
  try {
    sealInPlace(bytes);
    opened(journal).appendSealed(bytes, count);
  } catch (error) {
    failed = true;
    reply({ id, ok: false, failure: failureToWire(error, questOf(journal)) });
  }
  slots.finish(failed);
  if (slots.wakeAsker()) reply({ id: 0, ok: true, value: null });
}

function questOf(journal: number): string {
  return journals.get(journal)?.quest ?? 'unknown';
}

function perform(request: WorkerCommand): WorkerAnswers[keyof WorkerAnswers] {
  switch (request.op) {
    case 'open': {
      const files = new JournalFiles(request.request);
      journals.set(request.journal, { quest: request.request.quest, files });
      const { lastSeq, generation, notes, unwritable } = files;
      const failure = unwritable === undefined ? undefined : failureToWire(unwritable, request.request.quest);
      return { lastSeq, generation, notes, failure };
    }
    case 'append':
      opened(request.journal).append(request.text, request.count);
      return null;
    case 'read':
      return opened(request.journal).read(request.request);
    case 'close':
      journals.get(request.journal)?.files.close();
      journals.delete(request.journal);
      return null;
    default:
      return assertNever(request);
  }
}

/** What a reader gets is handed over, not copied. */
function buffersOf(value: WorkerAnswers[keyof WorkerAnswers]): ArrayBuffer[] {
  if (value === null || !('bytes' in value)) return [];
  return [value.bytes, value.ends, value.seals].map((array) => array.buffer as ArrayBuffer);
}

function opened(journal: number): JournalFiles {
  const found = journals.get(journal);
  if (found === undefined) throw new Error('the journal is not open in this thread');
  return found.files;
}

function reply(message: WorkerReply, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

/** How long the thread looks for the next batch before it sleeps: longer than busy writers take to answer. */
const LOOK_MS = 0.3;

/** True when something more was asked, within a time in which that is likely. */
function askedSoon(asked: number, since: number): boolean {
  while (slots.spare && performance.now() - since < LOOK_MS) if (slots.asked !== asked) return true;
  return false;
}

// No event loop: the thread sleeps until it is asked something, and takes batches and messages in turn.
for (let committedAt = Number.NEGATIVE_INFINITY; ;) {
  const { asked } = slots;
  const batch = slots.take();
  if (batch !== undefined) {
    commit(batch);
    committedAt = performance.now();
  }
  const received = receiveMessageOnPort(port);
  if (received !== undefined) answer(received.message as WorkerRequest);
  if (batch === undefined && received === undefined && !askedSoon(asked, committedAt)) slots.sleep(asked);
}
