import { AssayError } from '@assay/foundation';
import { compareLabels } from '../data/typed-cell.ts';
import {
  bootstrapCells,
  bootstrapRows,
  resampledPart,
  type BootstrapOptions,
  type Measure,
  type RowResampling,
} from './bootstrap.ts';
import { CompensatedSum } from './compensated-sum.ts';
import { cellOfRow, confusionMatrix, confusionOfMany, Tally, type ClassMetrics, type Confusion } from './confusion.ts';
import { BOOTSTRAP, type ClassificationRequest, type Evaluation } from './evaluation.ts';
import type { Interval } from './interval.ts';
import {
  allLabels,
  areaBetween,
  labelsToRank,
  logLosses,
  meanArea,
  rankLabel,
  sidesOf,
  weightedAuroc,
  type RankedLabel,
  type Scores,
} from './scores.ts';
import { turn } from './turn.ts';

const MATRIX_LABELS = 100;

export async function evaluateClassification(request: ClassificationRequest): Promise<Evaluation> {
  const compare = compareLabels(request.labelType ?? 'text');
  const { seed = BOOTSTRAP.seed, B = BOOTSTRAP.B, signal } = request;
  const options = { seed, B, signal };
  const confusion = await confusionOfMany(request.targets, request.predictions, { compare, signal });
  await turn(signal);
  const counted = await countMetrics(confusion, request, options);
  const scored = request.scores === undefined ? noScores() : await scoreMetrics(request, request.scores, options);
  return {
    task: 'classification',
    rows: confusion.rows,
    metrics: { ...counted.metrics, ...scored.metrics },
    intervals: Object.fromEntries([...counted.intervals, ...scored.intervals]),
    undefined: scored.undefined,
    labels: confusion.labels,
    perClass: counted.perClass,
    ...(confusion.labels.length <= MATRIX_LABELS ? { confusion: confusionMatrix(confusion) } : {}),
    notes: scored.notes,
  };
}

interface CountMetrics {
  readonly metrics: Record<string, number>;
  readonly intervals: ReadonlyMap<string, Interval>;
  readonly perClass: readonly ClassMetrics[];
}

async function countMetrics(
  confusion: Confusion,
  request: ClassificationRequest,
  options: BootstrapOptions,
): Promise<CountMetrics> {
  const { labels } = confusion;
  const names = [
    'accuracy',
    'macro_f1',
    ...labels.flatMap((label) => [`precision/${label}`, `recall/${label}`, `f1/${label}`]),
  ];
  const tally = new Tally(confusion);
  const measure = (count: Float64Array): readonly number[] => {
    tally.set(count);
    return [
      tally.accuracy(),
      tally.macroF1(),
      ...labels.flatMap((_, label) => [tally.precision(label), tally.recall(label), tally.f1(label)]),
    ];
  };
  const values = measure(confusion.count);
  const perClass = labels.map((label, i) => ({
    label,
    precision: tally.precision(i),
    recall: tally.recall(i),
    f1: tally.f1(i),
    support: tally.support[i]!,
  }));
  return {
    metrics: Object.fromEntries(names.map((name, i) => [name, values[i]!])),
    intervals:
      request.groups === undefined
        ? await bootstrapCells(confusion.count, confusion.rows, { names, measure, options })
        : await bootstrapGroups(confusion, request, { names, measure, options }),
    perClass,
  };
}

/** Count metrics when rows of a group belong together: whole groups are resampled, and their cells counted. */
async function bootstrapGroups(
  confusion: Confusion,
  { targets, predictions, groups }: ClassificationRequest,
  { names, measure, options }: RowResampling,
): Promise<ReadonlyMap<string, Interval>> {
  const part = await resampledPart(targets.length, options, groups);
  const cells = cellOfRow(confusion, targets, predictions);
  const rowCells = part.rows.map((row) => cells[row]!);
  const count = new Float64Array(confusion.count.length);
  const measureRows = (weight: Float64Array): readonly number[] => {
    count.fill(0);
    for (let i = 0; i < rowCells.length; i += 1) count[rowCells[i]!]! += weight[i]!;
    return measure(count);
  };
  return bootstrapRows(part, targets.length, { names, measure: measureRows, options });
}

interface ScoreMetrics {
  readonly metrics: Record<string, number>;
  readonly intervals: ReadonlyMap<string, Interval>;
  readonly undefined: Record<string, string>;
  readonly notes: readonly string[];
}

function noScores(): ScoreMetrics {
  const why = 'the predictions have no scores';
  return { metrics: {}, intervals: new Map(), undefined: { auroc: why, log_loss: why }, notes: [] };
}

