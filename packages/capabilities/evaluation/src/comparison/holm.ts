/**
 * Holm's step-down correction (1979): the k-th smallest of the p-values is multiplied by `family` − k + 1, made
 * monotone and cut at 1. `family` counts every test that could have been looked at; those that are not among `pValues`
 * are taken to come last, which corrects most.
 */
export function holmAdjusted(pValues: readonly number[], family: number): number[] {
  const adjusted = pValues.map(() => 1);
  let largest = 0;
  rankOrder(pValues).forEach((at, rank) => {
    largest = Math.max(largest, Math.min(1, (family - rank) * pValues[at]!));
    adjusted[at] = largest;
  });
  return adjusted;
}

/**
 * The level that each test's interval has after Holm's correction: 1 − α / (family − k + 1) for the k-th smallest
 * p-value while all before it were significant; once one was not, all after it keep its level.
 */
export function holmLevels(pValues: readonly number[], family: number, alpha: number): number[] {
  const levels = pValues.map(() => 1);
  let level = 1;
  let stopped = false;
  rankOrder(pValues).forEach((at, rank) => {
    if (!stopped) level = 1 - alpha / (family - rank);
    levels[at] = level;
    if (pValues[at]! > alpha / (family - rank)) stopped = true;
  });
  return levels;
}

/** Positions by ascending p-value; equal ones keep their order. */
function rankOrder(pValues: readonly number[]): number[] {
  return pValues.map((_, at) => at).sort((a, b) => pValues[a]! - pValues[b]! || a - b);
}
