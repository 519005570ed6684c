import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, errorCode, idKind } from '@assay/foundation';
import type { Evidence } from '@assay/contracts';
import { createEvidenceStore } from '@assay/quest-repo';
import { exists } from '@assay/files';
import { homePaths } from '../home/home.ts';

export interface FoundQuest {
  readonly questId: string;
  readonly root: string;
  /** Set when a plan was named. */
  readonly planId: string | undefined;
}

/** The quest that an id names, or the quest that holds the plan of that id. Reads files only. */
export async function findQuest(home: string, ref: string): Promise<FoundQuest> {
  const quests = homePaths(home).quests;
  const kind = idKind(ref);
  if (kind === 'quest' && (await exists(join(quests, ref, 'quest.yaml'))))
    return { questId: ref, root: join(quests, ref), planId: undefined };
  if (kind === 'plan')
    for (const questId of await questIds(quests)) {
      const root = join(quests, questId);
      if ((await exists(join(root, '.assay', 'plans', ref))) || (await evidenceOf(root, ref)).length > 0)
        return { questId, root, planId: ref };
    }
  throw new AssayError('not_found', `there is no quest or plan ${ref} in ${home}`, {
    hint: 'list them with: assay plan list; or name another home with ASSAY_HOME',
  });
}

/** The evidence of a quest, or of one of its plans. */
export async function evidenceOf(root: string, planId: string | undefined): Promise<readonly Evidence[]> {
  const all = await createEvidenceStore(root).list();
  return planId === undefined ? all : all.filter((evidence) => evidence.plan === planId);
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
