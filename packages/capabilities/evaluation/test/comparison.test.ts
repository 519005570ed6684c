import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { compareSubmissions, type EvaluationRequest } from '../src/index.ts';
import { exactSignTest } from '../src/comparison/exact-sign-test.ts';
import { holmAdjusted, holmLevels } from '../src/comparison/holm.ts';
import { resamplesFor } from '../src/comparison/compare-submissions.ts';

interface Vectors {
  readonly exact: readonly { readonly wins: number; readonly losses: number; readonly p: number }[];
  readonly holm: readonly {
    readonly p: readonly number[];
    readonly adjusted: readonly number[];
    readonly reject: readonly boolean[];
  }[];
  readonly paired: readonly {
    readonly task: 'classification' | 'regression';
    readonly targets: readonly string[] | readonly number[];
    readonly first: readonly string[] | readonly number[];
    readonly second: readonly string[] | readonly number[];
    readonly differences: Readonly<Record<string, number>>;
    readonly intervals: Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>>;
    readonly wins: number;
    readonly losses: number;
    readonly p: number;
  }[];
}

const vectors = JSON.parse(readFileSync(new URL('vectors/comparison.jsonl', import.meta.url), 'utf8')) as Vectors;

function submissions(one: Vectors['paired'][number]): EvaluationRequest[] {
  return [one.first, one.second].map(
    (predictions) => ({ task: one.task, targets: one.targets, predictions }) as EvaluationRequest,
  );
}

const labels = Array.from({ length: 90 }, (_, i) => ['a', 'b', 'c'][i % 3]!);
/** Right on all rows but every n-th. */
function wrongEvery(n: number): EvaluationRequest {
  const predictions = labels.map((label, i) => (i % n === 0 ? (label === 'a' ? 'b' : 'a') : label));
  return { task: 'classification', targets: labels, predictions };
}

describe('the exact test', () => {
  test('equals McNemar of statsmodels and the binomial test of SciPy', () => {
    verifies('compare.reference-values');
    expect(vectors.exact.length).toBe(71);
    for (const { wins, losses, p } of vectors.exact)
      expect(Math.abs(exactSignTest(wins, losses) - p), `${wins} to ${losses}`).toBeLessThanOrEqual(
        1e-10 * Math.max(p, 1e-2),
      );
  });
});

describe("Holm's correction", () => {
  test('equals statsmodels when every test is shown', () => {
    verifies('compare.reference-values');
    expect(vectors.holm.length).toBe(40);
    for (const { p, adjusted, reject } of vectors.holm) {
      const ours = holmAdjusted(p, p.length);
      ours.forEach((value, i) => expect(value).toBeCloseTo(adjusted[i]!, 12));
      expect(ours.map((value) => value <= 0.05)).toEqual(reject);
    }
  });

  test('corrects for tests that are not shown as if they came last', () => {
    verifies('compare.attempts-corrected');
    expect(holmAdjusted([0.01, 0.004], 2)).toEqual([0.01, 0.008]);
    expect(holmAdjusted([0.01, 0.004], 10)).toEqual([0.09, 0.04]);
    const levels = (p: readonly number[], family: number) =>
      holmLevels(p, family, 0.05).map((level) => level.toFixed(4));
    expect(levels([0.01, 0.004], 2)).toEqual(['0.9500', '0.9750']);
    // 0.01 is not below 0.05 / 9, so the step-down stops there and its level holds for the rest.
    expect(levels([0.01, 0.004, 0.2], 10)).toEqual(['0.9944', '0.9950', '0.9944']);
  });

  test('draws as many resamples as the smallest level needs, at most 20,000', () => {
    verifies('compare.attempts-corrected');
    expect([1, 50, 51, 66, 500, 501].map(resamplesFor)).toEqual([2000, 2000, 2040, 2640, 20_000, 20_000]);
  });
});

