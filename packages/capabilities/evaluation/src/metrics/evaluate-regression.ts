import { AssayError } from '@assay/foundation';
import { bootstrapRows, resampledPart, type BootstrapOptions, type Measure } from './bootstrap.ts';
import { BOOTSTRAP, type Evaluation, type RegressionRequest } from './evaluation.ts';
import { metricsOf, r2, sumsOf } from './regression.ts';
import { turn } from './turn.ts';

export const regressionNames = ['mse', 'mae', 'rmse', 'r2'] as const;

export async function evaluateRegression(request: RegressionRequest): Promise<Evaluation> {
  const { seed = BOOTSTRAP.seed, B = BOOTSTRAP.B, signal } = request;
  await turn(signal);
  const targets = new Float64Array(request.targets);
  const predictions = new Float64Array(request.predictions);
  checkFinite(targets, 'target');
  await turn(signal);
  checkFinite(predictions, 'prediction');
  await turn(signal);
  const sums = sumsOf(targets, predictions);
  await turn(signal);
  const values = metricsOf(targets, sums);
  const defined = regressionNames.filter((name) => Number.isFinite(values[name]));
  const intervals = await intervalsOf(targets, predictions, { seed, B, signal, groups: request.groups });
  return {
    task: 'regression',
    rows: targets.length,
    metrics: Object.fromEntries(defined.map((name) => [name, values[name]])),
    intervals: Object.fromEntries([...intervals].filter(([name]) => Number.isFinite(values[name as 'mse']))),
    undefined: Object.fromEntries(
      regressionNames
        .filter((name) => !Number.isFinite(values[name]))
        .map((name) => [name, whyUndefined(name, targets.length)]),
    ),
    notes: [],
  };
}

interface IntervalOptions extends BootstrapOptions {
  readonly groups: Uint32Array | undefined;
}

async function intervalsOf(targets: Float64Array, predictions: Float64Array, options: IntervalOptions) {
  await turn(options.signal);
  const part = await resampledPart(targets.length, options, options.groups);
  await turn(options.signal);
  const measure = regressionMeasure(targets, predictions, part.rows);
  return bootstrapRows(part, targets.length, { names: regressionNames, measure, options });
}

/** The metrics of weighted rows, in the order of `regressionNames`. */
export function regressionMeasure(targets: Float64Array, predictions: Float64Array, rows: Uint32Array): Measure {
  const target = Float64Array.from(rows, (row) => targets[row]!);
  const error = Float64Array.from(rows, (row) => targets[row]! - predictions[row]!);
  // Shifting by the mean keeps the sum of squares below from cancelling.
  const mean = target.reduce((sum, value) => sum + value / target.length, 0);
  return (weight) => {
    let squares = 0;
    let absolutes = 0;
    let first = 0;
    let second = 0;
    let n = 0;
    for (let i = 0; i < error.length; i += 1) {
      const w = weight[i]!;
      if (w === 0) continue;
      n += w;
      const centred = target[i]! - mean;
      squares += w * error[i]! * error[i]!;
      absolutes += w * Math.abs(error[i]!);
      first += w * centred;
      second += w * centred * centred;
    }
    const spread = Math.max(0, second - (first * first) / n);
    const constant = spread <= second * 1e-14;
    return [squares / n, absolutes / n, Math.sqrt(squares / n), constant ? Number.NaN : r2(squares, spread, n)];
  };
}

function checkFinite(values: Float64Array, what: string): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at === -1) return;
  throw new AssayError('predictions_not_finite', `a ${what} is ${String(values[at])}`, {
    why: `It is number ${at}; nothing can be measured on it.`,
    hint: 'Find out why the model gives it; do not replace it by a constant.',
    details: { index: at },
  });
}

function whyUndefined(name: string, rows: number): string {
  if (name === 'r2' && rows < 2) return 'r2 needs at least two rows';
  return 'the numbers are too large to be squared and summed';
}
