import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, errorCode } from '@assay/foundation';
import type { Evidence, Mismatch, Verification } from '@assay/contracts';
import { verifyEvidence } from '@assay/evaluation';
import { createEvidenceStore, questPaths, type ArtifactStore } from '@assay/quest-repo';
import { changedArtifacts, type PublishedArtifact } from './changed-artifacts.ts';
import { checkComparisons, type RunsBefore } from './check-comparisons.ts';
import { checkRendered, type RenderedReport } from './rendered-reports.ts';
import { changedReports, writtenReports } from './written-reports.ts';

/** A number that must be there: the journal, or else an artifact, says that it was recorded. */
export interface ExpectedNumber {
  readonly id: string;
  /** Null when only an artifact names it. */
  readonly value: number | null;
  /** Of the record's bytes; null when it is not known. */
  readonly sha256: string | null;
}

export interface VerifyRequest {
  readonly root: string;
  readonly expected: readonly ExpectedNumber[];
  readonly artifacts: Pick<ArtifactStore, 'read' | 'list' | 'fileOf' | 'recordHash'>;
  /** What the journal says of published artifacts, by id. */
  readonly published?: ReadonlyMap<string, PublishedArtifact> | undefined;
  readonly runsBefore?: RunsBefore | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Recomputes numbers from their sources. Every expected number must be there, unchanged, and come out the same; the
 * artifacts of its plan must be what was published; and rendered reports must be those that were written. Reads files only.
 */
export async function verifyNumbers(request: VerifyRequest): Promise<Verification> {
  const { root, expected, artifacts, signal } = request;
  const opened = await openAll(root, expected);
  const evidence = opened.flatMap(({ evidence }) => (evidence === undefined ? [] : [evidence]));
  const recomputed = await verifyEvidence(root, evidence, (id) => artifacts.read(id), { signal });
  const found = new Map<string, Mismatch>();
  const add = (mismatches: readonly Mismatch[]) => {
    for (const mismatch of mismatches) if (!found.has(mismatch.evidenceId)) found.set(mismatch.evidenceId, mismatch);
  };
  add(recomputed.mismatches);
  add(opened.flatMap(({ mismatch }) => (mismatch === undefined ? [] : [mismatch])));
  const records = await artifacts.list();
  add(await changedArtifacts(request, records, evidence));
  add(await checkComparisons(records, evidence, request.runsBefore));
  const edited = checkRendered(await renderedReports(root), evidence);
  add(edited);
  // A forged number names its own evidence already; anything else in the file is held by its hash.
  const named = new Set(edited.map(({ source }) => source));
  const written = writtenReports(records.filter(({ id }) => request.published?.has(id) ?? true));
  add((await changedReports(root, written, evidence)).filter(({ source }) => !named.has(source)));
  const mismatches = expected.flatMap(({ id }) => found.get(id) ?? []);
  return { ok: expected.length - mismatches.length, total: expected.length, mismatches };
}

interface Opened {
  readonly evidence?: Evidence;
  readonly mismatch?: Mismatch;
}

async function openAll(root: string, expected: readonly ExpectedNumber[]): Promise<Opened[]> {
  const store = createEvidenceStore(root);
  const opened: Opened[] = [];
  for (const { id, value, sha256 } of expected) {
    const mismatch = (reason: Mismatch['reason'], recomputed: number | null = null): Mismatch => ({
      evidenceId: id,
      claimed: value,
      recomputed,
      source: join('evidence', `${id}.json`),
      reason,
    });
    try {
      const one = await store.open(id);
      if (one === undefined) opened.push({ mismatch: mismatch('source_missing') });
      else if (sha256 === null || one.sha256 === sha256) opened.push({ evidence: one.evidence });
      else opened.push({ evidence: one.evidence, mismatch: mismatch('source_changed', one.evidence.value) });
    } catch (error) {
      if (!(error instanceof AssayError)) throw error;
      opened.push({ mismatch: mismatch('source_changed') });
    }
  }
  return opened;
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
