import type { Worker } from 'node:worker_threads';
import { temporaryFolder, verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { startJournalWorker } from '../src/index.ts';
import { open } from './disk.ts';
import { collect, note, noteOf } from './drafts.ts';

/** Resolves with the next worker thread that this process starts. */
function nextThread(): Promise<Worker> {
  return new Promise((resolve) => process.once('worker', resolve));
}

describe('the journal thread', () => {
  it('that dies fails what it was asked, and the journal goes on with a new one', async () => {
    verifies('event-store.worker-death');
    await using folder = await temporaryFolder();
    const starting = nextThread();
    await using journal = await open(folder.path);
    const thread = await starting;
    await journal.append([note('before')]);
    // Posted before the thread is ended, so it may or may not have been written: it must not be there twice.
    const pending = journal.append([note('pending')]).catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(resolve));
    await thread.terminate();
    const outcome = await pending;
    const answered = Array.isArray(outcome);
    if (!answered) expect(outcome).toMatchObject({ code: 'journal_read_only' });
    await journal.append([note('after')]);
    const expected = answered ? ['before', 'pending', 'after'] : ['before', 'after'];
    expect((await collect(journal.scan())).map(noteOf)).toEqual(expected);
    expect(journal.problem).toBeNull();
  });

  it('that died while nothing was asked is not missed by a reader', async () => {
    verifies('event-store.worker-death');
    await using folder = await temporaryFolder();
    const starting = nextThread();
    await using journal = await open(folder.path);
    await journal.append([note('a')]);
    await (await starting).terminate();
    expect((await journal.read({ limit: 1 })).map(noteOf)).toEqual(['a']);
    await journal.append([note('b')]);
    expect((await journal.read({ limit: 2 })).map(noteOf)).toEqual(['a', 'b']);
  });

  it('that died while nothing was asked is not missed by a writer', async () => {
    verifies('event-store.worker-death');
    await using folder = await temporaryFolder();
    const starting = nextThread();
    await using journal = await open(folder.path);
    await journal.append([note('a')]);
    await (await starting).terminate();
    await journal.append([note('b')]);
    expect((await collect(journal.scan())).map(noteOf)).toEqual(['a', 'b']);
    expect(journal.problem).toBeNull();
  });

  it('is shared by many journals', async () => {
    verifies('event-store.shared-thread');
    await using folder = await temporaryFolder();
    let threads = 0;
    const count = () => threads++;
    process.on('worker', count);
    await using worker = startJournalWorker();
    const journals = await Promise.all([1, 2, 3, 4, 5].map((at) => open(`${folder.path}/${at}`, { worker })));
    await Promise.all(journals.map((journal, at) => journal.append([note(`of ${at}`)])));
    for (const [at, journal] of journals.entries()) {
      expect((await journal.read({ limit: 5 })).map(noteOf)).toEqual([`of ${at}`]);
      await journal[Symbol.asyncDispose]();
    }
    process.off('worker', count);
    expect(threads).toBe(1);
  });

  it.each([
    ['sleep between batches', false],
    ['look again before they sleep', true],
  ])('and those who ask it lose and mix up nothing when they %s', async (_name, any) => {
    verifies('event-store.shared-memory', 'event-store.shared-thread');
    await using folder = await temporaryFolder();
    await using worker = startJournalWorker({ any });
    // More journals than there are slots, and texts too large for one.
    const journals = await Promise.all(Array.from({ length: 12 }, (_, at) => open(`${folder.path}/${at}`, { worker })));
    const texts = (at: number) => [`${at}-0`, `${at}-1:${'x'.repeat(at * 10_000)}`, `${at}-2`, `${at}-3`];
    await Promise.all(
      journals.map(async (journal, at) => {
        for (const text of texts(at)) await journal.append([note(text)]);
      }),
    );
    for (const [at, journal] of journals.entries()) {
      expect((await collect(journal.scan())).map(noteOf)).toEqual(texts(at));
      await journal[Symbol.asyncDispose]();
    }
  });

  it('that dies while it is looked at fails what it was asked', async () => {
    verifies('event-store.worker-death');
    await using folder = await temporaryFolder();
    const starting = nextThread();
    await using worker = startJournalWorker({ any: true });
    await using journal = await open(folder.path, { worker });
    const thread = await starting;
    for (const round of [1, 2, 3]) await journal.append([note(`${round}`)]);
    const pending = journal.append([note('pending')]).catch((error: unknown) => error);
    const ended = thread.terminate();
    const outcome = await pending;
    await ended;
    if (!Array.isArray(outcome)) expect(outcome).toMatchObject({ code: 'journal_read_only' });
    await journal.append([note('after')]);
    const expected = ['1', '2', '3', ...(Array.isArray(outcome) ? ['pending'] : []), 'after'];
    expect((await collect(journal.scan())).map(noteOf)).toEqual(expected);
  });

  it('makes callers wait when more is appended than the disk takes', async () => {
    verifies('event-store.backpressure');
    await using folder = await temporaryFolder();
    await using journal = await open(folder.path);
    const large = 'x'.repeat(1024 * 1024);
    let placed = 0;
    const appends = Array.from({ length: 60 }, async (_, at) => {
      await journal.append([note(`${at}:${large}`)], { durability: 'streamed' });
      placed++;
    });
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    expect(placed).toBeGreaterThan(10);
    expect(placed).toBeLessThan(20);
    await Promise.all(appends);
    await journal.append([note('last')]);
    expect(journal.lastSeq).toBe(61);
    const texts = (await collect(journal.scan())).map((event) => noteOf(event).split(':')[0]);
    expect(texts).toEqual([...Array.from({ length: 60 }, (_, at) => String(at)), 'last']);
  });
});
