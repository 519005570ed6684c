import { evaluate } from '../metrics/evaluate.ts';
import { BOOTSTRAP, type EvaluationRequest } from '../metrics/evaluation.ts';
import { LEVEL, percentileInterval, type Interval } from '../metrics/interval.ts';
import { recipes } from '../recipes/recipes.ts';
import { exactSignTest } from './exact-sign-test.ts';
import { holmAdjusted, holmLevels } from './holm.ts';
import { pairedReplicates, type PairedReplicates } from './paired-bootstrap.ts';

/** Chance of a false "better" anywhere in a family of comparisons. */
export const ALPHA = 0.05;
/** More resamples are not drawn; a family that needs more gives no verdict. */
export const MOST_RESAMPLES = 20_000;
/** More submissions are not compared at once. */
export const MOST_COMPARED = 10;

/** Two submissions by their place in the list, the first before the second. */
export interface Pair {
  readonly first: number;
  readonly second: number;
}

/** What one metric says of a pair: first − second, in the metric's own unit. */
export interface MetricDifference extends Pair {
  readonly metric: string;
  readonly direction: 'higher' | 'lower' | 'none';
  readonly difference: number;
  /** 95 %, for this pair and metric alone. */
  readonly interval?: Interval;
}

/** What the primary metric says of a pair after the correction for the whole family. */
export interface PrimaryTest extends Pair {
  readonly metric: string;
  readonly difference: number;
  /** Two-sided, from the resamples: 2 · (1 + those on the other side of zero) / (B + 1), at most 1. */
  readonly pBootstrap: number;
  readonly pHolm: number;
  /** At the level that Holm's correction leaves to this pair. */
  readonly corrected: Interval;
  /** At 1 − α / family: all of them hold at once. */
  readonly simultaneous: Interval;
  /** Rows that only the first got right (classification) or where it was closer (regression), and the other way round. */
  readonly firstOnly: number;
  readonly secondOnly: number;
  /** Exact test of these two counts: McNemar, or the sign test. For information; it decides nothing. */
  readonly pExact: number;
  /** 1 = the first is better, −1 = the second is, 0 = not distinguishable. */
  readonly outcome: 1 | 0 | -1;
}

export interface SubmissionComparison {
  /** Metrics of each submission, without those of single labels. */
  readonly values: readonly Readonly<Record<string, number>>[];
  readonly differences: readonly MetricDifference[];
  /** Empty when the primary metric has no value for one of a pair. */
  readonly tests: readonly PrimaryTest[];
  readonly B: number;
}

