import type { MetricDifference, PrimaryTest, SubmissionComparison } from '../comparison/compare-submissions.ts';
import type { Interval } from '../metrics/interval.ts';
import type { MetricValue, Recipe } from './recipes.ts';

/** How a number is made from a comparison; `first` and `second` are places among the compared predictions. */
function ofPair(name: string): Recipe {
  return {
    name: `comparison.${name}`,
    version: 1,
    direction: 'none',
    picks: ['metric', 'first', 'second'],
    metric: ({ metric, first, second }) => `${name}/${String(metric)}/${String(first)}/${String(second)}`,
  };
}

const difference = ofPair('difference');
const corrected = ofPair('corrected');
const simultaneous = ofPair('simultaneous');
const pBootstrap = ofPair('p_bootstrap');
const pHolm = ofPair('p_holm');
const firstOnly = ofPair('first_only');
const secondOnly = ofPair('second_only');
const pExact = ofPair('p_exact');

/** All recipes of comparisons. A change of what one computes is a new version beside the old one. */
export const comparisonRecipes: readonly Recipe[] = [
  difference,
  corrected,
  simultaneous,
  pBootstrap,
  pHolm,
  firstOnly,
  secondOnly,
  pExact,
];

/** Every number of a comparison with the recipe that gives it, in a fixed order. */
export function comparisonValues({ differences, tests }: SubmissionComparison): readonly MetricValue[] {
  return [
    ...differences.map((one) => valueOf(difference, one, one.difference, one.interval)),
    ...tests.flatMap((one) => [
      valueOf(corrected, one, one.difference, one.corrected),
      valueOf(simultaneous, one, one.difference, one.simultaneous),
      valueOf(pBootstrap, one, one.pBootstrap),
      valueOf(pHolm, one, one.pHolm),
      valueOf(firstOnly, one, one.firstOnly),
      valueOf(secondOnly, one, one.secondOnly),
      valueOf(pExact, one, one.pExact),
    ]),
  ];
}

function valueOf(
  recipe: Recipe,
  { metric, first, second }: MetricDifference | PrimaryTest,
  value: number,
  interval?: Interval,
): MetricValue {
  const parameters = { metric, first, second };
  return {
    metric: recipe.metric(parameters),
    recipe,
    parameters,
    value,
    ...(interval === undefined ? {} : { interval }),
  };
}
