import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import type { ColumnType } from '@assay/contracts';
import { evaluate } from '../src/index.ts';

interface ClassificationCase {
  labelType: ColumnType;
  targets: string[];
  predictions: string[];
  labels: string[];
  accuracy: number;
  macro_f1: number;
  precision: number[];
  recall: number[];
  f1: number[];
  support: number[];
  confusion: number[][];
}

interface ScoreCase {
  labelType: ColumnType;
  targets: string[];
  labels: string[];
  scores: number[][];
  auroc: number | null;
  log_loss: number;
}

interface RegressionCase {
  targets: number[];
  predictions: number[];
  mse: number;
  mae: number;
  rmse: number;
  r2: number;
}

function vectors<T>(name: string): T[] {
  const text = readFileSync(new URL(`vectors/${name}.jsonl`, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

/** Equal to 1e-12, absolute below 1 and relative above. */
function near(actual: number | undefined, expected: number, what: string): void {
  expect(actual, what).toBeTypeOf('number');
  const difference = Math.abs(actual! - expected);
  expect(difference, `${what}: ${actual} instead of ${expected}`).toBeLessThanOrEqual(
    1e-12 * Math.max(1, Math.abs(expected)),
  );
}

describe('metrics equal scikit-learn to 1e-12', () => {
  test('accuracy, macro-F1, precision, recall, F1 and confusion on 100 cases', async () => {
    verifies('evaluation.metrics-sklearn');
    const cases = vectors<ClassificationCase>('classification');
    expect(cases).toHaveLength(100);
    for (const [i, one] of cases.entries()) {
      const { labelType, targets, predictions } = one;
      const found = await evaluate({ task: 'classification', labelType, targets, predictions, B: 0 });
      expect(found.labels, `case ${i}`).toEqual(one.labels);
      expect(found.confusion, `case ${i}`).toEqual(one.confusion);
      near(found.metrics['accuracy'], one.accuracy, `case ${i} accuracy`);
      near(found.metrics['macro_f1'], one.macro_f1, `case ${i} macro_f1`);
      for (const [k, label] of one.labels.entries()) {
        near(found.metrics[`precision/${label}`], one.precision[k]!, `case ${i} precision of ${label}`);
        near(found.metrics[`recall/${label}`], one.recall[k]!, `case ${i} recall of ${label}`);
        near(found.metrics[`f1/${label}`], one.f1[k]!, `case ${i} F1 of ${label}`);
        expect(found.perClass?.[k]?.support, `case ${i} support of ${label}`).toBe(one.support[k]);
      }
    }
  });

  test('AUROC and log loss on 100 cases with ties, absent labels and one class', async () => {
    verifies('evaluation.metrics-sklearn');
    const cases = vectors<ScoreCase>('scores');
    expect(cases).toHaveLength(100);
    let undefinedAuroc = 0;
    for (const [i, one] of cases.entries()) {
      const { labelType, targets } = one;
      const scores = { labels: one.labels, probabilities: Float64Array.from(one.scores.flat()) };
      const found = await evaluate({ task: 'classification', labelType, targets, predictions: targets, scores, B: 0 });
      near(found.metrics['log_loss'], one.log_loss, `case ${i} log loss`);
      if (one.auroc === null) {
        undefinedAuroc += 1;
        expect(found.metrics).not.toHaveProperty('auroc');
        expect(found.undefined['auroc']).toBe('the targets hold only one label');
      } else near(found.metrics['auroc'], one.auroc, `case ${i} AUROC`);
    }
    expect(undefinedAuroc).toBeGreaterThanOrEqual(10);
  });

  test('mse, mae, rmse and r2 on 100 cases, also with constant targets', async () => {
    verifies('evaluation.metrics-sklearn');
    const cases = vectors<RegressionCase>('regression');
    expect(cases).toHaveLength(100);
    for (const [i, one] of cases.entries()) {
      const { targets, predictions } = one;
      const found = await evaluate({ task: 'regression', targets, predictions, B: 0 });
      for (const name of ['mse', 'mae', 'rmse', 'r2'] as const)
        near(found.metrics[name], one[name], `case ${i} ${name}`);
    }
  });

  test('labels that are names of object members are labels like any other', async () => {
    verifies('evaluation.prototype-safe');
    const targets = ['__proto__', 'constructor', '__proto__', 'toString'];
    const predictions = ['__proto__', '__proto__', '__proto__', 'hasOwnProperty'];
    const found = await evaluate({ task: 'classification', targets, predictions, B: 20 });
    expect(found.metrics['accuracy']).toBe(0.5);
    expect(found.metrics['recall/__proto__']).toBe(1);
    expect(found.metrics['precision/__proto__']).toBeCloseTo(2 / 3, 15);
    expect(found.labels).toEqual(['__proto__', 'constructor', 'hasOwnProperty', 'toString']);
  });
});
