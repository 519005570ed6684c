/** The value of the artifact `benchmark_metrics`, as far as the page shows it. */
export interface BenchmarkMetrics {
  readonly task: 'classification' | 'regression';
  readonly metrics: Readonly<Record<string, number>>;
  readonly intervals: Readonly<Record<string, readonly [number, number]>>;
  readonly labels: readonly string[] | null;
  readonly confusion: readonly (readonly number[])[] | null;
}

/** Throws when the record is of another shape. */
export function readMetrics(value: unknown): BenchmarkMetrics {
  const known = value as Partial<BenchmarkMetrics> | undefined;
  if (typeof known?.metrics !== 'object' || (known.task !== 'classification' && known.task !== 'regression'))
    throw new Error('the record of the metrics is of another version than this page');
  return {
    task: known.task,
    metrics: known.metrics,
    intervals: known.intervals ?? {},
    labels: known.labels ?? null,
    confusion: known.confusion ?? null,
  };
}
