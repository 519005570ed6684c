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
  readonly artifacts: Pick<ArtifactStore, 'list'>;
}

/**
 * The numbers that a quest, or one of its plans, must be able to show. The journal knows them; a quest that was copied
 * without it is judged by what its artifacts and evidence records name.
 */
export async function expectedNumbers(request: ExpectedRequest): Promise<ExpectedNumber[]> {
  const { root, questId, planId } = request;
  if (!(await exists(join(root, '.assay', 'events')))) return namedByFiles(request);
  const found: ExpectedNumber[] = [];
  for await (const event of readJournalFiles(join(root, '.assay'), questId))
    if (event.type === 'evidence.recorded' && (planId === undefined || event.scope.plan === planId))
      found.push(expectedNumber(event));
  return found;
}

async function namedByFiles({ root, planId, artifacts }: ExpectedRequest): Promise<ExpectedNumber[]> {
  const ids = new Set<string>();
  for (const artifact of await artifacts.list())
    if (planId === undefined || artifact.producer.plan === planId) for (const id of artifact.evidence) ids.add(id);
  const values = new Map<string, number>();
  for (const evidence of await createEvidenceStore(root).list())
    if (planId === undefined || evidence.plan === planId) values.set(evidence.id, evidence.value);
  return [...new Set([...ids, ...values.keys()])].map((id) => ({ id, value: values.get(id) ?? null, sha256: null }));
}
