import { isPlanEventType, type AssayEvent, type EventsQuery } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { FollowItem } from '@assay/event-store';
import type { Caller, EventsPage, FollowOptions } from '../engine.ts';
import { errorOf } from './error-of.ts';
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

/**
 * Events of the plan from a position on, then live. Rejects with the problem of the plan, such as `disk_full`, once its
 * driver has stopped and everything written before the follower came has been delivered.
 */
export async function* followPlan(
  deps: EngineDeps,
  caller: Caller,
  planId: string,
  options: FollowOptions,
): AsyncGenerator<FollowItem> {
  const plan = await ownedPlan(deps, caller, planId);
  const { journal } = await deps.quests.get(plan.questId);
  const stopped = new AbortController();
  let caughtUp = false;
  using _problem = deps.scheduler.onProblem(planId, (problem) => {
    if (caughtUp) stopped.abort(problem);
  });
  const signal = AbortSignal.any([options.signal, stopped.signal]);
  for await (const item of journal.follow({ ...options, signal })) {
    if (item.kind !== 'event' || item.event.scope.plan === planId) yield item;
    if (item.kind !== 'caught_up') continue;
    caughtUp = true;
    const { problem } = deps.scheduler.view(planId);
    if (problem !== null) throw errorOf(problem);
  }
  if (!options.signal.aborted) stopped.signal.throwIfAborted();
}
