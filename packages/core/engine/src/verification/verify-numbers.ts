import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@assay/foundation';
import type { Artifact, Evidence, Verification } from '@assay/contracts';
import { verifyEvidence } from '@assay/evaluation';
import { questPaths } from '@assay/quest-repo';
import { checkRendered, type RenderedReport } from './rendered-reports.ts';

export interface VerifyRequest {
  readonly root: string;
  readonly evidence: readonly Evidence[];
  readonly readArtifact: (id: string) => Promise<Artifact | undefined>;
  readonly signal?: AbortSignal | undefined;
}

/** Recomputes numbers from their sources, and compares what the rendered reports show with the evidence. Reads files only. */
export async function verifyNumbers(request: VerifyRequest): Promise<Verification> {
  const { root, evidence, readArtifact, signal } = request;
  const recomputed = await verifyEvidence(root, evidence, readArtifact, { signal });
  const known = new Set(recomputed.mismatches.map((mismatch) => mismatch.evidenceId));
  const edited = checkRendered(await renderedReports(root), evidence).filter(
    ({ evidenceId }) => !known.has(evidenceId),
  );
  const wrong = new Set([...known, ...edited.map((mismatch) => mismatch.evidenceId)]);
  return {
    ok: evidence.length - wrong.size,
    total: evidence.length,
    mismatches: [...recomputed.mismatches, ...edited],
  };
}

async function renderedReports(root: string): Promise<RenderedReport[]> {
  const folder = questPaths(root).documents;
  const names = await markdownIn(folder);
  return Promise.all(
    names.map(async (name) => ({ file: `documents/${name}`, markdown: await readFile(join(folder, name), 'utf8') })),
  );
}

async function markdownIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
