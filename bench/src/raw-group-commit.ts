import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

// What a group commit costs that does nothing else: no checks, no ids, no checksums, no events. Every writer has a
// finished line and waits until it is synced.

const LINE = `${'x'.repeat(379)}\n`;

export interface RawOptions {
  readonly file: string;
  readonly writers: number;
  readonly ms: number;
}

/** Lines per second with one write and one fdatasync per turn of the event loop, in the same thread, which they block. */
export async function rawInOneThread({ file, writers, ms }: RawOptions): Promise<number> {
  const fd = openSync(file, 'w');
  const perSecond = await commitInGroups({ writers, ms }, (count) => {
    writeSync(fd, LINE.repeat(count));
    fdatasyncSync(fd);
    return undefined;
  });
  closeSync(fd);
  return perSecond;
}

/**
 * The same where a second thread writes and syncs, as in a program that must answer meanwhile: bytes through shared
 * memory, the thread asleep on a word of it, a message back.
 */
export async function rawInTwoThreads({ file, writers, ms }: RawOptions): Promise<number> {
  const memory = new SharedArrayBuffer(4 + LINE.length * writers);
  const word = new Int32Array(memory, 0, 1);
  const lines = Buffer.from(memory, 4);
  const thread = new Worker(WRITER, { eval: true, workerData: { memory, file } });
  await once(thread, 'message');
  let synced: () => void = () => undefined;
  thread.on('message', () => synced());
  const perSecond = await commitInGroups({ writers, ms }, (count) => {
    Atomics.store(word, 0, lines.write(LINE.repeat(count)));
    Atomics.notify(word, 0);
    return new Promise((resolve) => (synced = resolve));
  });
  await thread.terminate();
  return perSecond;
}

const WRITER = `
  const { openSync, writeSync, fdatasyncSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  const word = new Int32Array(workerData.memory, 0, 1);
  const lines = Buffer.from(workerData.memory, 4);
  const fd = openSync(workerData.file, 'w');
  parentPort.postMessage(null);
  for (;;) {
    Atomics.wait(word, 0, 0);
    const bytes = Atomics.exchange(word, 0, 0);
    if (bytes === 0) continue;
    writeSync(fd, lines, 0, bytes);
    fdatasyncSync(fd);
    parentPort.postMessage(null);
  }
`;

/** One commit is under way at a time; who comes meanwhile goes with the next one. */
async function commitInGroups(
  { writers, ms }: { readonly writers: number; readonly ms: number },
  commit: (count: number) => Promise<void> | undefined,
): Promise<number> {
  let waiting: (() => void)[] = [];
  let busy = false;
  const plan = () => {
    if (busy || waiting.length === 0) return;
    busy = true;
    setImmediate(() => void commitGroup());
  };
  const commitGroup = async () => {
    const group = waiting;
    waiting = [];
    await commit(group.length);
    busy = false;
    for (const wake of group) wake();
    plan();
  };
  const begin = performance.now();
  let lines = 0;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      for (; performance.now() - begin < ms; lines++)
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          plan();
        });
    }),
  );
  return (lines * 1000) / (performance.now() - begin);
}
