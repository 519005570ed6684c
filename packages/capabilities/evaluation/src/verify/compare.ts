import type { Evidence, Mismatch } from '@assay/contracts';
import { canonicalJson } from '@assay/foundation';
import { comparisonRecipes } from '../recipes/comparison-recipes.ts';
import { recipes, type MetricValue, type Recipe } from '../recipes/recipes.ts';
import type { Recomputed } from './recompute.ts';

/** Room for the last bits of another machine's mathematical library, relative to the value. */
const TOLERANCE = 1e-12;

/** The recomputed numbers of one group by recipe and picked constants. */
export type Recalculation = ReadonlyMap<string, MetricValue>;

export function recalculation({ values = [] }: Recomputed): Recalculation {
  return new Map(values.map((value) => [keyOf(value.recipe, value.parameters), value]));
}

function findRecipe({ name, version }: Evidence['recipe']): Recipe | undefined {
  const all = isOfComparison({ name }) ? comparisonRecipes : recipes;
  return all.find((recipe) => recipe.name === name && recipe.version === version);
}

/** Whether a number is made from several predictions instead of one. */
export function isOfComparison({ name }: Pick<Evidence['recipe'], 'name'>): boolean {
  return name.startsWith('comparison.');
}

/** Undefined when the record says what was recomputed, else what differs. */
export function agreesWith(evidence: Evidence, again: Recomputed, values: Recalculation): Mismatch | undefined {
  const recipe = findRecipe(evidence.recipe);
  const value = recipe === undefined ? undefined : values.get(keyOf(recipe, evidence.recipe.parameters));
  const mismatch = (reason: Mismatch['reason']): Mismatch => ({
    evidenceId: evidence.id,
    claimed: evidence.value,
    recomputed: value?.value ?? null,
    source: again.source,
    reason,
  });
  if (again.problem !== undefined) return mismatch(again.problem);
  if (value === undefined || value.metric !== evidence.metric || !close(value.value, evidence.value))
    return mismatch('mismatch');
  return sameInterval(evidence.ci, value.interval) ? undefined : mismatch('mismatch');
}

function keyOf(recipe: Recipe, parameters: Readonly<Record<string, unknown>>): string {
  return canonicalJson([recipe.name, recipe.version, ...recipe.picks.map((pick) => parameters[pick] ?? null)]);
}

function sameInterval(claimed: Evidence['ci'], found: MetricValue['interval']): boolean {
  if (claimed === undefined || found === undefined) return claimed === found;
  return (
    close(claimed.low, found.low) &&
    close(claimed.high, found.high) &&
    claimed.level === found.level &&
    claimed.subsample === found.subsample
  );
}

function close(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
}
