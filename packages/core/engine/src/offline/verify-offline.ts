import { join } from 'node:path';
import { systemClock } from '@assay/foundation';
import type { Verification } from '@assay/contracts';
import { readJournalFiles } from '@assay/event-store';
import { createArtifactStore, type ArtifactStore } from '@assay/quest-repo';
import { formalRuns } from '../comparison/formal-runs.ts';
import { expectedArtifact } from '../quests/quest-index.ts';
import type { RunsBefore } from '../verification/check-comparisons.ts';
import { refuseNewerHome } from '../home/home-version.ts';
import type { PublishedArtifact } from '../verification/changed-artifacts.ts';
import { verifyNumbers } from '../verification/verify-numbers.ts';
import { expectedNumbers, hasJournal } from './expected-numbers.ts';
import { findQuest } from './find-quest.ts';

/** Recomputes every number of a quest, plan or comparison from its files: no daemon, no model, no network. Rejects with `home_newer`. */
export async function verifyOffline(home: string, ref: string, signal?: AbortSignal): Promise<Verification> {
  await refuseNewerHome(home);
  const { questId, root, planId, comparisonId } = await findQuest(home, ref);
  const artifacts = createArtifactStore({ root, quest: questId, clock: systemClock });
  const expected = await expectedNumbers({ root, questId, planId, comparisonId, artifacts });
  const journal = (await hasJournal(root)) ? await fromJournal(root, questId, artifacts) : {};
  return verifyNumbers({ root, expected, artifacts, ...journal, signal });
}

/** What the journal knows beside the numbers: hashes of artifacts, and the formal runs before a comparison. */
async function fromJournal(root: string, questId: string, artifacts: ArtifactStore) {
  const events = () => readJournalFiles(join(root, '.assay'), questId);
  const published = new Map<string, PublishedArtifact>();
  for await (const event of events())
    if (event.type === 'artifact.published') published.set(event.data.artifactId, expectedArtifact(event));
  const runsBefore: RunsBefore = ({ id, protocol }) =>
    formalRuns(events(), protocol.sha256, {
      readArtifact: (artifactId) => artifacts.read(artifactId),
      until: (event) => event.type === 'comparison.made' && event.data.comparisonId === id,
    });
  return { published, runsBefore };
}
