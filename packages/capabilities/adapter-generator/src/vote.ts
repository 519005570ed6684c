import type { CallStyle } from './candidate.ts';

/** What one item seems to be; `number` = a bare number. */
export type ElementKind = 'text' | 'row' | 'vector' | 'number';

/** One reason to believe something about a parameter. */
export interface Vote {
  readonly element?: ElementKind;
  readonly call?: CallStyle;
  readonly weight: number;
  readonly why: string;
}

export interface Tally<T> {
  readonly winner: T;
  /** 0 … 1: the winner's share of all votes, lowered while the votes are few. */
  readonly certainty: number;
}

/** With this much weight behind it a winner is as certain as its share says. */
const ENOUGH = 2;

/** Adds up one side of the votes; undefined when nobody voted on it or the first two are equal. */
export function tally<T extends string>(
  votes: readonly Vote[],
  read: (vote: Vote) => T | undefined,
): Tally<T> | undefined {
  const sums = new Map<T, number>();
  for (const vote of votes) {
    const value = read(vote);
    if (value !== undefined) sums.set(value, (sums.get(value) ?? 0) + vote.weight);
  }
  const [first, second] = [...sums].sort((a, b) => b[1] - a[1]);
  if (first === undefined || first[1] === second?.[1]) return undefined;
  const total = [...sums.values()].reduce((sum, weight) => sum + weight, 0);
  return { winner: first[0], certainty: (first[1] / total) * Math.min(1, first[1] / ENOUGH) };
}