export interface ComparisonRequest {
  /** At least one; all of the same task, on the same rows in the same order. */
  readonly submissions: readonly EvaluationRequest[];
  readonly primary: string;
  /** Number of pairs that could have been compared: all formal runs of the protocol, not only those shown. */
  readonly family: number;
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Compares submissions on the same rows: every plain metric with its paired difference and interval, and the primary
 * metric with the decision after Holm's correction for `family` comparisons. The same input gives the same numbers.
 */
export async function compareSubmissions(request: ComparisonRequest): Promise<SubmissionComparison> {
  const { submissions, signal, seed = BOOTSTRAP.seed } = request;
  const B = resamplesFor(request.family);
  const values: Record<string, number>[] = [];
  for (const submission of submissions) values.push(plainMetrics(await evaluate({ ...submission, B: 0, signal })));
  const replicates = await pairedReplicates(submissions, { seed, B, signal });
  const differences = pairsOf(submissions.length).flatMap((pair) =>
    differencesOf(pair, values, { replicates, B, seed }),
  );
  return { values, differences, tests: testsOf(request, differences, { replicates, B, seed }), B };
}

/** 2,000, or as many as a larger family needs for its smallest level to lie within the resamples. */
export function resamplesFor(family: number): number {
  return Math.min(MOST_RESAMPLES, Math.max(BOOTSTRAP.B, Math.ceil((2 * family) / ALPHA - 1e-9)));
}

export function pairsOf(count: number): Pair[] {
  const places = Array.from({ length: count }, (_, at) => at);
  return places.flatMap((first) => places.slice(first + 1).map((second) => ({ first, second })));
}

interface Resampled {
  readonly replicates: PairedReplicates;
  readonly B: number;
  readonly seed: number;
}

const plain = recipes.filter(({ picks, direction }) => picks.length === 0 && direction !== 'none');

function plainMetrics({ metrics }: { readonly metrics: Readonly<Record<string, number>> }): Record<string, number> {
  const names = plain.map((recipe) => recipe.metric({}));
  return Object.fromEntries(names.flatMap((name) => (metrics[name] === undefined ? [] : [[name, metrics[name]]])));
}

function differencesOf(
  pair: Pair,
  values: readonly Readonly<Record<string, number>>[],
  resampled: Resampled,
): MetricDifference[] {
  return plain.flatMap((recipe) => {
    const metric = recipe.metric({});
    const first = values[pair.first]![metric];
    const second = values[pair.second]![metric];
    if (first === undefined || second === undefined) return [];
    const interval = intervalOf(replicatesOf(pair, metric, resampled), LEVEL, resampled);
    const { direction } = recipe;
    return [
      { ...pair, metric, direction, difference: first - second, ...(interval === undefined ? {} : { interval }) },
    ];
  });
}

function replicatesOf({ first, second }: Pair, metric: string, { replicates }: Resampled): Float64Array {
  const ours = replicates.of[first]!.get(metric) ?? new Float64Array(0);
  const theirs = replicates.of[second]!.get(metric) ?? new Float64Array(0);
  return ours.map((value, b) => value - theirs[b]!);
}

function intervalOf(
  differences: Float64Array,
  level: number,
  { replicates, B, seed }: Resampled,
): Interval | undefined {
  const ends = percentileInterval(differences, level);
  if (ends === undefined) return undefined;
  const { subsample, over } = replicates;
  const method = `paired bootstrap percentile over ${over}, B=${B}, seed=${seed}`;
  return { ...ends, level, method, ...(subsample === undefined ? {} : { subsample }) };
}

function testsOf(
  request: ComparisonRequest,
  differences: readonly MetricDifference[],
  resampled: Resampled,
): PrimaryTest[] {
  const { submissions, primary, family } = request;
  const tested = differences.filter(({ metric, interval }) => metric === primary && interval !== undefined);
  const replicates = tested.map((one) => replicatesOf(one, primary, resampled));
  const pValues = replicates.map(bootstrapP);
  const adjusted = holmAdjusted(pValues, family);
  const levels = holmLevels(pValues, family, ALPHA);
  return tested.map(({ first, second, metric, difference, direction }, i) => {
    const counts = closerRows(submissions[first]!, submissions[second]!);
    const corrected = intervalOf(replicates[i]!, levels[i]!, resampled)!;
    const excludesZero = corrected.low > 0 || corrected.high < 0;
    const towards = direction === 'lower' ? -Math.sign(difference) : Math.sign(difference);
    return {
      first,
      second,
      metric,
      difference,
      pBootstrap: pValues[i]!,
      pHolm: adjusted[i]!,
      corrected,
      simultaneous: intervalOf(replicates[i]!, 1 - ALPHA / family, resampled)!,
      ...counts,
      pExact: exactSignTest(counts.firstOnly, counts.secondOnly),
      outcome: excludesZero && adjusted[i]! <= ALPHA ? (towards as 1 | 0 | -1) : 0,
    };
  });
}

/** With one added to both counts, so that no finite number of resamples proves anything to be impossible (Davison and Hinkley 1997, 4.2). */
function bootstrapP(differences: Float64Array): number {
  const defined = differences.filter((value) => Number.isFinite(value));
  const notAbove = defined.reduce((count, value) => count + (value <= 0 ? 1 : 0), 0);
  const notBelow = defined.reduce((count, value) => count + (value >= 0 ? 1 : 0), 0);
  return Math.min(1, (2 * (1 + Math.min(notAbove, notBelow))) / (defined.length + 1));
}

function closerRows(first: EvaluationRequest, second: EvaluationRequest): { firstOnly: number; secondOnly: number } {
  let firstOnly = 0;
  let secondOnly = 0;
  for (let row = 0; row < first.targets.length; row += 1) {
    const lead = distance(second, row) - distance(first, row);
    if (lead > 0) firstOnly += 1;
    if (lead < 0) secondOnly += 1;
  }
  return { firstOnly, secondOnly };
}

/** 0 or 1 for a label, the absolute error for a number. */
function distance(submission: EvaluationRequest, row: number): number {
  if (submission.task === 'classification') return submission.targets[row] === submission.predictions[row] ? 0 : 1;
  return Math.abs(submission.targets[row]! - submission.predictions[row]!);
}
