import { mkdir, rename, rmdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { errorCode, isoTime, systemClock } from '@assay/foundation';
import type { Artifact } from '@assay/contracts';
import { acquireHomeLock, exists, writeJsonDurable } from '@assay/files';
import { createArtifactStore, createEvidenceStore, questPaths } from '@assay/quest-repo';
import { homePaths } from '../../home/home.ts';
import { questIds } from '../find-quest.ts';
import { note, type Finding } from './finding.ts';
import { readHistory } from './read-history.ts';

/**
 * Moves what a crash left behind, records and files that no event speaks of, to the quest's trash with a list of where
 * each stood. What a plan that has not ended may still publish is left alone, and so is everything that is damaged.
 * Rejects with `home_locked` while a daemon has the home.
 */
export async function repairHome(home: string): Promise<readonly Finding[]> {
  await using _lock = await acquireHomeLock(home);
  const { quests } = homePaths(home);
  const findings: Finding[] = [];
  for (const questId of await questIds(quests)) {
    const moved = await repairQuest(join(quests, questId), questId);
    if (moved.length > 0)
      findings.push(
        note(
          `${questId}: ${moved.length} files without an event were moved to .assay/trash: ${moved.slice(0, 5).join(', ')}`,
        ),
      );
  }
  return findings;
}

async function repairQuest(root: string, questId: string): Promise<string[]> {
  const { history, published } = await readHistory(root, questId);
  const open = new Set(
    history.plans.filter((plan) => plan.status === 'pending' || plan.status === 'in_progress').map((plan) => plan.id),
  );
  const store = createArtifactStore({ root, quest: questId, clock: systemClock });
  const artifacts = await store.list();
  const orphans = artifacts.filter((one) => !published.artifacts.has(one.id) && !open.has(one.producer.plan ?? ''));
  const used = new Set(artifacts.filter((one) => !orphans.includes(one)).map((one) => one.path));
  const evidence = (await createEvidenceStore(root).list()).filter(
    (one) => !published.evidence.has(one.id) && !open.has(one.plan ?? ''),
  );
  const paths = [
    ...orphans.flatMap((one) => [recordOf(one), ...(one.path === undefined || used.has(one.path) ? [] : [one.path])]),
    ...evidence.map((one) => join('evidence', `${one.id}.json`)),
  ];
  return moveToTrash(root, paths);
}

function recordOf(artifact: Artifact): string {
  return join('artifacts', artifact.type, `${artifact.id}.json`);
}

async function moveToTrash(root: string, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const at = isoTime(systemClock.now());
  const folder = join(questPaths(root).trash, `fsck-${at.replaceAll(':', '-')}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The list comes first: whatever is found in the trash can be put back.
  await writeJsonDurable(join(folder, 'trash.json'), { v: 1, by: 'assay fsck --repair', at, paths });
  const moved: string[] = [];
  for (const path of paths) {
    const source = join(root, path);
    if (!(await exists(source))) continue;
    await mkdir(join(folder, dirname(path)), { recursive: true, mode: 0o700 });
    await rename(source, join(folder, path));
    await removeIfEmpty(dirname(source), root);
    moved.push(relative(root, source));
  }
  return moved;
}

/** The folder of an artifact's file has the artifact's id for a name, and nothing else in it. */
async function removeIfEmpty(folder: string, root: string): Promise<void> {
  if (!basename(folder).startsWith('artifact_') || relative(root, folder).startsWith('..')) return;
  try {
    await rmdir(folder);
  } catch (error) {
    if (errorCode(error) !== 'ENOTEMPTY') throw error;
  }
}
