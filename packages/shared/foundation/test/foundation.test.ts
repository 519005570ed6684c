import { expect, test, vi } from 'vitest';
import { BoundedQueue, canonicalJson, idKind, isId, Mutex, newId, raceAbort, slug, systemClock } from '../src/index.ts';

test('canonical JSON sorts keys at every depth, keeps arrays, leaves out undefined', () => {
  expect(canonicalJson({ b: 1, a: { d: [3, { z: 1, y: null }], c: 'é"' }, e: undefined })).toBe(
    '{"a":{"c":"é\\"","d":[3,{"y":null,"z":1}]},"b":1}',
  );
  expect(() => canonicalJson({ a: Number.NaN })).toThrow('not a JSON number');
});

test('ids carry their kind, sort by creation, and only well-formed ones have a kind', () => {
  const first = newId('plan');
  const second = newId('plan');
  expect(first < second).toBe(true);
  expect(idKind(first)).toBe('plan');
  expect(isId('quest', first)).toBe(false);
  for (const bad of [
    'plan_',
    'plan_../../etc/passwd',
    'plan_01ARZ3NDEKTSV4RRFFQ69G5FAV/x',
    '',
    'PLAN_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  ])
    expect(idKind(bad)).toBeUndefined();
});

test('ids sort by creation also within a millisecond, when it runs out of numbers, and when the clock is set back', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2100-01-01T00:00:00.000Z') });
  try {
    // 2100-01-01T00:00:00.000Z in ten digits of Crockford's base 32.
    expect(newId('event')).toMatch(/^event_03QCPC7P00/);
    let last = newId('event');
    let sorted = true;
    for (let made = 0; made < 1_100_000; made++) {
      if (made === 1_099_990) vi.setSystemTime(Date.parse('2099-12-31T23:00:00.000Z'));
      const next = newId('event');
      sorted &&= last < next && isId('event', next);
      last = next;
    }
    expect(sorted).toBe(true);
    // Two milliseconds were used up; the hour that the clock was set back by does not show.
    expect(last).toMatch(/^event_03QCPC7P0[12]/);
  } finally {
    vi.useRealTimers();
  }
});

test('slugs keep letters of any script and nothing that a path gives a meaning', () => {
  expect(slug('Größe & Gewicht: Versuch #2')).toBe('größe-gewicht-versuch-2');
  expect(slug('企鹅 分类/../基准')).toBe('企鹅-分类-基准');
  expect(slug('../..')).toBe('untitled');
  expect(Array.from(slug('x'.repeat(100)))).toHaveLength(48);
});

test('a full queue refuses, says so, and still delivers what it took', async () => {
  const queue = new BoundedQueue<number>(2);
  expect([queue.push(1), queue.push(2), queue.push(3)]).toEqual([true, true, false]);
  expect(queue.overflowed).toBe(true);
  const seen: number[] = [];
  for await (const item of queue) seen.push(item);
  expect(seen).toEqual([1, 2]);
});

test('a mutex runs one after another in call order, also after a failure', async () => {
  const mutex = new Mutex();
  const order: string[] = [];
  const slow = mutex.run(async () => {
    await systemClock.sleep(20);
    order.push('slow');
    throw new Error('slow failed');
  });
  const fast = mutex.run(async () => void order.push('fast'));
  await expect(slow).rejects.toThrow('slow failed');
  await fast;
  expect(order).toEqual(['slow', 'fast']);
});

test('waiting ends with the reason of the signal', async () => {
  const stop = new AbortController();
  const waiting = raceAbort(new Promise(() => undefined), stop.signal);
  const sleeping = systemClock.sleep(60_000, stop.signal);
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(sleeping).rejects.toThrow('enough');
});
