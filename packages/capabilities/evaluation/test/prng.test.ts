import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { rowNumbers } from '../src/metrics/bootstrap.ts';
import { shuffleInParts } from '../src/metrics/turn.ts';
import { Prng, shuffle } from '../src/prng.ts';

describe('the random numbers', () => {
  test('are those of the reference implementation of xoshiro128** 1.1', () => {
    verifies('evaluation.prng-reference');
    const prng = Prng.fromState([1, 2, 3, 4]);
    // The first ten outputs of the authors' C program started with the state {1, 2, 3, 4}.
    expect(Array.from({ length: 10 }, () => prng.next())).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  test('of one seed and stream never change', () => {
    verifies('evaluation.prng-reference');
    const draws = (seed: number, stream: number) => {
      const prng = new Prng(seed, stream);
      return [prng.next(), prng.next(), prng.next()];
    };
    // Written down from a second implementation, in Python.
    expect(draws(17, 1)).toEqual([694457218, 2999960806, 1987661958]);
    expect(draws(17, 2)).toEqual([1123980902, 1093317581, 350437983]);
    expect(draws(18, 1)).toEqual([1858145113, 210243316, 3554015691]);
  });

  test('below a bound they are even, also for bounds that do not divide 2^32', () => {
    verifies('evaluation.prng-reference');
    const prng = new Prng(1);
    const counts = new Float64Array(7);
    for (let i = 0; i < 70_000; i += 1) counts[prng.below(7)]! += 1;
    // Chi-square with 6 degrees of freedom: 22.5 is passed once in a thousand.
    const chi = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    expect(chi).toBeLessThan(22.5);
  });

  test('shuffle in parts as at once', async () => {
    verifies('evaluation.in-turns');
    for (const rows of [0, 1, 2, 199_999, 200_000, 200_001, 450_000]) {
      const [once, inParts] = [rowNumbers(rows), rowNumbers(rows)];
      shuffle(once, new Prng(3));
      await shuffleInParts(inParts, new Prng(3), undefined);
      expect(Buffer.from(inParts.buffer).equals(Buffer.from(once.buffer))).toBe(true);
    }
  });

  test('shuffle every order equally often', () => {
    verifies('evaluation.prng-reference');
    const prng = new Prng(2);
    const seen = new Map<string, number>();
    for (let i = 0; i < 24_000; i += 1) {
      const values = Uint32Array.of(0, 1, 2, 3);
      shuffle(values, prng);
      seen.set(values.join(''), (seen.get(values.join('')) ?? 0) + 1);
    }
    expect(seen.size).toBe(24);
    // Chi-square with 23 degrees of freedom: 49.7 is passed once in a thousand.
    const chi = [...seen.values()].reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(chi).toBeLessThan(49.7);
  });
});
