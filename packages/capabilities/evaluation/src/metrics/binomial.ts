import type { Prng } from '../prng.ts';

/**
 * One draw from Binomial(n, p), exact in distribution. Small means by inversion (BINV, Kachitvichyanukul and Schmeiser
 * 1988), large ones by transformed rejection with squeeze (BTRS, Hörmann 1993).
 */
export function binomial(prng: Prng, n: number, p: number): number {
  if (n === 0 || p <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - binomial(prng, n, 1 - p);
  return n * p < 10 ? byInversion(prng, n, p) : byRejection(prng, n, p);
}

function byInversion(prng: Prng, n: number, p: number): number {
  const odds = p / (1 - p);
  const atZero = Math.exp(n * Math.log1p(-p));
  for (;;) {
    let u = prng.uniform();
    let probability = atZero;
    // With a mean below 10, 200 lies far beyond what 53 bits can tell from zero: a rounding accident starts again.
    for (let k = 0; k <= Math.min(n, 200); k += 1) {
      if (u <= probability) return k;
      u -= probability;
      probability *= (odds * (n - k)) / (k + 1);
    }
  }
}

function byRejection(prng: Prng, n: number, p: number): number {
  const deviation = Math.sqrt(n * p * (1 - p));
  const b = 1.15 + 2.53 * deviation;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const c = n * p + 0.5;
  const squeeze = 0.92 - 4.2 / b;
  const alpha = (2.83 + 5.1 / b) * deviation;
  const logOdds = Math.log(p / (1 - p));
  const mode = Math.floor((n + 1) * p);
  const atMode = logFactorial(mode) + logFactorial(n - mode);
  for (;;) {
    const u = prng.uniform() - 0.5;
    const v = prng.uniform();
    const us = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / us + b) * u + c);
    if (us >= 0.07 && v <= squeeze) return k;
    if (k < 0 || k > n) continue;
    const height = Math.log((v * alpha) / (a / (us * us) + b));
    if (height <= atMode - logFactorial(k) - logFactorial(n - k) + (k - mode) * logOdds) return k;
  }
}

const smallLogFactorials = [0];
for (let k = 1; k < 16; k += 1) smallLogFactorials.push(smallLogFactorials[k - 1]! + Math.log(k));

/** ln k!, by Stirling's series from 16 on (error below 1e-14). */
export function logFactorial(k: number): number {
  const small = smallLogFactorials[k];
  if (small !== undefined) return small;
  const x = k + 1;
  const inverse = 1 / (x * x);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / x;
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
}

/** One draw from Multinomial(n, weights / Σ weights) into `out`, as binomials conditional on what is left. */
export function multinomial(prng: Prng, n: number, weights: Float64Array, out: Float64Array): void {
  let left = n;
  let weightLeft = weights.reduce((sum, weight) => sum + weight, 0);
  for (let i = 0; i < weights.length; i += 1) {
    const weight = weights[i]!;
    const drawn = i === weights.length - 1 ? left : binomial(prng, left, weight / weightLeft);
    out[i] = drawn;
    left -= drawn;
    weightLeft -= weight;
  }
}
