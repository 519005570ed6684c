import type { Evidence } from '@assay/contracts';
import * as z from 'zod';
import { compareSubmissions, MOST_COMPARED } from '../comparison/compare-submissions.ts';
import { comparisonValues } from '../recipes/comparison-recipes.ts';
import { splitFactsSchema } from '../split/split-facts.ts';
import { unreadable, withSubmissions, type RecomputeContext, type Recomputed } from './recompute.ts';

/** What a comparison needs beside its predictions. Bounds keep an edited record from keeping a verifier busy. */
const parameters = z.object({
  seed: z.number().int().min(0).max(0xffff_ffff),
  family: z.number().int().min(1).max(1_000_000),
  primary: z.string(),
  split: splitFactsSchema,
});

/** Compares the predictions of one group again, from files. */
export async function recomputeComparison(
  questRoot: string,
  evidence: Evidence,
  context: RecomputeContext,
): Promise<Recomputed> {
  const parsed = parameters.safeParse(evidence.recipe.parameters);
  const compared = evidence.recipe.inputs.length - 1;
  if (!parsed.success || compared < 2 || compared > MOST_COMPARED) return unreadable(evidence);
  const { seed, family, primary, split } = parsed.data;
  return withSubmissions(questRoot, evidence, { ...context, split }, async ({ submissions }) =>
    comparisonValues(await compareSubmissions({ submissions, primary, family, seed, signal: context.signal })),
  );
}
