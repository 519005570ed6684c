import { BITS_THAT_PROVE } from './information.ts';

/** Of the rows that are compared, so many may say something else: a changed label, a mistaken row. */
const PURITY = 0.95;
const FEWEST = 20;
/** Correlation from which numbers are the target, perhaps rounded or in another unit. */
const CORRELATION = 0.995;

/** What was written where the targets of known rows may stand. */
export interface Pairs {
  readonly codes: Float64Array;
  readonly targets: Float64Array;
  readonly length: number;
}

/**
 * Whether codes tell the labels: each code goes with one label, and a reader who learns the codes on the way saves 40
 * bits (Krichevsky and Trofimov 1981). Codes that are all different, as the numbers of rows are, save nothing.
 */
export function labelsAgree({ codes, targets, length }: Pairs, shares: Float64Array): boolean {
  if (length < FEWEST) return false;
  const alphabet = shares.length;
  const counts = new Map<number, Map<number, number>>();
  let saved = 0;
  for (let at = 0; at < length; at++) {
    const label = targets[at]!;
    let labels = counts.get(codes[at]!);
    if (labels === undefined) counts.set(codes[at]!, (labels = new Map()));
    else {
      const total = [...labels.values()].reduce((sum, count) => sum + count, 0);
      const likely = ((labels.get(label) ?? 0) + 0.5) / (total + 0.5 * alphabet);
      saved += Math.log2(likely / shares[label]!);
    }
    labels.set(label, (labels.get(label) ?? 0) + 1);
  }
  const pure = [...counts.values()].reduce((sum, labels) => sum + Math.max(...labels.values()), 0);
  return saved >= BITS_THAT_PROVE && pure >= PURITY * length;
}

/** Whether numbers are the targets up to unit and rounding: the information of their correlation is 40 bits or more. */
export function numbersAgree({ codes, targets, length }: Pairs): boolean {
  if (length < FEWEST) return false;
  const x = codes.subarray(0, length);
  const y = targets.subarray(0, length);
  const r = correlation(x, y);
  return (
    Math.abs(r) >= CORRELATION && -0.5 * length * Math.log2(Math.max(Number.EPSILON, 1 - r * r)) >= BITS_THAT_PROVE
  );
}

function correlation(x: Float64Array, y: Float64Array): number {
  const meanX = mean(x);
  const meanY = mean(y);
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (const [at, value] of x.entries()) {
    const dx = value - meanX;
    const dy = y[at]! - meanY;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return xx === 0 || yy === 0 ? 0 : xy / Math.sqrt(xx * yy);
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
