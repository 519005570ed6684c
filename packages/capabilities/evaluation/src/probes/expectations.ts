/** The values that a probe may have. */
export interface Range {
  readonly low: number;
  readonly high: number;
  readonly says: string;
}

/** Standard deviations around chance that a shuffled submission may lie: by accident once in 10^9 or more. */
const DEVIATIONS = 6;

/** The most frequent label, the first of equals, and its share of the rows. */
export function majority(targets: readonly string[]): { readonly label: string; readonly share: number } {
  const counts = countLabels(targets);
  let best = { label: '', count: 0 };
  for (const [label, count] of counts) if (count > best.count) best = { label, count };
  return { label: best.label, share: best.count / targets.length };
}

/**
 * Accuracy of a random permutation of the targets. With label shares p: mean Σ p²; the variance of the number of hits is
 * Σ d² / (n − 1) over all pairs of rows, d = [same label] − p(row) − p(column) + Σ p² (Hoeffding 1951).
 */
export function accuracyWhenShuffled(targets: readonly string[]): Range {
  const n = targets.length;
  const counts = [...countLabels(targets).values()];
  const mean = counts.reduce((sum, count) => sum + (count / n) ** 2, 0);
  let squares = 0;
  for (let i = 0; i < counts.length; i += 1)
    for (let j = 0; j < counts.length; j += 1) {
      const d = (i === j ? 1 : 0) - counts[i]! / n - counts[j]! / n + mean;
      squares += counts[i]! * counts[j]! * d * d;
    }
  const deviation = n < 2 ? 1 : Math.sqrt(squares / (n - 1)) / n;
  return range(mean, DEVIATIONS * deviation + 1 / n, 'accuracy');
}

/** r2 of a random permutation of the targets: −1 + 2ρ, where the correlation ρ has mean −1/(n−1), variance 1/(n−1). */
export function r2WhenShuffled(n: number): Range {
  const spread = Math.max(1, n - 1);
  return range(-1 - 2 / spread, (DEVIATIONS * 2) / Math.sqrt(spread), 'r2');
}

function range(mean: number, width: number, metric: string): Range {
  const low = mean - width - 1e-9;
  const high = mean + width + 1e-9;
  const shown = (value: number) => Number(value.toPrecision(6));
  return { low, high, says: `${metric} between ${shown(low)} and ${shown(high)}, as by chance` };
}

function countLabels(targets: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const label of targets) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}
