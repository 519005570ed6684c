import { Prng, streams } from '../prng.ts';
import { multinomial } from './binomial.ts';
import { LEVEL, percentileInterval, type Interval } from './interval.ts';
import { shuffleInParts, turn } from './turn.ts';

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

/** The rows that are resampled, and in which clusters. */
export interface ResampledPart {
  /** Ascending. */
  readonly rows: Uint32Array;
  /** The cluster number of each of them, from 0; absent = rows are resampled one by one. */
  readonly clusters?: Uint32Array;
  readonly clusterCount: number;
}

/**
 * The rows that a bootstrap uses: all, or a random 100,000 of them. With groups, whole groups are taken in a random
 * order until there are as many rows.
 */
export async function resampledPart(
  rows: number,
  options: Pick<BootstrapOptions, 'seed' | 'signal'>,
  groups: Uint32Array | undefined,
): Promise<ResampledPart> {
  const all = rowNumbers(rows);
  if (groups !== undefined) return clusteredPart(all, groups, options);
  if (rows <= MAX_RESAMPLED_ROWS) return { rows: all, clusterCount: 0 };
  await shuffleInParts(all, new Prng(options.seed, streams.subsample), options.signal);
  return { rows: all.slice(0, MAX_RESAMPLED_ROWS).sort(), clusterCount: 0 };
}

/** 0, 1, 2 … by a loop, which is faster than `from`. */
export function rowNumbers(rows: number): Uint32Array {
  const all = new Uint32Array(rows);
  for (let row = 0; row < rows; row += 1) all[row] = row;
  return all;
}

async function clusteredPart(
  all: Uint32Array,
  groups: Uint32Array,
  { seed, signal }: Pick<BootstrapOptions, 'seed' | 'signal'>,
): Promise<ResampledPart> {
  const sizes: number[] = [];
  for (const group of groups) sizes[group] = (sizes[group] ?? 0) + 1;
  const order = Uint32Array.from(sizes.keys());
  if (all.length > MAX_RESAMPLED_ROWS) await shuffleInParts(order, new Prng(seed, streams.subsample), signal);
  const numbers = new Map<number, number>();
  let rows = 0;
  for (const group of order) {
    if (rows >= MAX_RESAMPLED_ROWS) break;
    if (sizes[group] === undefined) continue;
    numbers.set(group, numbers.size);
    rows += sizes[group];
  }
  const kept = all.filter((row) => numbers.has(groups[row]!));
  return { rows: kept, clusters: kept.map((row) => numbers.get(groups[row]!)!), clusterCount: numbers.size };
}

/** What is measured in each resample of rows. */
export interface RowResampling {
  readonly names: readonly string[];
  readonly measure: Measure;
  readonly options: BootstrapOptions;
}

/**
 * Intervals of metrics that need rows: each resample draws as many rows, or as many whole groups, with replacement, as
 * weights of the rows. With groups this is the cluster bootstrap (Davison and Hinkley 1997, 3.8; Field and Welsh 2007).
 */
export async function bootstrapRows(
  part: ResampledPart,
  total: number,
  request: RowResampling,
): Promise<ReadonlyMap<string, Interval>> {
  const { options } = request;
  const clustered = part.clusters !== undefined;
  const replicates = await replicateRows(part, request, clustered ? streams.clusters : streams.rows);
  const subsample = part.rows.length < total ? { subsample: part.rows.length } : {};
  const over = clustered ? `${part.clusterCount} groups` : 'rows';
  const method = `bootstrap percentile over ${over}, B=${options.B}, seed=${options.seed}`;
  return intervalsOf(replicates, method, subsample);
}

/** Each metric of each resample, by name: B numbers, NaN where a metric is undefined. */
export async function replicateRows(
  part: ResampledPart,
  { names, measure, options }: RowResampling,
  stream: number,
): Promise<ReadonlyMap<string, Float64Array>> {
  const prng = new Prng(options.seed, stream);
  const rows = part.rows.length;
  const weight = new Float64Array(rows);
  const draw = part.clusters === undefined ? drawRows : clusterDraw(part.clusters, part.clusterCount);
  return replicate(names, options, {
    work: rows * (1 + names.length),
    one: () => {
      draw(prng, weight);
      return measure(weight);
    },
  });
}

function drawRows(prng: Prng, weight: Float64Array): void {
  weight.fill(0);
  for (let i = 0; i < weight.length; i += 1) weight[prng.below(weight.length)]! += 1;
}

/** Every row weighs as often as its cluster was drawn. */
function clusterDraw(clusters: Uint32Array, count: number): (prng: Prng, weight: Float64Array) => void {
  const times = new Float64Array(count);
  return (prng, weight) => {
    drawRows(prng, times);
    for (let i = 0; i < weight.length; i += 1) weight[i] = times[clusters[i]!]!;
  };
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