async function scoreMetrics(
  request: ClassificationRequest,
  scores: Scores,
  options: BootstrapOptions,
): Promise<ScoreMetrics> {
  await turn(options.signal);
  checkScores(request.targets.length, scores);
  await turn(options.signal);
  if (allLabels(request.targets, scores).size < 2) {
    const why = 'there is only one label';
    return { metrics: {}, intervals: new Map(), undefined: { auroc: why, log_loss: why }, notes: [] };
  }
  const values = await scoreValues(request, scores);
  const names = Object.keys(values) as (keyof ScoreValues)[];
  const intervals = await scoreIntervals(request, scores, options);
  const defined = names.flatMap((name) => (Number.isFinite(values[name]) ? [[name, values[name]] as const] : []));
  const missing: Record<string, string> = {};
  if (!defined.some(([name]) => name === 'auroc')) missing['auroc'] = 'the targets hold only one label';
  const kept = new Map([...intervals].filter(([name]) => missing[name] === undefined));
  return {
    metrics: Object.fromEntries(defined),
    intervals: kept,
    undefined: missing,
    notes: scoreNotes(request, scores),
  };
}

interface ScoreValues {
  readonly auroc: number;
  readonly log_loss: number;
}

/** Over all rows; other work of the process gets a turn between any two steps over all of them. */
async function scoreValues(request: ClassificationRequest, scores: Scores): Promise<ScoreValues> {
  const { targets, signal } = request;
  const areas: number[] = [];
  await turn(signal);
  const ranked = labelsToRank(targets, scores, compareLabels(request.labelType ?? 'text'));
  for (const label of ranked) {
    await turn(signal);
    const sides = sidesOf(label, targets, scores);
    await turn(signal);
    sides.positives.sort();
    await turn(signal);
    sides.negatives.sort();
    await turn(signal);
    areas.push(areaBetween(sides));
  }
  await turn(signal);
  const loss = new CompensatedSum();
  for (const one of logLosses(targets, scores)) loss.add(one);
  await turn(signal);
  return { auroc: meanArea(areas), log_loss: loss.value / targets.length };
}

async function scoreIntervals(
  request: ClassificationRequest,
  scores: Scores,
  options: BootstrapOptions,
): Promise<ReadonlyMap<string, Interval>> {
  if (options.B === 0) return new Map();
  await turn(options.signal);
  const part = await resampledPart(request.targets.length, options, request.groups);
  await turn(options.signal);
  const targets = Array.from(part.rows, (row) => request.targets[row]!);
  const partScores = rowsOf(scores, part.rows);
  await turn(options.signal);
  const measure = await scoreMeasure({ ...request, targets, scores: partScores }, options.signal);
  return bootstrapRows(part, request.targets.length, { names: scoreNames, measure, options });
}

export const scoreNames = ['auroc', 'log_loss'] as const;

/** AUROC and log loss of weighted rows, in the order of `scoreNames`. */
export async function scoreMeasure(
  { targets, scores, labelType }: Pick<ClassificationRequest, 'targets' | 'labelType'> & { readonly scores: Scores },
  signal: AbortSignal | undefined,
): Promise<Measure> {
  const ranked: RankedLabel[] = [];
  for (const label of labelsToRank(targets, scores, compareLabels(labelType ?? 'text'))) {
    ranked.push(rankLabel(label, targets, scores));
    await turn(signal);
  }
  const losses = logLosses(targets, scores);
  return (weight) => {
    let loss = 0;
    let n = 0;
    for (let i = 0; i < losses.length; i += 1) {
      loss += losses[i]! * weight[i]!;
      n += weight[i]!;
    }
    return [meanArea(ranked.map((one) => weightedAuroc(one, weight))), loss / n];
  };
}

export function rowsOf(scores: Scores, rows: Uint32Array): Scores {
  const width = scores.labels.length;
  if (rows.length * width === scores.probabilities.length) return scores;
  const probabilities = new Float64Array(rows.length * width);
  rows.forEach((row, i) => {
    probabilities.set(scores.probabilities.subarray(row * width, (row + 1) * width), i * width);
  });
  return { labels: scores.labels, probabilities };
}

function checkScores(rows: number, scores: Scores): void {
  if (scores.probabilities.length !== rows * scores.labels.length)
    throw new AssayError('predictions_incomplete', 'the scores do not cover every row', {
      why: `${rows} rows of ${scores.labels.length} labels need ${rows * scores.labels.length} probabilities; there are ${scores.probabilities.length}.`,
      hint: 'Give every row a score for every label, or none at all.',
    });
  if (!scores.probabilities.every(Number.isFinite))
    throw new AssayError('predictions_not_finite', 'a score is not finite', {
      why: 'NaN and infinite numbers are no probabilities.',
      hint: 'Find out why the model gives them.',
    });
}

function scoreNotes(request: ClassificationRequest, scores: Scores): readonly string[] {
  const inTargets = new Set(request.targets);
  const absent = scores.labels.filter((label) => !inTargets.has(label));
  const unscored = [...inTargets].filter((label) => !scores.labels.includes(label));
  return [
    ...(absent.length > 0
      ? [`auroc leaves out labels that no evaluated row has: ${absent.slice(0, 20).join(', ')}`]
      : []),
    ...(unscored.length > 0
      ? [`the scores lack these labels, which count as probability 0: ${unscored.slice(0, 20).join(', ')}`]
      : []),
  ];
}
