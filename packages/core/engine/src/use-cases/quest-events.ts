import type { EventsQuery } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { FollowItem } from '@assay/event-store';
import type { EventsPage, FollowOptions } from '../engine.ts';

export async function questEvents(deps: EngineDeps, questId: string, query: EventsQuery): Promise<EventsPage> {
  const { journal } = await deps.quests.get(questId);
  const events = await journal.read({ after: query.after, before: query.before, limit: query.limit });
  return { generation: journal.generation, events, lastSeq: journal.lastSeq };
}

/** The journal of a quest from a position on, then live. */
export async function* followQuest(
  deps: EngineDeps,
  questId: string,
  options: FollowOptions,
): AsyncGenerator<FollowItem> {
  const { journal } = await deps.quests.get(questId);
  yield* journal.follow(options);
}
