import { compareLabels } from '../data/typed-cell.ts';
import { replicateRows, resampledPart, type BootstrapOptions, type Measure } from '../metrics/bootstrap.ts';
import { cellOfRow, confusionOf, Tally } from '../metrics/confusion.ts';
import { rowsOf, scoreMeasure, scoreNames } from '../metrics/evaluate-classification.ts';
import { regressionMeasure, regressionNames } from '../metrics/evaluate-regression.ts';
import type { ClassificationRequest, EvaluationRequest } from '../metrics/evaluation.ts';
import { streams } from '../prng.ts';

/** The metrics of one submission in each resample: B numbers for each name, NaN where one is undefined. */
export type Replicates = ReadonlyMap<string, Float64Array>;

export interface PairedReplicates {
  /** One for each submission, in their order. */
  readonly of: readonly Replicates[];
  /** What was drawn: rows, or whole groups. */
  readonly over: string;
  /** Set when a random part of the rows was resampled instead of all. */
  readonly subsample?: number;
}

/**
 * Resamples rows and measures every submission on the same resample, so that a difference of two of them is the paired
 * bootstrap of that difference (Efron and Tibshirani 1993, chapter 8; Koehn 2004 for comparing systems). All submissions
 * predict the same rows in the same order.
 */
export async function pairedReplicates(
  submissions: readonly EvaluationRequest[],
  options: BootstrapOptions,
): Promise<PairedReplicates> {
  const total = submissions[0]!.targets.length;
  const resampled = await resampledPart(total, options, submissions[0]!.groups);
  const { rows } = resampled;
  const parts: { readonly names: readonly string[]; readonly measure: Measure }[] = [];
  for (const submission of submissions) parts.push(await measureOf(submission, rows, options.signal));
  const names = parts.flatMap((part, i) => part.names.map((name) => `${i}/${name}`));
  const measure: Measure = (weight) => parts.flatMap((part) => part.measure(weight));
  const all = await replicateRows(resampled, { names, measure, options }, streams.paired);
  const of = parts.map((part, i) => new Map(part.names.map((name) => [name, all.get(`${i}/${name}`)!])));
  const over = resampled.clusters === undefined ? 'rows' : `${resampled.clusterCount} groups`;
  return { of, over, ...(rows.length < total ? { subsample: rows.length } : {}) };
}

async function measureOf(submission: EvaluationRequest, rows: Uint32Array, signal: AbortSignal | undefined) {
  if (submission.task === 'regression') {
    const { targets, predictions } = submission;
    const measure = regressionMeasure(Float64Array.from(targets), Float64Array.from(predictions), rows);
    return { names: regressionNames, measure };
  }
  const part = {
    ...submission,
    targets: Array.from(rows, (row) => submission.targets[row]!),
    predictions: Array.from(rows, (row) => submission.predictions[row]!),
  };
  const counted = countMeasure(part);
  if (submission.scores === undefined) return { names: countNames, measure: counted };
  const scored = await scoreMeasure({ ...part, scores: rowsOf(submission.scores, rows) }, signal);
  const names = [...countNames, ...scoreNames];
  return { names, measure: (weight: Float64Array) => [...counted(weight), ...scored(weight)] };
}

const countNames = ['accuracy', 'macro_f1'] as const;

/** Accuracy and macro-F1 of weighted rows. */
function countMeasure({ targets, predictions, labelType }: ClassificationRequest): Measure {
  const confusion = confusionOf(targets, predictions, compareLabels(labelType ?? 'text'));
  const cells = cellOfRow(confusion, targets, predictions);
  const count = new Float64Array(confusion.count.length);
  const tally = new Tally(confusion);
  return (weight) => {
    count.fill(0);
    for (let row = 0; row < cells.length; row += 1) count[cells[row]!]! += weight[row]!;
    tally.set(count);
    return [tally.accuracy(), tally.macroF1()];
  };
}
