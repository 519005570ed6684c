import type { EvaluationTask } from '@assay/contracts';
import { ENOUGH_ROWS } from './column-power.ts';

/**
 * In words, how the order of rows goes with the target; undefined when it does not. Labels are looked at by how often
 * they change from row to row against what a random order gives (Wald and Wolfowitz 1940), numbers by the correlation of
 * each with the one before it.
 */
export function rowOrder(targets: Float64Array, task: EvaluationTask): string | undefined {
  const values = targets.filter((value) => !Number.isNaN(value));
  if (values.length < ENOUGH_ROWS || task === 'inference') return undefined;
  return task === 'classification' ? labelOrder(values) : numberOrder(values);
}

function labelOrder(values: Float64Array): string | undefined {
  const counts = new Map<number, number>();
  let changes = 0;
  for (let i = 0; i < values.length; i += 1) {
    counts.set(values[i]!, (counts.get(values[i]!) ?? 0) + 1);
    if (i > 0 && values[i] !== values[i - 1]) changes += 1;
  }
  const same = [...counts.values()].reduce((sum, count) => sum + (count / values.length) ** 2, 0);
  const expected = (values.length - 1) * (1 - same);
  if (expected < 10 || changes > expected / 2) return undefined;
  return `the label changes ${changes} times in ${values.length} rows, ${Math.round(expected)} times in a random order`;
}

function numberOrder(values: Float64Array): string | undefined {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  let next = 0;
  let all = 0;
  for (let i = 0; i < values.length; i += 1) {
    all += (values[i]! - mean) ** 2;
    if (i > 0) next += (values[i]! - mean) * (values[i - 1]! - mean);
  }
  const correlation = all === 0 ? 0 : next / all;
  return correlation < 0.5
    ? undefined
    : `each value goes with the one before it, correlation ${correlation.toFixed(2)}`;
}
