import { CompensatedSum } from './compensated-sum.ts';

export interface RegressionMetrics {
  readonly mse: number;
  readonly mae: number;
  readonly rmse: number;
  readonly r2: number;
}

/**
 * mse = mean (y − ŷ)², mae = mean |y − ŷ|, rmse = √mse, r2 = 1 − Σ(y − ŷ)² / Σ(y − ȳ)². For constant y, r2 is 1 when
 * every prediction is right and else 0, as in scikit-learn; for fewer than two rows it is NaN.
 */
export function regressionMetrics(targets: Float64Array, predictions: Float64Array): RegressionMetrics {
  return metricsOf(targets, sumsOf(targets, predictions));
}

/** The sums of one pass over all rows: Σ(y − ŷ)², Σ|y − ŷ| and Σy. */
export interface RegressionSums {
  readonly squares: number;
  readonly absolutes: number;
  readonly total: number;
}

export function sumsOf(targets: Float64Array, predictions: Float64Array): RegressionSums {
  const n = targets.length;
  const squares = new CompensatedSum();
  const absolutes = new CompensatedSum();
  const total = new CompensatedSum();
  for (let i = 0; i < n; i += 1) {
    const error = targets[i]! - predictions[i]!;
    squares.add(error * error);
    absolutes.add(Math.abs(error));
    total.add(targets[i]!);
  }
  return { squares: squares.value, absolutes: absolutes.value, total: total.value };
}

/** The second pass, around the mean that the first one gave. */
export function metricsOf(targets: Float64Array, { squares, absolutes, total }: RegressionSums): RegressionMetrics {
  const n = targets.length;
  const mean = total / n;
  const spread = new CompensatedSum();
  for (const target of targets) spread.add((target - mean) ** 2);
  const mse = squares / n;
  return { mse, mae: absolutes / n, rmse: Math.sqrt(mse), r2: r2(squares, spread.value, n) };
}

/** From the sum of squared errors and the sum of squares around the mean. */
export function r2(squares: number, spread: number, rows: number): number {
  if (rows < 2) return Number.NaN;
  if (spread > 0) return 1 - squares / spread;
  return squares === 0 ? 1 : 0;
}
