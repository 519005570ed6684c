/** A probability for each label in each row, row after row. */
export interface Scores {
  readonly labels: readonly string[];
  /** rows × labels. */
  readonly probabilities: Float64Array;
}

/** The smallest probability that log loss distinguishes: the machine epsilon, as in scikit-learn. */
const EPSILON = 2 ** -52;

/** −ln of the probability of each row's own label, clipped to [ε, 1 − ε]. A label without a score has probability 0. */
export function logLosses(targets: readonly string[], scores: Scores): Float64Array {
  const column = new Map(scores.labels.map((label, i) => [label, i]));
  const width = scores.labels.length;
  return Float64Array.from(targets, (label, row) => {
    const at = column.get(label);
    const probability = at === undefined ? 0 : scores.probabilities[row * width + at]!;
    return -Math.log(Math.min(1 - EPSILON, Math.max(EPSILON, probability)));
  });
}

/** Rows of one label against the rest, sorted by that label's score, so that a resample needs no sorting. */
export interface RankedLabel {
  readonly label: string;
  /** Row numbers by ascending score. */
  readonly order: Uint32Array;
  /** 1 where a group of equal scores ends. */
  readonly groupEnd: Uint8Array;
  /** By row: 1 when the row has the label. */
  readonly positive: Uint8Array;
}

/** What AUROC ranks: one label of two (the greater), or each of more. */
export function rankLabels(
  targets: readonly string[],
  scores: Scores,
  compare: (a: string, b: string) => number,
): readonly RankedLabel[] {
  const all = [...new Set([...scores.labels, ...targets])].sort(compare);
  const ranked = all.length === 2 ? all.slice(1) : all;
  return ranked.map((label) => rankOne(label, targets, scores));
}

function rankOne(label: string, targets: readonly string[], scores: Scores): RankedLabel {
  const width = scores.labels.length;
  const column = scores.labels.indexOf(label);
  const score = Float64Array.from(targets, (_, row) =>
    column === -1 ? 0 : scores.probabilities[row * width + column]!,
  );
  const order = Uint32Array.from(targets, (_, row) => row).sort((a, b) => score[a]! - score[b]! || a - b);
  const groupEnd = Uint8Array.from(order, (row, i) => (score[row] === score[order[i + 1] ?? -1] ? 0 : 1));
  return { label, order, groupEnd, positive: Uint8Array.from(targets, (target) => (target === label ? 1 : 0)) };
}

/**
 * Area under the ROC curve = the chance that a row with the label has a higher score than one without, ties counting
 * half (Mann and Whitney). `weight` counts each row as often as a resample drew it. NaN when one side has no row.
 */
export function auroc(ranked: RankedLabel, weight: Float64Array): number {
  const { order, groupEnd, positive } = ranked;
  let wins = 0;
  let below = 0;
  let positives = 0;
  let groupPositive = 0;
  let groupNegative = 0;
  for (let i = 0; i < order.length; i += 1) {
    const row = order[i]!;
    if (positive[row] === 1) groupPositive += weight[row]!;
    else groupNegative += weight[row]!;
    if (groupEnd[i] === 0) continue;
    wins += groupPositive * (below + groupNegative / 2);
    below += groupNegative;
    positives += groupPositive;
    groupPositive = 0;
    groupNegative = 0;
  }
  return wins / (positives * below);
}

/** The mean over labels that have rows on both sides; NaN when there is none. */
export function macroAuroc(ranked: readonly RankedLabel[], weight: Float64Array): number {
  let total = 0;
  let labels = 0;
  for (const one of ranked) {
    const area = auroc(one, weight);
    if (Number.isNaN(area)) continue;
    total += area;
    labels += 1;
  }
  return total / labels;
}
