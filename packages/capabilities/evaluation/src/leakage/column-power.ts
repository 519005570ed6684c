/** Fewer rows agree by accident. */
export const ENOUGH_ROWS = 30;
const BINS = 32;

/** How well one column alone tells the label, on the sampled rows that have both. */
export interface LabelPower {
  readonly rows: number;
  /** Every value stands with one label only, and values repeat. */
  readonly determines: boolean;
  /** Values and labels stand one to one. */
  readonly oneToOne: boolean;
  /** Share of rows whose label most of the other rows with the same value have. */
  readonly accuracy: number;
  /** Share of the most frequent label. */
  readonly baseline: number;
}

/**
 * Leave-one-out accuracy of the most frequent label by value; a numeric column whose values hardly repeat is cut into 32
 * parts of as many rows. Undefined for too few rows, and for texts that hardly repeat.
 */
export function labelPower(values: Float64Array, labels: Float64Array, numeric: boolean): LabelPower | undefined {
  const both = pairs(values, labels);
  const rows = both.x.length;
  if (rows < ENOUGH_ROWS) return undefined;
  const distinct = new Set(both.x).size;
  const repeats = distinct * 2 <= rows;
  if (!repeats && !numeric) return undefined;
  const keys = repeats ? both.x : binned(both.x);
  const tables = new Map<number, Map<number, number>>();
  const totals = new Map<number, number>();
  for (let i = 0; i < rows; i += 1) {
    const table = tables.get(keys[i]!) ?? new Map<number, number>();
    tables.set(keys[i]!, table.set(both.y[i]!, (table.get(both.y[i]!) ?? 0) + 1));
    totals.set(both.y[i]!, (totals.get(both.y[i]!) ?? 0) + 1);
  }
  const determines = repeats && [...tables.values()].every((table) => table.size === 1);
  return {
    rows,
    determines,
    oneToOne: determines && tables.size === totals.size,
    accuracy: leftOut(tables) / rows,
    baseline: Math.max(...totals.values()) / rows,
  };
}

/** Rows that the other rows of their value would get right; a value that stands alone says nothing. */
function leftOut(tables: ReadonlyMap<number, ReadonlyMap<number, number>>): number {
  let right = 0;
  for (const table of tables.values()) {
    const counts = [...table.values()].sort((a, b) => b - a);
    const [most = 0, next = 0] = counts;
    // A row of the most frequent label is got right when its label is still ahead without it.
    if (most - 1 > next || (most > 1 && counts.length === 1)) right += most;
  }
  return right;
}

/** How a numeric column goes with a numeric target: the strongest of a straight line and any rising or falling one. */
export interface NumberPower {
  readonly rows: number;
  /** Absolute correlation of the values (Pearson). */
  readonly line: number;
  /** Absolute correlation of the ranks (Spearman). */
  readonly order: number;
}

export function numberPower(values: Float64Array, targets: Float64Array): NumberPower | undefined {
  const { x, y } = pairs(values, targets);
  if (x.length < ENOUGH_ROWS || new Set(x).size < 10) return undefined;
  return {
    rows: x.length,
    line: Math.abs(correlation(x, y)),
    order: Math.abs(correlation(ranks(x), ranks(y))),
  };
}

function pairs(values: Float64Array, targets: Float64Array): { readonly x: Float64Array; readonly y: Float64Array } {
  const both = Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]) && !Number.isNaN(targets[i]));
  return { x: Float64Array.from(both, (i) => values[i]!), y: Float64Array.from(both, (i) => targets[i]!) };
}

/** The part of each value; equal values are in one part. */
function binned(values: Float64Array): Float64Array {
  const sorted = values.slice().sort();
  const bounds = Array.from({ length: BINS - 1 }, (_, i) => sorted[Math.floor(((i + 1) * sorted.length) / BINS)]!);
  return values.map((value) => bounds.filter((bound) => value >= bound).length);
}

function correlation(x: Float64Array, y: Float64Array): number {
  const meanX = x.reduce((sum, value) => sum + value / x.length, 0);
  const meanY = y.reduce((sum, value) => sum + value / y.length, 0);
  let xy = 0;
  let xx = 0;
  let yy = 0;
  for (let i = 0; i < x.length; i += 1) {
    xy += (x[i]! - meanX) * (y[i]! - meanY);
    xx += (x[i]! - meanX) ** 2;
    yy += (y[i]! - meanY) ** 2;
  }
  return xx === 0 || yy === 0 ? 0 : xy / Math.sqrt(xx * yy);
}

/** Equal values share the mean of their ranks. */
function ranks(values: Float64Array): Float64Array {
  const order = Array.from(values.keys()).sort((a, b) => values[a]! - values[b]!);
  const found = new Float64Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to += 1;
    for (let i = from; i < to; i += 1) found[order[i]!] = (from + to - 1) / 2;
    from = to;
  }
  return found;
}
