import { assertProperty, verifies } from '@assay/testkit';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { PersistentArray } from '../src/persistent-array.ts';
import { RankSet } from '../src/rank-set.ts';

const sizes = fc.oneof(fc.nat({ max: 70 }), fc.constantFrom(31, 32, 33, 1023, 1024, 1025, 33_000));

it('a persistent array is an array whose versions do not touch each other', async () => {
  verifies('plan.fold');
  const changes = fc.array(fc.tuple(fc.nat(), fc.string()), { maxLength: 30 });
  await assertProperty(
    fc.asyncProperty(sizes, changes, async (size, changes) => {
      const plain = Array.from({ length: size }, (_, at) => String(at));
      let array = PersistentArray.from(plain);
      const first = array;
      const original = [...plain];
      for (const [at, value] of size === 0 ? [] : changes) {
        plain[at % size] = value;
        array = array.with(at % size, value);
        expect(array.get(at % size)).toBe(value);
      }
      expect(array.toArray()).toEqual(plain);
      expect(first.toArray()).toEqual(original);
    }),
    { name: 'persistent-array', test: import.meta.url, numRuns: 200 },
  );
});

it('an index outside the array is refused', () => {
  verifies('plan.fold');
  const array = PersistentArray.from(['a', 'b']);
  for (const index of [-1, 2, 0.5, Number.NaN]) expect(() => array.get(index)).toThrow(RangeError);
  expect(() => array.with(2, 'c')).toThrow(RangeError);
});

it('a rank set is a sorted set whose versions do not touch each other', async () => {
  verifies('plan.fold');
  const changes = fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 40_000 })), { maxLength: 60 });
  await assertProperty(
    fc.asyncProperty(fc.constantFrom(1, 32, 33, 1024, 40_000), changes, async (capacity, changes) => {
      const plain = new Set<number>();
      let set = RankSet.empty(capacity);
      for (const [isAdded, any] of changes) {
        const member = any % capacity;
        const before = [...set];
        const next = isAdded ? set.add(member) : set.delete(member);
        expect([...set]).toEqual(before);
        if (isAdded) plain.add(member);
        else plain.delete(member);
        set = next;
        expect(set.has(member)).toBe(isAdded);
      }
      const sorted = [...plain].sort((a, b) => a - b);
      expect([...set]).toEqual(sorted);
      expect(set.first).toBe(sorted[0]);
      expect(set.size).toBe(sorted.length);
    }),
    { name: 'rank-set', test: import.meta.url, numRuns: 300 },
  );
});
