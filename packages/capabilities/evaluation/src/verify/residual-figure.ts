import { MOST_POINTS, type Residuals } from '@assay/contracts';

const MOST_BINS = 40;
const FEWEST_BINS = 5;
const SMALLEST_RANGE = 1e-290;

/** Predicted − actual over all rows as a histogram, and every few rows as points. */
export function residualFigure(
  rows: Uint32Array,
  targets: ArrayLike<number>,
  predictions: ArrayLike<number>,
): Pick<Residuals, 'total' | 'step' | 'points' | 'histogram'> {
  const total = rows.length;
  const step = Math.max(1, Math.ceil(total / MOST_POINTS));
  const points: Residuals['points'] = [];
  for (let place = 0; place < total; place += step)
    points.push({ row: rows[place]!, actual: targets[place]!, predicted: predictions[place]! });
  return { total, step, points, histogram: histogramOf(total, (place) => predictions[place]! - targets[place]!) };
}

/** Edges are round numbers with zero among them, so that over and under are never in one bar. */
function histogramOf(total: number, residual: (place: number) => number): Residuals['histogram'] {
  let low = 0;
  let high = 0;
  for (let place = 0; place < total; place += 1) {
    low = Math.min(low, residual(place));
    high = Math.max(high, residual(place));
  }
  const range = high - low;
  // Beyond these bounds a width of a bar is no number.
  if (!(range > SMALLEST_RANGE && range < Infinity)) return { edges: [low, high], counts: [total] };
  const wanted = Math.min(MOST_BINS, Math.max(FEWEST_BINS, Math.ceil(Math.sqrt(total))));
  const width = roundWidth(range / wanted);
  const from = Math.floor(low / width);
  const to = Math.max(from + 1, Math.floor(high / width) + 1);
  const counts = Array.from({ length: to - from }, () => 0);
  for (let place = 0; place < total; place += 1) {
    const bin = Math.min(counts.length - 1, Math.max(0, Math.floor(residual(place) / width) - from));
    counts[bin] = counts[bin]! + 1;
  }
  return { edges: Array.from({ length: counts.length + 1 }, (_, at) => (from + at) * width), counts };
}

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten. */
function roundWidth(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width));
  return [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((round) => round >= width)!;
}
