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
  const mean = total.value / n;
  const spread = new CompensatedSum();
  for (const target of targets) spread.add((target - mean) ** 2);
  const mse = squares.value / n;
  return { mse, mae: absolutes.value / n, rmse: Math.sqrt(mse), r2: r2(squares.value, spread.value, n) };
}

/** From the sum of squared errors and the sum of squares around the mean. */
export function r2(squares: number, spread: number, rows: number): number {
  if (rows < 2) return Number.NaN;
  if (spread > 0) return 1 - squares / spread;
  return squares === 0 ? 1 : 0;
}
