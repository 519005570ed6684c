import { Prng, shuffle, streams } from '../prng.ts';
import { multinomial } from './binomial.ts';
import { LEVEL, percentileInterval, type Interval } from './interval.ts';
import { turn } from './turn.ts';

export interface BootstrapOptions {
  readonly seed: number;
  /** Number of resamples. */
  readonly B: number;
  readonly signal?: AbortSignal | undefined;
}

/** Rows that are resampled one by one; of more, a subsample is drawn first and stated. */
export const MAX_RESAMPLED_ROWS = 100_000;

/** Cells or rows that are drawn before other work of the process gets a turn. */
const WORK_PER_TURN = 2_000_000;

/** Metrics of one resample, in a fixed order; NaN where one is undefined. */
export type Measure = (weight: Float64Array) => readonly number[];

/**
 * Intervals of count metrics: each resample draws the cells of the confusion matrix from Multinomial(n, counts / n),
 * which is what resampling n rows does to the counts.
 */
export async function bootstrapCells(
  counts: Float64Array,
  rows: number,
  request: { readonly names: readonly string[]; readonly measure: Measure; readonly options: BootstrapOptions },
): Promise<ReadonlyMap<string, Interval>> {
  const { names, measure, options } = request;
  const prng = new Prng(options.seed, streams.cells);
  const drawn = new Float64Array(counts.length);
  const replicates = await replicate(names, options, {
    work: counts.length + names.length,
    one: () => {
      multinomial(prng, rows, counts, drawn);
      return measure(drawn);
    },
  });
  return intervalsOf(replicates, `bootstrap percentile over confusion cells, B=${options.B}, seed=${options.seed}`);
}

/** The rows that a row bootstrap uses: all, or a random 100,000 of them, ascending. */
export function resampledRows(rows: number, seed: number): Uint32Array {
  const all = Uint32Array.from({ length: rows }, (_, row) => row);
  if (rows <= MAX_RESAMPLED_ROWS) return all;
  shuffle(all, new Prng(seed, streams.subsample));
  return all.slice(0, MAX_RESAMPLED_ROWS).sort();
}

/** What is measured in each resample of rows. */
export interface RowResampling {
  readonly names: readonly string[];
  readonly measure: Measure;
  readonly options: BootstrapOptions;
}

/** Intervals of metrics that need rows: each resample draws `rows` rows with replacement, as weights. */
export async function bootstrapRows(
  rows: number,
  total: number,
  request: RowResampling,
): Promise<ReadonlyMap<string, Interval>> {
  const { options } = request;
  const replicates = await replicateRows(rows, request, streams.rows);
  const subsample = rows < total ? { subsample: rows } : {};
  const method = `bootstrap percentile over rows, B=${options.B}, seed=${options.seed}`;
  return intervalsOf(replicates, method, subsample);
}

/** Each metric of each resample, by name: B numbers, NaN where a metric is undefined. */
export async function replicateRows(
  rows: number,
  { names, measure, options }: RowResampling,
  stream: number,
): Promise<ReadonlyMap<string, Float64Array>> {
  const prng = new Prng(options.seed, stream);
  const weight = new Float64Array(rows);
  return replicate(names, options, {
    work: rows * (1 + names.length),
    one: () => {
      weight.fill(0);
      for (let i = 0; i < rows; i += 1) weight[prng.below(rows)]! += 1;
      return measure(weight);
    },
  });
}

async function replicate(
  names: readonly string[],
  options: BootstrapOptions,
  step: { readonly work: number; readonly one: () => readonly number[] },
): Promise<ReadonlyMap<string, Float64Array>> {
  const replicates = names.map(() => new Float64Array(options.B));
  let sinceTurn = 0;
  for (let b = 0; b < options.B; b += 1) {
    const values = step.one();
    for (let i = 0; i < replicates.length; i += 1) replicates[i]![b] = values[i]!;
    sinceTurn += step.work;
    if (sinceTurn < WORK_PER_TURN) continue;
    sinceTurn = 0;
    await turn(options.signal);
  }
  return new Map(names.map((name, i) => [name, replicates[i]!]));
}

function intervalsOf(
  replicates: ReadonlyMap<string, Float64Array>,
  method: string,
  subsample: { readonly subsample?: number } = {},
): ReadonlyMap<string, Interval> {
  const intervals = new Map<string, Interval>();
  for (const [name, values] of replicates) {
    const ends = percentileInterval(values);
    if (ends !== undefined) intervals.set(name, { ...ends, level: LEVEL, method, ...subsample });
  }
  return intervals;
}
