import { AssayError, canonicalJson } from '@assay/foundation';
import {
  datasetManifestSchema,
  type Artifact,
  type DatasetManifest,
  type Evidence,
  type Mismatch,
} from '@assay/contracts';
import { sha256Text } from '@assay/files';
import * as z from 'zod';
import { join } from 'node:path';
import { evaluate } from '../metrics/evaluate.ts';
import type { EvaluationRequest } from '../metrics/evaluation.ts';
import { joinSubmissions, type PredictionFile } from '../predictions/join-submissions.ts';
import { metricValues, type MetricValue } from '../recipes/recipes.ts';
import { splitFactsSchema, type SplitFacts } from '../split/split-facts.ts';
import { isOfComparison } from './compare.ts';
import { locateData } from './locate-data.ts';

export type ReadArtifact = (id: string) => Promise<Artifact | undefined>;

export interface RecomputeContext {
  readonly readArtifact: ReadArtifact;
  readonly signal?: AbortSignal | undefined;
}

/** What was made from the files that a record names. */
export interface MadeAgain<T> {
  readonly values?: T;
  /** Why the numbers cannot be confirmed, whatever the recomputed value is. */
  readonly problem?: Mismatch['reason'];
  /** The file that the verdict is about. */
  readonly source: string;
}

/** What was found for all evidence records that rest on the same inputs. */
export type Recomputed = MadeAgain<readonly MetricValue[]>;

/** Predictions of the same rows joined to the original labels, and where the data is. */
export interface JoinedSources {
  readonly rows: Uint32Array;
  readonly submissions: readonly EvaluationRequest[];
  readonly manifest: DatasetManifest;
  readonly dataPath: string;
}

/** What a metric recipe needs beside its inputs. Bounds keep an edited record from keeping a verifier busy. */
const parameters = z.object({
  seed: z.number().int().min(0).max(0xffff_ffff),
  B: z.number().int().min(0).max(20_000),
  split: splitFactsSchema,
});

/** Records with the same key are computed in one go: same inputs, same sources, same seed, resamples and split. */
export function groupKey(evidence: Evidence): string {
  const { seed, B, split, family, primary } = evidence.recipe.parameters;
  const { inputs } = evidence.recipe;
  return canonicalJson(
    isOfComparison(evidence.recipe)
      ? { inputs, sources: evidence.sources, seed, split, family, primary }
      : { inputs, sources: evidence.sources, seed, B, split },
  );
}

/** Evaluates the predictions of one group again, from files. */
export async function recompute(questRoot: string, evidence: Evidence, context: RecomputeContext): Promise<Recomputed> {
  const parsed = parameters.safeParse(evidence.recipe.parameters);
  if (evidence.recipe.inputs.length !== 2 || !parsed.success) return unreadable(evidence);
  return withSubmissions(questRoot, evidence, { ...parsed.data, ...context }, async ({ submissions: [submission] }) => {
    const { seed, B } = parsed.data;
    const evaluation = await evaluate({ ...submission!, seed, B, signal: context.signal });
    return metricValues(evaluation, { confusion: true });
  });
}

/** A record that does not say what its number is made from. */
export function unreadable(evidence: Evidence): { readonly problem: Mismatch['reason']; readonly source: string } {
  return { problem: 'mismatch', source: evidence.sources[0]?.file ?? '' };
}

type Found = { readonly problem: Mismatch['reason']; readonly source: string };

/**
 * Joins the predictions that a record names (all its inputs but the last, which is the manifest) to the original labels
 * again, and computes its group from them.
 */
export async function withSubmissions<T>(
  questRoot: string,
  evidence: Evidence,
  context: RecomputeContext & { readonly split: SplitFacts },
  compute: (joined: JoinedSources) => Promise<T>,
): Promise<MadeAgain<T>> {
  const inputs = evidence.recipe.inputs;
  const manifestInput = inputs.at(-1)!;
  const files = await predictionFiles(questRoot, evidence, context);
  if ('problem' in files) return files;
  const manifest = await readManifest(manifestInput, context);
  if (typeof manifest === 'string') return { problem: manifest, source: `artifact ${manifestInput.artifact}` };
  const data = await locateData(questRoot, manifest, context.signal);
  if (data.path === undefined) return { problem: data.problem ?? 'source_missing', source: data.source };
  const { split, signal } = context;
  const job = { root: questRoot, files: files.paths, manifest, dataPath: data.path, split, signal };
  const source = evidence.sources[0]?.file ?? '';
  try {
    const joined = await joinSubmissions(job);
    if ('problem' in joined) return { problem: joined.problem, source };
    const values = await compute({ ...joined, manifest, dataPath: data.path });
    return data.problem === undefined ? { values, source } : { values, problem: data.problem, source: data.source };
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    const problem = data.problem ?? problemOf(error);
    return { problem, source: data.problem === undefined ? source : data.source };
  }
}

async function predictionFiles(
  questRoot: string,
  evidence: Evidence,
  context: RecomputeContext,
): Promise<{ readonly paths: readonly PredictionFile[] } | Found> {
  const paths: PredictionFile[] = [];
  for (const [at, { artifact, sha256 }] of evidence.recipe.inputs.slice(0, -1).entries()) {
    const predictions = await context.readArtifact(artifact);
    if (predictions?.path === undefined)
      return { problem: 'source_missing', source: evidence.sources[at]?.file ?? `artifact ${artifact}` };
    paths.push({ path: join(questRoot, predictions.path), sha256 });
  }
  return { paths };
}

async function readManifest(
  input: Evidence['recipe']['inputs'][number],
  context: RecomputeContext,
): Promise<DatasetManifest | Mismatch['reason']> {
  const artifact = await context.readArtifact(input.artifact);
  if (artifact?.value === undefined) return 'source_missing';
  if (sha256Text(canonicalJson(artifact.value)) !== input.sha256) return 'source_changed';
  const parsed = datasetManifestSchema.safeParse(artifact.value);
  return parsed.success ? parsed.data : 'mismatch';
}

function problemOf(error: AssayError): Mismatch['reason'] {
  if (error.code === 'output_missing' || error.code === 'dataset_missing') return 'source_missing';
  if (error.code === 'dataset_changed') return 'source_changed';
  return 'mismatch';
}
