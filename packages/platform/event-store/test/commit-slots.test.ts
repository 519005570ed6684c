import { verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { CommitSlots } from '../src/commit-slots.ts';

/** The two sides on one memory, as two threads have them. */
function bothSides(): { asker: CommitSlots; thread: CommitSlots } {
  const asker = new CommitSlots();
  return { asker, thread: new CommitSlots(asker.memory) };
}

describe('the memory that a commit goes through', () => {
  it('carries batches and their outcomes in order', () => {
    verifies('event-store.shared-memory');
    const { asker, thread } = bothSides();
    expect(thread.take()).toBeUndefined();
    expect(asker.collect()).toBeUndefined();
    expect(asker.place({ journal: 3, id: 11, count: 2, text: 'a\n牌🧪\n' })).toBe(true);
    expect(asker.place({ journal: 4, id: 12, count: 1, text: 'b\n' })).toBe(true);
    const first = thread.take()!;
    expect(first).toMatchObject({ journal: 3, id: 11, count: 2 });
    expect(first.bytes.toString('utf8')).toBe('a\n牌🧪\n');
    expect(asker.collect()).toBeUndefined();
    thread.finish(false);
    expect(asker.collect()).toEqual({ id: 11, failed: false });
    expect(thread.take()!.bytes.toString('utf8')).toBe('b\n');
    thread.finish(true);
    expect(thread.take()).toBeUndefined();
    expect(asker.collect()).toEqual({ id: 12, failed: true });
    expect(asker.collect()).toBeUndefined();
  });

  it('takes no more than it has room for, and again when outcomes were collected', () => {
    verifies('event-store.shared-memory');
    const { asker, thread } = bothSides();
    const place = (id: number) => asker.place({ journal: 1, id, count: 1, text: `${id}\n` });
    for (let id = 1; id <= 8; id++) expect(place(id)).toBe(true);
    expect(place(9)).toBe(false);
    thread.take();
    thread.finish(false);
    expect(place(9)).toBe(false);
    expect(asker.collect()).toEqual({ id: 1, failed: false });
    expect(place(9)).toBe(true);
    expect(place(10)).toBe(false);
    for (let id = 2; id <= 9; id++) {
      expect(thread.take()!.bytes.toString()).toBe(`${id}\n`);
      thread.finish(false);
      expect(asker.collect()).toEqual({ id, failed: false });
    }
  });

  it('refuses a batch that might not fit', () => {
    verifies('event-store.shared-memory');
    const { asker, thread } = bothSides();
    expect(asker.place({ journal: 1, id: 1, count: 1, text: 'x'.repeat(100_000) })).toBe(false);
    expect(asker.place({ journal: 1, id: 1, count: 1, text: '牌'.repeat(87_000) })).toBe(true);
    expect(thread.take()!.bytes).toHaveLength(261_000);
  });

  it('never lets the asking side sleep over an outcome', () => {
    verifies('event-store.shared-memory');
    const { asker, thread } = bothSides();
    asker.place({ journal: 1, id: 1, count: 1, text: 'a\n' });
    expect(asker.askerSleeps()).toBe(true);
    thread.take();
    thread.finish(false);
    expect(thread.wakeAsker()).toBe(true);
    expect(thread.wakeAsker()).toBe(false);
    expect(asker.askerSleeps()).toBe(false);
    expect(asker.collect()).toEqual({ id: 1, failed: false });
    expect(asker.askerSleeps()).toBe(true);
  });

  it('never lets the thread sleep over a question', () => {
    verifies('event-store.shared-memory');
    const { asker, thread } = bothSides();
    const { asked } = thread;
    asker.wake();
    expect(thread.asked).not.toBe(asked);
    thread.sleep(asked); // would never come back when it slept
  });
});
