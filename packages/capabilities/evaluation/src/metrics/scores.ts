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

/** The labels of scores and targets, without an array of all rows on the way. */
export function allLabels(targets: readonly string[], scores: Scores): ReadonlySet<string> {
  const all = new Set(scores.labels);
  for (const label of targets) all.add(label);
  return all;
}

/** What AUROC ranks: one label of two (the greater), or each of more. */
export function labelsToRank(
  targets: readonly string[],
  scores: Scores,
  compare: (a: string, b: string) => number,
): readonly string[] {
  const all = [...allLabels(targets, scores)].sort(compare);
  return all.length === 2 ? all.slice(1) : all;
}

/** The scores of one label, in the rows that have the label and in those that have not. */
export interface Sides {
  readonly positives: Float64Array;
  readonly negatives: Float64Array;
}

export function sidesOf(label: string, targets: readonly string[], scores: Scores): Sides {
  const score = scoresOf(label, targets.length, scores);
  const positives = new Float64Array(score.length);
  const negatives = new Float64Array(score.length);
  let found = 0;
  for (let row = 0; row < score.length; row += 1) {
    if (targets[row] === label) {
      positives[found] = score[row]!;
      found += 1;
    } else negatives[row - found] = score[row]!;
  }
  return { positives: positives.subarray(0, found), negatives: negatives.subarray(0, score.length - found) };
}

/** Area under the ROC curve of one label, over all rows. */
export function aurocOf(label: string, targets: readonly string[], scores: Scores): number {
  const { positives, negatives } = sidesOf(label, targets, scores);
  return areaBetween({ positives: positives.sort(), negatives: negatives.sort() });
}

/**
 * Area under the ROC curve of one label from its sorted sides = the chance that a row with the label has a higher score
 * than one without, ties counting half (Mann and Whitney). NaN when one side has no row.
 */
export function areaBetween({ positives, negatives }: Sides): number {
  let wins = 0;
  let below = 0;
  let upTo = 0;
  for (const value of positives) {
    while (below < negatives.length && negatives[below]! < value) below += 1;
    upTo = Math.max(upTo, below);
    while (upTo < negatives.length && negatives[upTo] === value) upTo += 1;
    wins += (below + upTo) / 2;
  }
  return wins / positives.length / negatives.length;
}

function scoresOf(label: string, rows: number, scores: Scores): Float64Array {
  const width = scores.labels.length;
  const column = scores.labels.indexOf(label);
  const score = new Float64Array(rows);
  if (column !== -1) for (let row = 0; row < rows; row += 1) score[row] = scores.probabilities[row * width + column]!;
  return score;
}

/** One label ranked over the rows, for resampling. */
export function rankLabel(label: string, targets: readonly string[], scores: Scores): RankedLabel {
  const score = scoresOf(label, targets.length, scores);
  const order = Uint32Array.from(targets, (_, row) => row).sort((a, b) => score[a]! - score[b]! || a - b);
  const groupEnd = Uint8Array.from(order, (row, i) => (score[row] === score[order[i + 1] ?? -1] ? 0 : 1));
  return { label, order, groupEnd, positive: Uint8Array.from(targets, (target) => (target === label ? 1 : 0)) };
}

/** The same area when each row counts as often as a resample drew it. */
export function weightedAuroc(ranked: RankedLabel, weight: Float64Array): number {
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

/** The mean of the areas that have a value; NaN when none has. */
export function meanArea(areas: Iterable<number>): number {
  let total = 0;
  let labels = 0;
  for (const area of areas) {
    if (Number.isNaN(area)) continue;
    total += area;
    labels += 1;
  }
  return total / labels;
}
