export interface TimeSplitRequest {
  /** Rows that may be used, ascending. */
  readonly rows: Uint32Array;
  /** The time of each of them. */
  readonly times: Float64Array;
  /** Share of the rows that is wanted for testing. */
  readonly testFraction: number;
}

export interface TimeSplit {
  readonly train: Uint32Array;
  readonly test: Uint32Array;
  /** Every test row has this time or a later one, every training row an earlier one. */
  readonly from: number;
}

/**
 * Divides rows at a point in time. Rows of one time stay together: of all times but the first, the one is taken at which
 * the share of test rows is nearest to the wanted one, the earlier of two. Undefined when all rows have one time.
 */
export function splitByTime({ rows, times, testFraction }: TimeSplitRequest): TimeSplit | undefined {
  const sorted = times.slice().sort();
  const wanted = sorted.length * (1 - testFraction);
  let cut: number | undefined;
  for (let i = 1; i < sorted.length; i += 1) {
    if (sorted[i] === sorted[i - 1]) continue;
    if (cut === undefined || Math.abs(i - wanted) < Math.abs(cut - wanted)) cut = i;
  }
  if (cut === undefined) return undefined;
  const from = sorted[cut]!;
  return {
    train: rows.filter((_, i) => times[i]! < from),
    test: rows.filter((_, i) => times[i]! >= from),
    from,
  };
}
