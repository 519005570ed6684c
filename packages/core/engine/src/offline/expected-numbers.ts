import { join } from 'node:path';
import { readJournalFiles } from '@assay/event-store';
import { exists } from '@assay/files';
import { createEvidenceStore, type ArtifactStore } from '@assay/quest-repo';
import { expectedNumber } from '../quests/quest-index.ts';
import type { ExpectedNumber } from '../verification/verify-numbers.ts';

export interface ExpectedRequest {
  readonly root: string;
  readonly questId: string;
  readonly planId: string | undefined;
  readonly comparisonId?: string | undefined;
  readonly artifacts: Pick<ArtifactStore, 'list'>;
}

/**
 * The numbers that a quest, one of its plans or comparisons must be able to show. The journal knows them; a quest that
 * was copied without it is judged by what its artifacts and evidence records name.
 */
export async function expectedNumbers(request: ExpectedRequest): Promise<ExpectedNumber[]> {
  const { root, questId } = request;
  const isAsked = await askedFor(request);
  if (!(await hasJournal(root))) return namedByFiles(request, isAsked);
  const found: ExpectedNumber[] = [];
  for await (const event of readJournalFiles(join(root, '.assay'), questId))
    if (event.type === 'evidence.recorded' && isAsked({ id: event.data.evidenceId, ...event.scope }))
      found.push(expectedNumber(event));
  return found;
}

export function hasJournal(root: string): Promise<boolean> {
  return exists(join(root, '.assay', 'events'));
}

type IsAsked = (one: { id: string; plan?: string | undefined; comparison?: string | undefined }) => boolean;

/** A comparison shows its own numbers and those of its plans. */
async function askedFor({ planId, comparisonId, artifacts }: ExpectedRequest): Promise<IsAsked> {
  if (planId !== undefined) return ({ plan }) => plan === planId;
  if (comparisonId === undefined) return () => true;
  const made = (await artifacts.list()).filter(({ producer }) => producer.comparison === comparisonId);
  const cited = new Set(made.flatMap(({ evidence }) => evidence));
  return ({ id, comparison }) => comparison === comparisonId || cited.has(id);
}

async function namedByFiles({ root, planId, artifacts }: ExpectedRequest, isAsked: IsAsked): Promise<ExpectedNumber[]> {
  const ids = new Set<string>();
  for (const { producer, evidence } of await artifacts.list())
    for (const id of evidence)
      if (planId === undefined ? isAsked({ id, ...producer }) : producer.plan === planId) ids.add(id);
  const values = new Map<string, number>();
  for (const evidence of await createEvidenceStore(root).list())
    if (isAsked(evidence)) values.set(evidence.id, evidence.value);
  return [...new Set([...ids, ...values.keys()])].map((id) => ({ id, value: values.get(id) ?? null, sha256: null }));
}
