import type { Evaluation } from '../metrics/evaluation.ts';
import type { Interval } from '../metrics/interval.ts';

/** How a number is made from an evaluation: a name and version for ever, and a pure function. */
export interface Recipe {
  readonly name: string;
  readonly version: number;
  readonly direction: 'higher' | 'lower' | 'none';
  /** Constants that pick one number of a family, such as the label of a precision. */
  readonly picks: readonly string[];
  /** The key of the metric; `undefined` parameters never match. */
  readonly metric: (picked: Readonly<Record<string, unknown>>) => string;
}

function single(metric: string, direction: Recipe['direction']): Recipe {
  return { name: `metric.${metric}`, version: 1, direction, picks: [], metric: () => metric };
}

function perLabel(metric: string): Recipe {
  return {
    name: `metric.${metric}`,
    version: 1,
    direction: 'higher',
    picks: ['label'],
    metric: ({ label }) => `${metric}/${String(label)}`,
  };
}

/** All recipes. A change of what one computes is a new version beside the old one, so that old evidence still verifies. */
export const recipes: readonly Recipe[] = [
  single('accuracy', 'higher'),
  single('macro_f1', 'higher'),
  single('auroc', 'higher'),
  single('log_loss', 'lower'),
  single('mse', 'lower'),
  single('mae', 'lower'),
  single('rmse', 'lower'),
  single('r2', 'higher'),
  single('rows', 'none'),
  perLabel('precision'),
  perLabel('recall'),
  perLabel('f1'),
  {
    name: 'metric.confusion',
    version: 1,
    direction: 'none',
    picks: ['target', 'predicted'],
    metric: ({ target, predicted }) => `confusion/${String(target)}/${String(predicted)}`,
  },
];

export interface MetricValue {
  readonly metric: string;
  readonly recipe: Recipe;
  /** The constants of `recipe.picks`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly value: number;
  readonly interval?: Interval;
}

/** Every number of an evaluation with the recipe that gives it, in a fixed order. */
export function metricValues(evaluation: Evaluation, options: { readonly confusion: boolean }): readonly MetricValue[] {
  return [...plainValues(evaluation), ...labelValues(evaluation), ...(options.confusion ? cellValues(evaluation) : [])];
}

function plainValues(evaluation: Evaluation): readonly MetricValue[] {
  return recipes
    .filter(({ picks }) => picks.length === 0)
    .flatMap((recipe) => {
      const metric = recipe.metric({});
      const value = metric === 'rows' ? evaluation.rows : evaluation.metrics[metric];
      return value === undefined ? [] : [withInterval(evaluation, { metric, recipe, parameters: {}, value })];
    });
}

function labelValues(evaluation: Evaluation): readonly MetricValue[] {
  return (evaluation.perClass ?? []).flatMap((row) =>
    recipes
      .filter(({ picks }) => picks.length === 1)
      .map((recipe) => {
        const parameters = { label: row.label };
        const metric = recipe.metric(parameters);
        return withInterval(evaluation, { metric, recipe, parameters, value: evaluation.metrics[metric]! });
      }),
  );
}

function cellValues(evaluation: Evaluation): readonly MetricValue[] {
  const recipe = recipes.at(-1)!;
  const labels = evaluation.labels ?? [];
  return (evaluation.confusion ?? []).flatMap((row, i) =>
    row.map((value, j) => {
      const parameters = { target: labels[i]!, predicted: labels[j]! };
      return { metric: recipe.metric(parameters), recipe, parameters, value };
    }),
  );
}

function withInterval(evaluation: Evaluation, value: Omit<MetricValue, 'interval'>): MetricValue {
  const interval = evaluation.intervals[value.metric];
  return interval === undefined ? value : { ...value, interval };
}
