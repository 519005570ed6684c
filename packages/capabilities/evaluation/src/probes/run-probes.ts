import { AssayError } from '@assay/foundation';
import { evaluate } from '../metrics/evaluate.ts';
import type { ClassificationRequest, Evaluation, EvaluationRequest, RegressionRequest } from '../metrics/evaluation.ts';
import { inParts, shuffleInParts, turn } from '../metrics/turn.ts';
import { Prng, streams } from '../prng.ts';
import { accuracyWhenShuffled, majority, r2WhenShuffled, type Range } from './expectations.ts';

export type ProbeName = 'null' | 'constant' | 'shuffled_labels' | 'oracle';

export interface Probe {
  readonly name: ProbeName;
  readonly passed: boolean;
  /** `accuracy` or `r2`. */
  readonly metric: string;
  /** What the evaluator gave; null when it refused. */
  readonly value: number | null;
  /** What it had to give, in words. */
  readonly expected: string;
}

export type ProbeTargets =
  Pick<ClassificationRequest, 'task' | 'targets' | 'labelType'> | Pick<RegressionRequest, 'task' | 'targets'>;

export interface ProbeOptions {
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
  /** The evaluator on trial; ours when absent. */
  readonly evaluate?: (request: EvaluationRequest) => Promise<Evaluation>;
}

/**
 * Four submissions with known answers, evaluated on the targets of this very run before the evaluator is trusted: no
 * predictions at all must be refused, the best constant must score what a constant scores, shuffled labels must score
 * like chance, the targets themselves must score perfectly. Throws `probe_failed` with all four results.
 */
export async function runProbes(on: ProbeTargets, options: ProbeOptions): Promise<readonly Probe[]> {
  const trial = await (on.task === 'classification' ? classificationTrial(on, options) : regressionTrial(on, options));
  const probes = [
    await nullProbe(trial),
    await scored(trial, 'constant', trial.constant),
    await scored(trial, 'shuffled_labels', trial.shuffled),
    await scored(trial, 'oracle', trial.oracle),
  ];
  const failed = probes.filter(({ passed }) => !passed);
  if (failed.length === 0) return probes;
  const first = failed[0]!;
  throw new AssayError(
    'probe_failed',
    `the evaluator gave ${first.metric} = ${String(first.value)} to the ${first.name} probe`,
    {
      why: `It had to give ${first.expected}.`,
      hint: 'No number of this evaluator is reported. Report this as a fault of Assay, with the data set.',
      details: { probes },
    },
  );
}

interface Submission {
  readonly request: EvaluationRequest;
  readonly range: Range;
}

interface Trial {
  readonly metric: string;
  readonly run: (request: EvaluationRequest) => Promise<Evaluation>;
  readonly empty: EvaluationRequest;
  readonly constant: Submission;
  readonly shuffled: Submission;
  readonly oracle: Submission;
}

async function classificationTrial(
  on: Pick<ClassificationRequest, 'targets' | 'labelType'>,
  options: ProbeOptions,
): Promise<Trial> {
  const targets = on.targets;
  const rows = targets.length;
  const common = { task: 'classification', targets, B: 0, signal: options.signal, labelType: on.labelType } as const;
  const best = majority(targets);
  await turn(options.signal);
  const range = accuracyWhenShuffled(targets);
  const order = await shuffledOrder(rows, options);
  const constant: string[] = [];
  const shuffled: string[] = [];
  await inParts(rows, options.signal, (from, to) => {
    for (let row = from; row < to; row += 1) {
      constant.push(best.label);
      shuffled.push(targets[order[row]!]!);
    }
  });
  return {
    metric: 'accuracy',
    run: options.evaluate ?? evaluate,
    empty: { ...common, predictions: [] },
    constant: {
      request: { ...common, predictions: constant },
      range: exactly(best.share, 'the share of the most frequent label'),
    },
    shuffled: {
      request: { ...common, predictions: shuffled },
      range,
    },
    oracle: { request: { ...common, predictions: targets }, range: exactly(1, 'every prediction is the target') },
  };
}

async function regressionTrial(on: Pick<RegressionRequest, 'targets'>, options: ProbeOptions): Promise<Trial> {
  const targets = Float64Array.from(on.targets);
  const common = { task: 'regression', targets, B: 0, signal: options.signal } as const;
  if (targets.every((value) => value === targets[0]))
    throw undefinedOn('r2', 'every evaluated row has the same target');
  const mean = targets.reduce((sum, value) => sum + value / targets.length, 0);
  const order = await shuffledOrder(targets.length, options);
  return {
    metric: 'r2',
    run: options.evaluate ?? evaluate,
    empty: { ...common, predictions: [] },
    constant: {
      request: { ...common, predictions: targets.map(() => mean) },
      range: exactly(0, 'a constant explains nothing'),
    },
    shuffled: {
      request: { ...common, predictions: Float64Array.from(order, (row) => targets[row]!) },
      range: r2WhenShuffled(targets.length),
    },
    oracle: { request: { ...common, predictions: targets }, range: exactly(1, 'every prediction is the target') },
  };
}

async function shuffledOrder(rows: number, { seed, signal }: ProbeOptions): Promise<Uint32Array> {
  const order = new Uint32Array(rows);
  for (let row = 0; row < rows; row += 1) order[row] = row;
  await turn(signal);
  await shuffleInParts(order, new Prng(seed, streams.probes), signal);
  return order;
}

async function nullProbe(trial: Trial): Promise<Probe> {
  const name = 'null';
  const { metric } = trial;
  const expected = 'a refusal: predictions are missing';
  try {
    const evaluation = await trial.run(trial.empty);
    return { name, passed: false, metric, value: evaluation.metrics[metric] ?? null, expected };
  } catch (error) {
    const refused = error instanceof AssayError && error.code === 'predictions_incomplete';
    if (!refused) throw error;
    return { name, passed: true, metric, value: null, expected };
  }
}

async function scored(trial: Trial, name: ProbeName, submission: Submission): Promise<Probe> {
  const evaluation = await trial.run(submission.request);
  const value = evaluation.metrics[trial.metric] ?? null;
  const why = evaluation.undefined[trial.metric];
  if (value === null && why !== undefined) throw undefinedOn(trial.metric, why);
  const { low, high, says } = submission.range;
  const passed = value !== null && value >= low && value <= high;
  return { name, passed, metric: trial.metric, value, expected: says };
}

function undefinedOn(metric: string, why: string): AssayError {
  return new AssayError('metric_undefined', `${metric} has no value on these rows`, {
    why: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    hint: 'Evaluate more rows.',
    details: { metric },
  });
}

const ROUNDING = 1e-9;

function exactly(value: number, why: string): Range {
  return { low: value - ROUNDING, high: value + ROUNDING, says: `${Number(value.toPrecision(6))} (${why})` };
}
