import type { QuestSummary } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { Page } from '../engine.ts';
import { pageOf } from '../pages.ts';
import { summaryOf } from './quest-summary.ts';

/** Quests, newest activity first; a broken one is not shown here but by doctor and fsck. */
export async function listQuests(
  deps: EngineDeps,
  page: Page,
): Promise<{ quests: QuestSummary[]; nextCursor: string | null }> {
  const { quests } = await deps.quests.all();
  const summaries = quests
    .map(summaryOf)
    .sort((a, b) => b.lastActivityAt.localeCompare(a.lastActivityAt) || a.id.localeCompare(b.id));
  const { items, nextCursor } = pageOf(summaries, page, (quest) => quest.id);
  return { quests: items, nextCursor };
}
