import type { ComparedPair, Comparison, NotCompared, PairVerdict } from '@assay/contracts';

/** What a verdict rests on. */
type Judged = Pick<ComparedPair, 'code' | 'test'>;

/**
 * Better is said only of code that differs in more than seeds and comments, when the interval of the primary metric
 * excludes zero and the p-value is at most α, both after the correction.
 */
export function verdictOf({ code, test }: Judged, direction: Comparison['direction'], alpha: number): PairVerdict {
  if (test === null || isSameCode(code)) return 'not_distinguishable';
  const { value, interval = [0, 0] } = test.corrected;
  const excludesZero = interval[0] > 0 || interval[1] < 0;
  if (!excludesZero || test.pHolm.value > alpha || value === 0) return 'not_distinguishable';
  return value > 0 === (direction === 'higher') ? 'first_better' : 'second_better';
}

function isSameCode(code: ComparedPair['code']): boolean {
  return code === 'same' || code === 'same_tokens' || code === 'seed_only';
}

/** 1 + the number of candidates that are better; equal ranks are ties. */
export function ranksOf(count: number, pairs: readonly Pick<ComparedPair, 'first' | 'second' | 'verdict'>[]): number[] {
  const ranks = Array.from({ length: count }, () => 1);
  for (const { first, second, verdict } of pairs) {
    if (verdict === 'first_better') ranks[second]! += 1;
    if (verdict === 'second_better') ranks[first]! += 1;
  }
  return ranks;
}

export interface Concluded {
  readonly candidates: readonly { readonly name: string; readonly rank: number }[];
  readonly pairs: readonly ComparedPair[];
  readonly notCompared: readonly NotCompared[];
  readonly primary: string;
  readonly family: number;
}

/** The conclusion in words: what is better, what is not distinguishable, what could not be compared and why. */
export function conclusionOf(concluded: Concluded): string[] {
  return [
    ...overall(concluded),
    ...concluded.pairs.map((pair) => sentenceOf(pair, concluded)),
    ...concluded.notCompared.map(
      ({ name, message, why }) => `${name} could not be compared: ${message}${why === undefined ? '' : ` (${why})`}.`,
    ),
  ];
}

function overall({ candidates, primary }: Concluded): string[] {
  if (candidates.length === 1)
    return [`Only ${candidates[0]!.name} was measured; there is nothing to compare it with.`];
  const first = candidates.filter(({ rank }) => rank === 1).map(({ name }) => name);
  if (first.length === candidates.length) return [`Nothing was shown to be better in ${primary} than anything else.`];
  return first.length === 1
    ? [`${first[0]!} ranks first in ${primary}.`]
    : [`${listed(first)} share the first rank in ${primary}: none of them was shown to be better than another.`];
}

function sentenceOf(pair: ComparedPair, { candidates, primary, family }: Concluded): string {
  const first = candidates[pair.first]!.name;
  const second = candidates[pair.second]!.name;
  const files = pair.files.length === 0 ? '' : ` (${pair.files.join(', ')})`;
  const corrected = `after the correction for ${family} ${family === 1 ? 'comparison' : 'comparisons'}`;
  const better = (one: string, other: string) =>
    `${one} is better than ${other} in ${primary}: the interval of their difference excludes zero ${corrected}.`;
  switch (pair.verdict) {
    case 'first_better':
      return better(first, second);
    case 'second_better':
      return better(second, first);
    case 'not_distinguishable':
      break;
  }
  if (pair.code === 'same') return `${first} and ${second} are the same code: the same files, called in the same way.`;
  if (pair.code === 'same_tokens')
    return `${first} and ${second} are the same code: they differ only in comments, white space or documentation${files}.`;
  if (pair.code === 'seed_only')
    return `${first} and ${second} differ only in seeds of random numbers${files}: a difference between them is chance.`;
  if (pair.test === null)
    return `${first} and ${second} cannot be compared in ${primary}: their difference has no interval.`;
  return `${first} and ${second} are not distinguishable in ${primary}: ${corrected} their difference may be zero.`;
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}
