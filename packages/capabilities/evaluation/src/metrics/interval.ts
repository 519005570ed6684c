/** A 95 % bootstrap interval and how it was made. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly method: string;
  /** Rows that were resampled when it is not all of them. */
  readonly subsample?: number;
}

export const LEVEL = 0.95;

/**
 * The percentile interval of replicates, by default quantiles 0.025 and 0.975, with linear interpolation (Hyndman and
 * Fan, type 7). Replicates in which the metric is undefined are NaN and left out; with fewer than half of them left there
 * is none.
 */
export function percentileInterval(replicates: Float64Array, level = LEVEL): { low: number; high: number } | undefined {
  const defined = replicates.filter((value) => Number.isFinite(value)).sort();
  if (defined.length < replicates.length / 2 || defined.length < 2) return undefined;
  return { low: quantile(defined, (1 - level) / 2), high: quantile(defined, 1 - (1 - level) / 2) };
}

function quantile(sorted: Float64Array, share: number): number {
  const at = (sorted.length - 1) * share;
  const below = Math.floor(at);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (at - below);
}
