import type { QuestSummary } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import { summaryOf } from './quest-summary.ts';

export async function getQuest(deps: EngineDeps, questId: string): Promise<QuestSummary> {
  return summaryOf(await deps.quests.get(questId));
}
