import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatasetManifest } from '@assay/contracts';
import {
  confidenceThreshold,
  labelMapText,
  writeAdapter,
  type Candidate,
  type LabelMapping,
} from '@assay/adapter-generator';
import { checkAdapterPolicy } from './adapter-policy.ts';
import { BENCHMARK_SEED } from './benchmark-run.ts';
import type { AdapterSpecValue } from './benchmark-values.ts';
import type { TaskContext } from './task-type.ts';

/** An adapter of a candidate, in a file. */
export interface PlacedAdapter {
  readonly candidate: Candidate;
  readonly spec: AdapterSpecValue;
  readonly file: string;
}

interface Known {
  readonly first: AdapterSpecValue;
  readonly attempts: readonly { readonly entrypoint: string; readonly adapterSha256: string }[];
  readonly manifest: DatasetManifest;
  readonly labels: LabelMapping | undefined;
}

export interface UnplacedAdapter {
  readonly candidate: Candidate;
  readonly spec: AdapterSpecValue;
  readonly code: string;
}

/** The surest candidate that was not tried, is not hidden, needs the same data, and gives another file. */
export function nextCandidate(candidates: readonly Candidate[], known: Known): UnplacedAdapter | undefined {
  const tried = new Set(known.attempts.map((attempt) => attempt.entrypoint));
  for (const candidate of candidates) {
    if (candidate.confidence < confidenceThreshold) continue; // a guess is not run
    if (tried.has(candidate.entrypoint) || candidate.needsTraining !== known.first.needsTraining) continue;
    if (known.first.masked.includes(candidate.file)) continue; // it appears empty
    if (candidate.thirdPartyImports.some((name) => !known.first.thirdPartyImports.includes(name))) continue; // not installed
    const { code, sha256 } = writeAdapter(candidate, {
      manifest: known.manifest,
      seed: BENCHMARK_SEED,
      labels: known.labels,
    });
    if (known.attempts.some((attempt) => attempt.adapterSha256 === sha256)) continue;
    const spec: AdapterSpecValue = {
      ...known.first,
      entrypoint: candidate.entrypoint,
      strategy: `${candidate.kind}, ${candidate.call} call, ${candidate.input} input`,
      confidence: candidate.confidence,
      adapterSha256: sha256,
      thirdPartyImports: [...candidate.thirdPartyImports],
      privateCopy: false,
    };
    return { candidate, spec, code };
  }
  return undefined;
}

/** Checks the adapter's code and writes it into the attempt's folder. */
export async function placeAdapter(context: TaskContext, name: string, next: UnplacedAdapter): Promise<PlacedAdapter> {
  await checkAdapterPolicy(context, `policy-${name}`, next.code);
  const file = join(context.attemptDir, `adapter-${name}.py`);
  await writeFile(file, next.code);
  return { candidate: next.candidate, spec: next.spec, file };
}

/** The adapter of the same candidate with what was found out since; the same one when that changes nothing. */
export async function sameCandidate(
  context: TaskContext,
  placed: PlacedAdapter,
  found: {
    readonly manifest: DatasetManifest;
    readonly labels: LabelMapping | undefined;
    readonly evidence: string;
    readonly name: string;
  },
): Promise<PlacedAdapter> {
  const { manifest, labels, evidence, name } = found;
  const { code, sha256 } = writeAdapter(placed.candidate, { manifest, seed: BENCHMARK_SEED, labels });
  const mapping = labels === undefined ? null : { map: labelMapText(labels), evidence };
  const { input, call } = placed.candidate;
  const spec = {
    ...placed.spec,
    adapterSha256: sha256,
    labels: mapping,
    strategy: `${placed.candidate.kind}, ${call} call, ${input} input`,
  };
  if (sha256 === placed.spec.adapterSha256) return { ...placed, spec };
  return placeAdapter(context, name, { candidate: placed.candidate, spec, code });
}
