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
import type { Evaluation } from '../metrics/evaluation.ts';
import { readPredictions } from '../predictions/read-predictions.ts';
import { readTargets } from '../predictions/read-targets.ts';
import { chooseRows } from '../split/choose-rows.ts';
import { rowsSha256 } from '../split/row-list.ts';
import { splitFactsSchema } from '../split/split-facts.ts';
import { locateData } from './locate-data.ts';

export type ReadArtifact = (id: string) => Promise<Artifact | undefined>;

export interface RecomputeContext {
  readonly readArtifact: ReadArtifact;
  readonly signal?: AbortSignal | undefined;
}

/** What was found for all evidence records that rest on the same inputs. */
export interface Recomputed {
  readonly evaluation?: Evaluation;
  /** Why the numbers cannot be confirmed, whatever the recomputed value is. */
  readonly problem?: Mismatch['reason'];
  /** The file that the verdict is about. */
  readonly source: string;
}

/** What a metric recipe needs beside its inputs. Bounds keep an edited record from keeping a verifier busy. */
const parameters = z.object({
  seed: z.number().int().min(0).max(0xffff_ffff),
  B: z.number().int().min(0).max(20_000),
  split: splitFactsSchema,
});

/** Records with the same key are computed in one go: same inputs, same sources, same seed, resamples and split. */
export function groupKey(evidence: Evidence): string {
  const { seed, B, split } = evidence.recipe.parameters;
  return canonicalJson({ inputs: evidence.recipe.inputs, sources: evidence.sources, seed, B, split });
}

/** Evaluates the predictions of one group again, from files. */
export async function recompute(questRoot: string, evidence: Evidence, context: RecomputeContext): Promise<Recomputed> {
  const [predictionsInput, manifestInput] = evidence.recipe.inputs;
  const parsed = parameters.safeParse(evidence.recipe.parameters);
  const source = evidence.sources[0]?.file ?? '';
  if (predictionsInput === undefined || manifestInput === undefined || !parsed.success)
    return { problem: 'mismatch', source };
  const predictions = await context.readArtifact(predictionsInput.artifact);
  if (predictions?.path === undefined) return { problem: 'source_missing', source };
  const manifest = await readManifest(manifestInput, context);
  if (typeof manifest === 'string') return { problem: manifest, source: `artifact ${manifestInput.artifact}` };
  const data = await locateData(questRoot, manifest, context.signal);
  if (data.path === undefined) return { problem: data.problem ?? 'source_missing', source: data.source };
  const job = {
    file: join(questRoot, predictions.path),
    sha256: predictionsInput.sha256,
    manifest,
    dataPath: data.path,
  };
  const outcome = await evaluateAgain(questRoot, job, { ...parsed.data, signal: context.signal });
  if (data.problem === undefined) return { ...outcome, source: predictions.path };
  return { ...outcome, problem: data.problem, source: data.source };
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

interface Job {
  readonly file: string;
  readonly sha256: string;
  readonly manifest: DatasetManifest;
  readonly dataPath: string;
}

type Parameters = z.infer<typeof parameters> & { readonly signal?: AbortSignal | undefined };

/** The rows that were handed out are chosen again from the data: a shorter list of easy rows does not pass. */
async function evaluateAgain(questRoot: string, job: Job, options: Parameters): Promise<Omit<Recomputed, 'source'>> {
  const { manifest, dataPath } = job;
  const { split, seed, B, signal } = options;
  const from = { path: dataPath, signal };
  try {
    const training = split.method !== 'all';
    const rows = await chooseRows(manifest, { training, seed: split.seed, limit: split.limit }, from);
    if (rows.handedOut.length !== split.handedOut || rowsSha256(rows.handedOut) !== split.handedOutSha256)
      return { problem: 'mismatch' };
    const { handedOut } = rows;
    const targets = await readTargets(manifest, handedOut, from);
    const { task, type: targetType } = targets;
    const predictions = await readPredictions(job.file, { root: questRoot, handedOut, task, targetType, signal });
    if (predictions.sha256 !== job.sha256) return { problem: 'source_changed' };
    const evaluation = await evaluate(
      task === 'classification'
        ? {
            task,
            targets: targets.labels!,
            predictions: predictions.labels!,
            scores: predictions.scores,
            labelType: targetType,
            seed,
            B,
            signal,
          }
        : { task, targets: targets.values!, predictions: predictions.values!, seed, B, signal },
    );
    return { evaluation };
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    return { problem: problemOf(error) };
  }
}

function problemOf(error: AssayError): Mismatch['reason'] {
  if (error.code === 'output_missing' || error.code === 'dataset_missing') return 'source_missing';
  if (error.code === 'dataset_changed') return 'source_changed';
  return 'mismatch';
}
