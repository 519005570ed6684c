import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { AssayError, canonicalJson, errorCode } from '@assay/foundation';
import type { Artifact } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { ArtifactContent, Page } from '../engine.ts';
import { pageOf } from '../pages.ts';

/** Published artifacts in the order of their events. */
export async function listArtifacts(
  deps: EngineDeps,
  questId: string,
  page: Page,
): Promise<{ artifacts: Artifact[]; nextCursor: string | null }> {
  const handle = await deps.quests.get(questId);
  const { items, nextCursor } = pageOf(handle.index.state.artifacts, page, (entry) => entry.id);
  const artifacts: Artifact[] = [];
  for (const { id } of items) artifacts.push(await getArtifact(deps, questId, id));
  return { artifacts, nextCursor };
}

export async function getArtifact(deps: EngineDeps, questId: string, artifactId: string): Promise<Artifact> {
  const handle = await deps.quests.get(questId);
  const artifact = await handle.artifacts.read(artifactId);
  if (artifact !== undefined) return artifact;
  throw new AssayError('not_found', `there is no artifact ${artifactId} in this quest`, {
    hint: 'list them with GET /api/quests/:quest/artifacts',
  });
}

export async function artifactContent(deps: EngineDeps, questId: string, artifactId: string): Promise<ArtifactContent> {
  const artifact = await getArtifact(deps, questId, artifactId);
  const handle = await deps.quests.get(questId);
  const file = await handle.artifacts.openFile(artifact);
  if (file === undefined) {
    const text = canonicalJson(artifact.value);
    return { mediaType: 'application/json', size: Buffer.byteLength(text), fileName: `${artifact.key}.json`, text };
  }
  try {
    return { mediaType: artifact.mediaType, size: (await stat(file)).size, fileName: basename(file), file };
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new AssayError('not_found', `the file of artifact ${artifactId} is missing`, {
      why: `${artifact.path ?? ''} is not in the quest`,
      hint: 'run "assay fsck"; restore the file from a backup',
    });
  }
}
