import { logFactorial } from '../metrics/binomial.ts';

/**
 * Two-sided exact p-value of `wins` against `losses` when both are equally likely: min(1, 2 · P(X ≤ min(wins, losses)))
 * with X ~ Binomial(wins + losses, ½). On rows that only one of two classifiers got right this is McNemar's exact test
 * (McNemar 1947); on rows where one regression is closer than the other it is the sign test.
 */
export function exactSignTest(wins: number, losses: number): number {
  const rows = wins + losses;
  const few = Math.min(wins, losses);
  let term = Math.exp(logFactorial(rows) - logFactorial(few) - logFactorial(rows - few) - rows * Math.LN2);
  let tail = 0;
  // Terms only shrink on the way down, so what is left once one no longer counts does not count either.
  for (let k = few; k >= 0 && tail + term > tail; k -= 1) {
    tail += term;
    term *= k / (rows - k + 1);
  }
  return Math.min(1, 2 * tail);
}