describe('a comparison of submissions', () => {
  test('gives the differences of scikit-learn and the intervals of SciPy', async () => {
    verifies('compare.reference-values', 'compare.paired-intervals');
    for (const one of vectors.paired) {
      const found = await compareSubmissions({
        submissions: submissions(one),
        primary: one.task === 'classification' ? 'accuracy' : 'rmse',
        family: 1,
      });
      for (const [metric, difference] of Object.entries(one.differences)) {
        const ours = found.differences.find((candidate) => candidate.metric === metric)!;
        expect(ours.difference).toBeCloseTo(difference, 12);
        const [low, high] = one.intervals[metric]!['0.95']!;
        // Both are random: the ends differ by a few hundredths of the width.
        expect(Math.abs(ours.interval!.low - low)).toBeLessThan(0.08 * (high - low));
        expect(Math.abs(ours.interval!.high - high)).toBeLessThan(0.08 * (high - low));
        expect(ours.interval!.method).toBe('paired bootstrap percentile over rows, B=2000, seed=17');
      }
      const [primary] = found.tests;
      expect(primary).toMatchObject({ firstOnly: one.wins, secondOnly: one.losses, outcome: 1 });
      expect(primary!.pExact).toBeCloseTo(one.p, 12);
    }
  });

  test('with a larger family has the wider interval of its level', async () => {
    verifies('compare.attempts-corrected');
    const one = vectors.paired[0]!;
    const primary = 'accuracy';
    const [test] = (await compareSubmissions({ submissions: submissions(one), primary, family: 5 })).tests;
    expect(test!.simultaneous.level).toBeCloseTo(0.99, 12);
    const [low, high] = one.intervals[primary]!['0.99']!;
    expect(Math.abs(test!.simultaneous.low - low)).toBeLessThan(0.1 * (high - low));
    expect(Math.abs(test!.simultaneous.high - high)).toBeLessThan(0.1 * (high - low));
  });

  test('calls the same difference better or not, depending on how much was tried', async () => {
    verifies('compare.attempts-corrected', 'compare.better-only-when-proven');
    const outcomes: number[] = [];
    for (const family of [1, 3, 45]) {
      const { tests } = await compareSubmissions({
        submissions: [wrongEvery(30), wrongEvery(8)],
        primary: 'accuracy',
        family,
      });
      outcomes.push(tests[0]!.outcome);
      expect(tests[0]!.pHolm).toBeCloseTo(Math.min(1, family * tests[0]!.pBootstrap), 12);
    }
    expect(outcomes).toEqual([1, 1, 0]);
  });

  test('finds nothing between submissions that err equally often, and knows which way lower is better', async () => {
    verifies('compare.better-only-when-proven');
    const same = await compareSubmissions({
      submissions: [wrongEvery(9), wrongEvery(9)],
      primary: 'accuracy',
      family: 1,
    });
    expect(same.tests[0]).toMatchObject({ difference: 0, pBootstrap: 1, pHolm: 1, pExact: 1, outcome: 0 });
    expect(same.tests[0]!.corrected).toMatchObject({ low: 0, high: 0 });
    const targets = Array.from({ length: 80 }, (_, i) => Math.sin(i));
    const off = (by: number): EvaluationRequest => ({
      task: 'regression',
      targets,
      predictions: targets.map((value, i) => value + by * Math.cos(i * 7)),
    });
    const { tests } = await compareSubmissions({ submissions: [off(0.5), off(0.1)], primary: 'rmse', family: 1 });
    expect(tests[0]!.difference).toBeGreaterThan(0);
    expect(tests[0]!.outcome).toBe(-1);
  });

  test('is the same bytes every time and compares every pair and metric', async () => {
    verifies('compare.paired-intervals');
    const request = { submissions: [wrongEvery(4), wrongEvery(7), wrongEvery(11)], primary: 'accuracy', family: 3 };
    const found = await compareSubmissions(request);
    expect(JSON.stringify(await compareSubmissions(request))).toBe(JSON.stringify(found));
    expect(found.differences.map(({ first, second, metric }) => `${first}${second} ${metric}`)).toEqual([
      '01 accuracy',
      '01 macro_f1',
      '02 accuracy',
      '02 macro_f1',
      '12 accuracy',
      '12 macro_f1',
    ]);
    expect(found.values.map(({ accuracy }) => accuracy)).toEqual([67 / 90, 77 / 90, 81 / 90]);
  });
});
