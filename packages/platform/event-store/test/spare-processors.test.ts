import { verifies } from '@assay/testkit';
import { expect, it } from 'vitest';
import { SpareProcessors } from '../src/spare-processors.ts';

/** What is said at moments 10 ms apart (or `step`) while that many threads can run. */
function said(count: number, runnable: readonly number[], step = 10): boolean[] {
  let now = 0;
  let threads = 0;
  const spare = new SpareProcessors({ count, now: () => now, runnable: () => threads });
  return runnable.map((value) => {
    now += step;
    threads = value;
    return spare.any;
  });
}

it('processors are spare when several looks in a row found no thread waiting', () => {
  verifies('event-store.sleeps-when-idle');
  expect(said(2, [1, 2, 2, 1, 2])).toEqual([false, false, false, true, true]);
  expect(said(2, [1, 2, 2, 1, 3, 1, 1, 1, 1])).toEqual([false, false, false, true, false, false, false, false, true]);
  expect(said(8, [5, 8, 6, 7])).toEqual([false, false, false, true]);
});

it('processors are not spare when there is one, or nothing is known, or the looks lie far apart', () => {
  verifies('event-store.sleeps-when-idle');
  expect(said(1, [1, 1, 1, 1, 1, 1])).toEqual([false, false, false, false, false, false]);
  const unknown = Number.POSITIVE_INFINITY;
  expect(said(2, [unknown, unknown, unknown, unknown, unknown])).toEqual([false, false, false, false, false]);
  expect(said(2, [1, 1, 1, 1, 1], 1000)).toEqual([false, false, false, false, false]);
});
