import type { QuestSummary } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import { summaryOf } from './quest-summary.ts';

/** Opens a quest: folder, git repository, first event. */
export async function createQuest(
  deps: EngineDeps,
  input: { readonly title: string; readonly goal: string },
): Promise<QuestSummary> {
  return summaryOf(await deps.quests.create(input));
}
