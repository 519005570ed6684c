import { isPlanEventType, type AssayEvent, type EventsQuery } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { FollowItem } from '@assay/event-store';
import type { Caller, EventsPage, FollowOptions } from '../engine.ts';
import { ownedPlan } from './owned-plan.ts';

/** Events of the plan protocol of one plan, oldest first, at most `limit` behind `after`. */
export async function planEvents(
  deps: EngineDeps,
  caller: Caller,
  planId: string,
  query: EventsQuery,
): Promise<EventsPage> {
  const plan = await ownedPlan(deps, caller, planId);
  const { journal } = await deps.quests.get(plan.questId);
  const events: AssayEvent[] = [];
  for await (const event of journal.scan({ after: query.after })) {
    if (query.before !== undefined && event.seq >= query.before) break;
    if (event.scope.plan === planId && isPlanEventType(event.type)) events.push(event);
    if (events.length >= query.limit) break;
  }
  return { generation: journal.generation, events, lastSeq: journal.lastSeq };
}

export async function* followPlan(
  deps: EngineDeps,
  caller: Caller,
  planId: string,
  options: FollowOptions,
): AsyncGenerator<FollowItem> {
  const plan = await ownedPlan(deps, caller, planId);
  const { journal } = await deps.quests.get(plan.questId);
  for await (const item of journal.follow(options))
    if (item.kind !== 'event' || item.event.scope.plan === planId) yield item;
}
