import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { evaluate } from '../src/index.ts';
import { binomial, multinomial } from '../src/metrics/binomial.ts';
import { percentileInterval } from '../src/metrics/interval.ts';
import { aurocOf, rankLabel, weightedAuroc } from '../src/metrics/scores.ts';
import { Prng } from '../src/prng.ts';

const targets = Array.from({ length: 300 }, (_, i) => ['a', 'b', 'c'][i % 3]!);
const predictions = targets.map((label, i) => (i % 5 === 0 ? 'a' : label));

describe('intervals', () => {
  test('are the same bytes every time', async () => {
    verifies('evaluation.interval-repeatable');
    const first = await evaluate({ task: 'classification', targets, predictions });
    const second = await evaluate({ task: 'classification', targets, predictions });
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
    expect(first.intervals['accuracy']).toEqual({
      low: 0.8266666666666667,
      high: 0.9033333333333333,
      level: 0.95,
      method: 'bootstrap percentile over confusion cells, B=2000, seed=17',
    });
    const numbers = targets.map((_, i) => Math.sin(i));
    const regression = await evaluate({
      task: 'regression',
      targets: numbers,
      predictions: numbers.map((v) => v * 0.9),
    });
    const { low, high, ...how } = regression.intervals['rmse']!;
    expect(how).toEqual({ level: 0.95, method: 'bootstrap percentile over rows, B=2000, seed=17' });
    // The quantiles that a second implementation gives, in Python with numpy.percentile.
    expect(low).toBeCloseTo(0.0676009, 7);
    expect(high).toBeCloseTo(0.07330094, 7);
  });

  test('of counts have the width of a binomial proportion', async () => {
    verifies('evaluation.interval-method');
    const { metrics, intervals } = await evaluate({ task: 'classification', targets, predictions });
    const share = metrics['accuracy']!;
    const half = 1.96 * Math.sqrt((share * (1 - share)) / 300);
    const { low, high } = intervals['accuracy']!;
    expect(low).toBeGreaterThan(share - half * 1.1);
    expect(low).toBeLessThan(share - half * 0.9);
    expect(high).toBeGreaterThan(share + half * 0.9);
    expect(high).toBeLessThan(share + half * 1.1);
  });

  test('of macro-F1 agree with resampling the rows one by one', async () => {
    verifies('evaluation.interval-method');
    const { intervals } = await evaluate({ task: 'classification', targets, predictions });
    const prng = new Prng(99);
    const replicates = new Float64Array(2000);
    for (let b = 0; b < replicates.length; b += 1) {
      const rows = targets.map(() => prng.below(targets.length));
      const again = await evaluate({
        task: 'classification',
        targets: rows.map((row) => targets[row]!),
        predictions: rows.map((row) => predictions[row]!),
        B: 0,
      });
      replicates[b] = again.metrics['macro_f1']!;
    }
    const byRows = percentileInterval(replicates)!;
    expect(Math.abs(byRows.low - intervals['macro_f1']!.low)).toBeLessThan(0.01);
    expect(Math.abs(byRows.high - intervals['macro_f1']!.high)).toBeLessThan(0.01);
  });

  test('of more than 100,000 rows rest on a subsample, and say so', async () => {
    verifies('evaluation.interval-subsample');
    const many = Float64Array.from({ length: 100_001 }, (_, i) => Math.cos(i));
    const found = await evaluate({ task: 'regression', targets: many, predictions: many.map((v) => v + 0.1), B: 5 });
    expect(found.rows).toBe(100_001);
    expect(found.intervals['mae']).toMatchObject({ subsample: 100_000 });
  });

  test('draw from the right binomial, below and above the switch of methods', () => {
    verifies('evaluation.interval-method');
    for (const [n, p] of [
      [20, 0.1],
      [50, 0.5],
      [1000, 0.003],
      [1_000_000, 0.37],
      [1000, 0.98],
    ] as const) {
      const prng = new Prng(5);
      const draws = 20_000;
      let sum = 0;
      let squares = 0;
      for (let i = 0; i < draws; i += 1) {
        const value = binomial(prng, n, p);
        sum += value;
        squares += value * value;
      }
      const mean = sum / draws;
      const variance = squares / draws - mean * mean;
      const deviation = Math.sqrt(n * p * (1 - p));
      expect(Math.abs(mean - n * p)).toBeLessThan((5 * deviation) / Math.sqrt(draws));
      expect(variance / (n * p * (1 - p))).toBeGreaterThan(0.94);
      expect(variance / (n * p * (1 - p))).toBeLessThan(1.06);
    }
  });

  test('draw every point of a small binomial as often as it should be', () => {
    verifies('evaluation.interval-method');
    // n = 25, p = 0.5: mean 12.5, so by rejection. Probabilities C(25, k) / 2^25 of 10 … 15.
    const expected = new Map([
      [10, 0.09741663932800293],
      [11, 0.13284087181091309],
      [12, 0.15498101711273193],
      [13, 0.15498101711273193],
      [14, 0.13284087181091309],
      [15, 0.09741663932800293],
    ]);
    const prng = new Prng(6);
    const counts = new Map<number, number>();
    for (let i = 0; i < 100_000; i += 1) {
      const value = binomial(prng, 25, 0.5);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    for (const [k, share] of expected)
      expect(Math.abs(counts.get(k)! / 100_000 - share)).toBeLessThan(5 * Math.sqrt((share * (1 - share)) / 100_000));
  });

  test('draw cells that sum to the number of rows', () => {
    verifies('evaluation.interval-method');
    const out = new Float64Array(4);
    const prng = new Prng(7);
    for (let i = 0; i < 1000; i += 1) {
      multinomial(prng, 77, Float64Array.of(10, 0, 60, 7), out);
      expect(out.reduce((sum, value) => sum + value, 0)).toBe(77);
      expect(out[1]).toBe(0);
    }
  });

  test('of scores rank every resample as all rows are ranked', () => {
    verifies('evaluation.interval-method');
    const labels = Array.from({ length: 60 }, (_, i) => ['a', 'b', 'c'][(i * i) % 3]!);
    const probabilities = Float64Array.from({ length: 180 }, (_, i) => ((i * 7) % 5) / 4);
    const scores = { labels: ['a', 'b', 'c'], probabilities };
    const ones = new Float64Array(60).fill(1);
    for (const ranked of ['a', 'b'].map((label) => rankLabel(label, labels, scores))) {
      const whole = aurocOf(ranked.label, labels, scores);
      expect(whole).toBeGreaterThan(0.2);
      expect(weightedAuroc(ranked, ones)).toBeCloseTo(whole, 14);
      // Drawing each row twice changes nothing, drawing the first half only is the first half.
      expect(
        weightedAuroc(
          ranked,
          ones.map(() => 2),
        ),
      ).toBeCloseTo(whole, 14);
      const half = { labels: scores.labels, probabilities: probabilities.slice(0, 90) };
      const first = ones.map((_, i) => (i < 30 ? 1 : 0));
      expect(weightedAuroc(ranked, first)).toBeCloseTo(aurocOf(ranked.label, labels.slice(0, 30), half), 14);
    }
  });
});
