import { AssayError } from '@assay/foundation';
import type { Evidence, Verification } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { Page } from '../engine.ts';
import { pageOf } from '../pages.ts';
import type { QuestHandle } from '../quests/quest-handle.ts';
import { formalRuns } from '../comparison/formal-runs.ts';
import { verifyNumbers, type ExpectedNumber } from '../verification/verify-numbers.ts';

/** Recorded evidence in the order of its events. */
export async function listEvidence(
  deps: EngineDeps,
  questId: string,
  page: Page,
): Promise<{ evidence: Evidence[]; nextCursor: string | null }> {
  const handle = await deps.quests.get(questId);
  const { items, nextCursor } = pageOf(handle.index.state.evidence, page, (entry) => entry.id);
  const evidence: Evidence[] = [];
  for (const { id } of items) evidence.push(await readEvidence(handle, id));
  return { evidence, nextCursor };
}

export async function getEvidence(deps: EngineDeps, questId: string, evidenceId: string): Promise<Evidence> {
  return readEvidence(await deps.quests.get(questId), evidenceId);
}

/** Recomputes one number from its sources. */
export async function recomputeEvidence(
  deps: EngineDeps,
  { questId, evidenceId }: { readonly questId: string; readonly evidenceId: string },
  signal?: AbortSignal,
): Promise<Verification> {
  const handle = await deps.quests.get(questId);
  const expected = handle.index.state.evidence.filter((entry) => entry.id === evidenceId);
  if (expected.length === 0) throw notRecorded(evidenceId);
  return verify(handle, expected, signal);
}

/** Recomputes every number of a quest, or of one of its plans. */
export async function recomputeQuest(deps: EngineDeps, questId: string, planId?: string): Promise<Verification> {
  const handle = await deps.quests.get(questId);
  const expected = handle.index.state.evidence.filter((entry) => planId === undefined || entry.plan === planId);
  return verify(handle, expected);
}

/** Recomputes every number that a comparison shows: its own, and those of its plans. */
export async function recomputeComparison(
  deps: EngineDeps,
  questId: string,
  comparisonId: string,
): Promise<Verification> {
  const handle = await deps.quests.get(questId);
  const { comparisons, evidence } = handle.index.state;
  const artifact = comparisons.find(({ id }) => id === comparisonId)?.artifact;
  const cited = new Set(artifact === undefined ? [] : (await handle.artifacts.read(artifact))?.evidence);
  return verify(
    handle,
    evidence.filter(({ id, comparison }) => comparison === comparisonId || cited.has(id)),
  );
}

function verify(handle: QuestHandle, expected: readonly ExpectedNumber[], signal?: AbortSignal): Promise<Verification> {
  const { artifacts, journal, index } = handle;
  return verifyNumbers({
    root: handle.paths.root,
    expected,
    signal,
    artifacts,
    published: new Map(index.state.artifacts.map((one) => [one.id, one])),
    runsBefore: ({ id, protocol }) =>
      formalRuns(journal.scan({ after: 0 }), protocol.sha256, {
        readArtifact: (artifactId) => artifacts.read(artifactId),
        until: (event) => event.type === 'comparison.made' && event.data.comparisonId === id,
      }),
  });
}

async function readEvidence(handle: QuestHandle, evidenceId: string): Promise<Evidence> {
  const evidence = await handle.evidence.read(evidenceId);
  if (evidence !== undefined) return evidence;
  throw notRecorded(evidenceId);
}

function notRecorded(evidenceId: string): AssayError {
  return new AssayError('not_found', `there is no evidence ${evidenceId} in this quest`, {
    hint: 'list it with GET /api/quests/:quest/evidence; run "assay fsck" when it should be there',
  });
}
