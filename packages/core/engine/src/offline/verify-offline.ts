import { systemClock } from '@assay/foundation';
import type { Verification } from '@assay/contracts';
import { createArtifactStore } from '@assay/quest-repo';
import { verifyNumbers } from '../verification/verify-numbers.ts';
import { expectedNumbers } from './expected-numbers.ts';
import { findQuest } from './find-quest.ts';

/** Recomputes every number of a quest or plan from its files: no daemon, no model, no network. */
export async function verifyOffline(home: string, ref: string, signal?: AbortSignal): Promise<Verification> {
  const { questId, root, planId } = await findQuest(home, ref);
  const artifacts = createArtifactStore({ root, quest: questId, clock: systemClock });
  const expected = await expectedNumbers({ root, questId, planId, artifacts });
  return verifyNumbers({ root, expected, artifacts, signal });
}
