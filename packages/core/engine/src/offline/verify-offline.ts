import { systemClock } from '@assay/foundation';
import type { Verification } from '@assay/contracts';
import { verifyEvidence } from '@assay/evaluation';
import { createArtifactStore } from '@assay/quest-repo';
import { evidenceOf, findQuest } from './find-quest.ts';

/** Recomputes every number of a quest or plan from its files: no daemon, no model, no network. */
export async function verifyOffline(home: string, ref: string, signal?: AbortSignal): Promise<Verification> {
  const { questId, root, planId } = await findQuest(home, ref);
  const artifacts = createArtifactStore({ root, quest: questId, clock: systemClock });
  const evidence = await evidenceOf(root, planId);
  return verifyEvidence(root, evidence, (id) => artifacts.read(id), signal === undefined ? {} : { signal });
}
