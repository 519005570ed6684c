import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { assertProperty, verifies } from '@assay/testkit';
import { ByteView, hashBytes } from '../src/data/byte-view.ts';
import { CountBudget, ValueCounter } from '../src/profile/value-counter.ts';

/** Counts cells that lie one behind another at odd places of one buffer, as rows do. */
function counted(cells: readonly Uint8Array[]): ValueCounter {
  const counter = new ValueCounter(new CountBudget());
  const view = new ByteView(Buffer.concat([Buffer.from('#'), ...cells]));
  let at = 1;
  for (const cell of cells) {
    counter.add(view, at, at + cell.length);
    at += cell.length;
  }
  return counter;
}

/** Few letters, so that values repeat and differ in one place only. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', '\u0000', 'ÿ'), maxLength: 14 });

describe('the counter of distinct values', () => {
  test('counts as a map of texts does', async () => {
    verifies('evaluation.distinct-bound');
    await assertProperty(
      fc.asyncProperty(fc.array(text, { maxLength: 300 }), async (texts) => {
        const expected = new Map<string, number>();
        for (const value of texts) expected.set(value, (expected.get(value) ?? 0) + 1);
        const counter = counted(texts.map((value) => Buffer.from(value)));
        expect(counter.distinct).toBe(expected.size);
        expect([...counter.entries()]).toEqual([...expected].map(([value, count]) => ({ text: value, count })));
      }),
      { name: 'value-counter', test: import.meta.url, numRuns: 500 },
    );
  });

  test('tells long values apart by each of their bytes', () => {
    verifies('evaluation.distinct-bound');
    for (const length of [5, 7, 8, 9, 31, 256, 257, 1000]) {
      const plain = Buffer.alloc(length, 'x');
      const changed = Array.from({ length }, (_, i) => {
        const copy = Buffer.from(plain);
        copy[i] = 0x79;
        return copy;
      });
      expect(counted([plain, ...changed, plain, ...changed]).distinct).toBe(length + 1);
    }
  });

  test('values whose hashes are the same are told apart by their bytes', () => {
    verifies('evaluation.distinct-bound');
    const [first, second] = collision();
    expect(hashBytes(new ByteView(first), 0, 8)).toBe(hashBytes(new ByteView(second), 0, 8));
    expect(first.equals(second)).toBe(false);
    expect(counted([first, second, first, second]).distinct).toBe(2);
  });

  test('hashes of up to four bytes are one-to-one for a length', () => {
    verifies('evaluation.distinct-bound');
    const view = new ByteView(Buffer.alloc(4));
    const tried = { 1: 256, 2: 65_536, 3: 1 << 20, 4: 1 << 20 };
    for (const [length, values] of Object.entries(tried)) {
      const hashes = new Uint32Array(values);
      for (let i = 0; i < values; i += 1) {
        // Spread over all values of four bytes; the multiplier is odd, so none comes twice.
        view.words.setInt32(0, Number(length) === 4 ? Math.imul(i, 0x9e3779b1) : i, true);
        hashes[i] = hashBytes(view, 0, Number(length));
      }
      expect(new Set(hashes).size).toBe(values);
    }
  });
});

/** Two values of eight bytes with one hash, found by trying: about 2^16 tries (birthday bound). */
function collision(): readonly [Buffer, Buffer] {
  const seen = new Map<number, number>();
  const view = new ByteView(Buffer.alloc(8));
  for (let i = 0; i < 5_000_000; i += 1) {
    view.words.setInt32(0, i, true);
    view.words.setInt32(4, Math.imul(i, 0x27d4eb2f) ^ (i >>> 3), true);
    const hash = hashBytes(view, 0, 8);
    const other = seen.get(hash);
    if (other === undefined) {
      seen.set(hash, i);
      continue;
    }
    const second = Buffer.from(view.bytes);
    view.words.setInt32(0, other, true);
    view.words.setInt32(4, Math.imul(other, 0x27d4eb2f) ^ (other >>> 3), true);
    return [Buffer.from(view.bytes), second];
  }
  throw new Error('no two values with one hash were found');
}
