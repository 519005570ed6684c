import { describe, expect, it } from 'vitest';
import { verifies } from '@assay/testkit';
import type { AssayEvent } from '@assay/contracts';
import type { FollowItem, Journal } from '../src/index.ts';
import { collect, note, noteOf, QUEST, tally } from './drafts.ts';

/** What every implementation of Journal keeps. `open` gives a new, empty journal. */
export function journalAcceptance(name: string, open: () => Promise<Journal>): void {
  describe(`${name} journal`, () => {
    appending(open);
    reading(open);
    following(open);
    projecting(open);
  });
}

function appending(open: () => Promise<Journal>): void {
  it('numbers events from 1 without a gap and fills in the envelope', async () => {
    verifies('event-store.dense-order');
    await using journal = await open();
    expect(journal.lastSeq).toBe(0);
    const [first, second] = await journal.append([note('a'), note('b')]);
    const [third] = await journal.append([note('c')]);
    expect([first?.seq, second?.seq, third?.seq]).toEqual([1, 2, 3]);
    expect(first).toMatchObject({ v: 1, type: 'quest.opened', quest: QUEST, scope: {}, data: { notes: ['a'] } });
    expect(first?.id).toMatch(/^event_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(journal.lastSeq).toBe(3);
  });

  it('keeps one append together when many write at once', async () => {
    verifies('event-store.dense-order');
    await using journal = await open();
    await Promise.all(
      Array.from({ length: 64 }, async (_, writer) => {
        for (let turn = 0; turn < 5; turn++)
          await journal.append([note(`${writer}.${turn}.x`), note(`${writer}.${turn}.y`)]);
      }),
    );
    const texts = (await collect(journal.scan())).map(noteOf);
    expect(texts).toHaveLength(640);
    for (let at = 0; at < 640; at += 2) expect(texts[at + 1]).toBe(texts[at]?.replace('x', 'y'));
    const ofSeven = texts.filter((text) => text.startsWith('7.') && text.endsWith('x'));
    expect(ofSeven).toEqual(['7.0.x', '7.1.x', '7.2.x', '7.3.x', '7.4.x']);
  });

  it('writes nothing of an append in which one draft is wrong', async () => {
    verifies('event-store.validated-before-write');
    await using journal = await open();
    const wrong = { type: 'quest.created', data: { title: 'only a title' } } as never;
    await expect(journal.append([note('a'), wrong])).rejects.toMatchObject({ code: 'record_invalid' });
    const unknown = { type: 'quest.invented', data: {} } as never;
    await expect(journal.append([unknown])).rejects.toMatchObject({ code: 'record_invalid' });
    await journal.append([note('b')]);
    expect((await journal.read({ limit: 10 })).map((event) => [event.seq, noteOf(event)])).toEqual([[1, 'b']]);
  });

  it('keeps its own copy of what was appended', async () => {
    verifies('event-store.validated-before-write');
    await using journal = await open();
    const notes = ['before'];
    const appended = journal.append([{ type: 'quest.opened', data: { notes } }]);
    notes[0] = 'after';
    await appended;
    expect((await journal.read({ limit: 1 })).map(noteOf)).toEqual(['before']);
  });

  it('publishes streamed events in order and within 50 ms, and answers at once', async () => {
    verifies('event-store.streamed');
    await using journal = await open();
    const seen: number[] = [];
    using _subscription = journal.subscribe((event) => seen.push(event.seq));
    const [event] = await journal.append([note('progress')], { durability: 'streamed' });
    expect(event?.seq).toBe(1);
    // The bound is 50 ms on an idle machine; this one may be busy.
    await expect.poll(() => seen, { interval: 5, timeout: 1000 }).toEqual([1]);
    await journal.append([note('log')], { durability: 'streamed' });
    await journal.append([note('result')]);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('refuses everything after it was closed', async () => {
    verifies('event-store.closed');
    const journal = await open();
    await journal.append([note('a')]);
    await journal[Symbol.asyncDispose]();
    await journal[Symbol.asyncDispose]();
    await expect(journal.append([note('b')])).rejects.toMatchObject({ code: 'journal_read_only' });
    await expect(journal.read({ limit: 1 })).rejects.toMatchObject({ code: 'journal_read_only' });
    const following = collect(journal.follow({ after: 0, signal: new AbortController().signal }));
    await expect(following).rejects.toMatchObject({ code: 'journal_read_only' });
  });
}

function reading(open: () => Promise<Journal>): void {
  it('reads forward, backward and the tail', async () => {
    verifies('event-store.read-ranges');
    await using journal = await open();
    await journal.append(Array.from({ length: 10 }, (_, index) => note(`n${index + 1}`)));
    const seqs = async (query: Parameters<Journal['read']>[0]) => (await journal.read(query)).map((event) => event.seq);
    expect(await seqs({ limit: 3 })).toEqual([8, 9, 10]);
    expect(await seqs({ after: 0, limit: 2 })).toEqual([1, 2]);
    expect(await seqs({ after: 8, limit: 5 })).toEqual([9, 10]);
    expect(await seqs({ after: 10, limit: 5 })).toEqual([]);
    expect(await seqs({ before: 4, limit: 2 })).toEqual([2, 3]);
    expect(await seqs({ before: 1, limit: 2 })).toEqual([]);
    expect(await seqs({ after: 2, before: 5, limit: 10 })).toEqual([3, 4]);
    expect(await seqs({ before: 500, limit: 1 })).toEqual([10]);
    await expect(journal.read({ after: -1, limit: 1 })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(journal.read({ limit: 1.5 })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('gives back exactly what was appended, in any script', async () => {
    verifies('event-store.read-ranges');
    await using journal = await open();
    const texts = ['日本語の期字', 'emoji 🧪 \u2028 line', 'quote " backslash \\ newline \n tab \t', '\u0000 nul', ''];
    const appended = await journal.append(texts.map(note));
    const read = await journal.read({ after: 0, limit: 10 });
    expect(read).toEqual(appended);
    expect(read.map(noteOf)).toEqual(texts);
  });

  it('gives back ids of any characters, which other programs may choose', async () => {
    verifies('event-store.read-ranges');
    await using journal = await open();
    const ids = [
      'quote " backslash \\',
      'newline \n tab \t',
      '試行 🧪 \u2028',
      'half \ud83e',
      '{"crc":"00000000"}',
      'trace_1',
    ];
    for (const id of ids) await journal.append([{ ...note('x'), trace: id, span: `${id}.`, cause: id }]);
    const read = await journal.read({ limit: 10 });
    expect(read.map((event) => event.trace)).toEqual(ids);
    expect(read.map((event) => event.cause)).toEqual(ids);
    expect(read[0]?.span).toBe('quote " backslash \\.');
  });

  it('stops a scan when its signal aborts', async () => {
    verifies('event-store.read-ranges');
    await using journal = await open();
    await journal.append([note('a'), note('b')]);
    const stop = new AbortController();
    const seen: number[] = [];
    const scanning = (async () => {
      for await (const event of journal.scan({ signal: stop.signal })) {
        seen.push(event.seq);
        stop.abort(new Error('enough'));
      }
    })();
    await expect(scanning).rejects.toThrow('enough');
    expect(seen).toEqual([1]);
  });

  it('does not let a failing subscriber disturb the writer or other subscribers', async () => {
    verifies('event-store.subscribe');
    await using journal = await open();
    const seen: string[] = [];
    using _bad = journal.subscribe(() => {
      throw new Error('broken');
    });
    const good = journal.subscribe((event) => seen.push(noteOf(event)));
    await journal.append([note('a')]);
    good[Symbol.dispose]();
    await journal.append([note('b')]);
    expect(seen).toEqual(['a']);
  });
}

function following(open: () => Promise<Journal>): void {
  it('replays, says when it has caught up, and goes on live', async () => {
    verifies('event-store.follow');
    await using journal = await open();
    await journal.append([note('a'), note('b'), note('c')]);
    const stop = new AbortController();
    const items = journal.follow({ after: 1, generation: 1, signal: stop.signal })[Symbol.asyncIterator]();
    expect(shortOf(await items.next())).toEqual(['event', 2]);
    expect(shortOf(await items.next())).toEqual(['event', 3]);
    expect(shortOf(await items.next())).toEqual(['caught_up', 3]);
    const waiting = items.next();
    await journal.append([note('d')]);
    expect(shortOf(await waiting)).toEqual(['event', 4]);
    const last = items.next();
    stop.abort();
    expect((await last).done).toBe(true);
  });

  it('has neither a gap nor a duplicate while others append', async () => {
    verifies('event-store.follow');
    await using journal = await open();
    await journal.append(Array.from({ length: 50 }, () => note('old')));
    const stop = new AbortController();
    const seen: number[] = [];
    const following = (async () => {
      for await (const item of journal.follow({ after: 0, signal: stop.signal })) {
        if (item.kind === 'event') seen.push(item.event.seq);
        if (seen.length % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
        if (seen.length === 450) stop.abort();
      }
    })();
    for (let turn = 0; turn < 100; turn++)
      await Promise.all([1, 2, 3, 4].map(() => journal.append([note('new')], { durability: 'acknowledged' })));
    await following;
    expect(seen).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
  });

  it('tells a slow reader to resume instead of keeping events without bound', async () => {
    verifies('event-store.follow-slow');
    await using journal = await open();
    const items = journal.follow({ after: 0, limit: 3, signal: new AbortController().signal });
    const reader = items[Symbol.asyncIterator]();
    expect(shortOf(await reader.next())).toEqual(['caught_up', 0]);
    const first = reader.next();
    await journal.append([note('1')]);
    expect(shortOf(await first)).toEqual(['event', 1]);
    for (let at = 2; at <= 9; at++) await journal.append([note(String(at))]);
    const rest: unknown[] = [];
    for (let item = await reader.next(); item.done !== true; item = await reader.next()) rest.push(shortOf(item));
    expect(rest).toEqual([
      ['event', 2],
      ['event', 3],
      ['event', 4],
      ['reset', 'slow'],
    ]);
  });

  it('sends a reader of another generation, or of events that are not there, back to the beginning', async () => {
    verifies('event-store.follow-generation');
    await using journal = await open();
    await journal.append([note('a')]);
    const { signal } = new AbortController();
    expect(await collect(journal.follow({ after: 0, generation: 7, signal }))).toEqual([
      { kind: 'reset', generation: 1, reason: 'generation' },
    ]);
    expect(await collect(journal.follow({ after: 5, signal }))).toEqual([
      { kind: 'reset', generation: 1, reason: 'generation' },
    ]);
  });

  it('ends for its followers when it is closed', async () => {
    verifies('event-store.closed');
    const journal = await open();
    const items = journal.follow({ after: 0, signal: new AbortController().signal })[Symbol.asyncIterator]();
    expect(shortOf(await items.next())).toEqual(['caught_up', 0]);
    const first = items.next();
    await journal.append([note('a')]);
    expect(shortOf(await first)).toEqual(['event', 1]);
    const last = items.next();
    await journal[Symbol.asyncDispose]();
    expect((await last).done).toBe(true);
  });
}

function projecting(open: () => Promise<Journal>): void {
  it('folds what is there and every append before its caller is answered', async () => {
    verifies('event-store.projection');
    await using journal = await open();
    await journal.append([note('a'), note('b')]);
    const projected = await journal.project(tally);
    expect(projected.state).toEqual({ count: 2, last: 'b' });
    await journal.append([note('c')]);
    expect(projected.state).toEqual({ count: 3, last: 'c' });
    expect(projected.throughSeq).toBe(3);
  });

  it('misses nothing that is appended while it starts', async () => {
    verifies('event-store.projection');
    await using journal = await open();
    await journal.append(Array.from({ length: 100 }, () => note('old')));
    const [projected] = await Promise.all([
      journal.project(tally),
      ...Array.from({ length: 20 }, (_, index) => journal.append([note(`new ${index}`)])),
    ]);
    expect(projected.state.count).toBe(120);
  });

  it('says so when its reducer failed, and goes on appending', async () => {
    verifies('event-store.projection');
    await using journal = await open();
    const fragile = {
      ...tally,
      name: 'fragile',
      reduce: (state: { count: number; last: string }, event: AssayEvent) => {
        if (noteOf(event) === 'bad') throw new Error('cannot fold this');
        return tally.reduce(state, event);
      },
    };
    const projected = await journal.project(fragile);
    await journal.append([note('good')]);
    await journal.append([note('bad')]);
    await journal.append([note('good again')]);
    expect(() => projected.state).toThrow('projection fragile failed at event 2');
    expect(journal.lastSeq).toBe(3);
  });
}

function shortOf(result: IteratorResult<FollowItem>): unknown {
  if (result.done === true) return 'done';
  const item = result.value;
  if (item.kind === 'event') return ['event', item.event.seq];
  return item.kind === 'caught_up' ? ['caught_up', item.lastSeq] : ['reset', item.reason];
}
