import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, errorCode, idKind, systemClock } from '@assay/foundation';
import { readJournalFiles } from '@assay/event-store';
import { createArtifactStore, questPaths } from '@assay/quest-repo';
import { exists } from '@assay/files';
import { homePaths } from '../home/home.ts';

export interface FoundQuest {
  readonly questId: string;
  readonly root: string;
  /** Set when a plan was named. */
  readonly planId: string | undefined;
  /** Set when a comparison was named. */
  readonly comparisonId?: string | undefined;
}

/** The quest that an id names, or the quest that holds the plan or comparison of that id. Reads files only. */
export async function findQuest(home: string, ref: string): Promise<FoundQuest> {
  const quests = homePaths(home).quests;
  const kind = idKind(ref);
  if (kind === 'quest' && (await exists(join(quests, ref, 'quest.yaml'))))
    return { questId: ref, root: join(quests, ref), planId: undefined };
  if (kind === 'plan')
    for (const questId of await questIds(quests)) {
      const root = join(quests, questId);
      if (await hasPlan(root, questId, ref)) return { questId, root, planId: ref };
    }
  if (kind === 'comparison')
    for (const questId of await questIds(quests)) {
      const root = join(quests, questId);
      if (await hasComparison(root, questId, ref)) return { questId, root, planId: undefined, comparisonId: ref };
    }
  throw new AssayError('not_found', `there is no quest, plan or comparison ${ref} in ${home}`, {
    hint: 'list them with: assay plan list; or name another home with ASSAY_HOME',
  });
}

/** By the plan's folder, which is there once a task has run; else by the journal; else by what it left in git. */
async function hasPlan(root: string, questId: string, planId: string): Promise<boolean> {
  if (await exists(join(root, '.assay', 'plans', planId))) return true;
  if (await exists(join(root, '.assay', 'events'))) return isCreated(root, questId, planId);
  const artifacts = await createArtifactStore({ root, quest: questId, clock: systemClock }).list();
  return artifacts.some((artifact) => artifact.producer.plan === planId);
}

async function isCreated(root: string, questId: string, planId: string): Promise<boolean> {
  try {
    for await (const event of readJournalFiles(join(root, '.assay'), questId))
      if (event.type === 'plan.created' && event.data.plan.id === planId) return true;
  } catch (error) {
    if (!(error instanceof AssayError)) throw error; // a damaged journal of another quest does not hide this one
  }
  return false;
}

async function hasComparison(root: string, questId: string, comparisonId: string): Promise<boolean> {
  if (await exists(questPaths(root).comparison(comparisonId))) return true;
  // A damaged record of another quest does not hide this one.
  const artifacts = await createArtifactStore({ root, quest: questId, clock: systemClock })
    .list()
    .catch(() => []);
  return artifacts.some(({ producer }) => producer.comparison === comparisonId);
}

export async function questIds(quests: string): Promise<string[]> {
  try {
    const entries = await readdir(quests, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && idKind(entry.name) === 'quest').map((entry) => entry.name);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
