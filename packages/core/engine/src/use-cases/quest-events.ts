import { Resources } from '@assay/foundation';
import type { EventsQuery } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { FollowItem } from '@assay/event-store';
import type { EventsPage, FollowOptions } from '../engine.ts';
import { errorOf } from './error-of.ts';

export async function questEvents(deps: EngineDeps, questId: string, query: EventsQuery): Promise<EventsPage> {
  const { journal } = await deps.quests.get(questId);
  const events = await journal.read({ after: query.after, before: query.before, limit: query.limit });
  return { generation: journal.generation, events, lastSeq: journal.lastSeq };
}

/**
 * The journal of a quest from a position on, then live. Rejects with the problem of one of its plans, such as
 * `disk_full`, once everything written before the follower came has been delivered: nothing more is written then.
 */
export async function* followQuest(
  deps: EngineDeps,
  questId: string,
  options: FollowOptions,
): AsyncGenerator<FollowItem> {
  const { journal } = await deps.quests.get(questId);
  const stopped = new AbortController();
  await using watched = new Resources();
  const known = new Set<string>();
  let caughtUp = false;
  const watch = (planId: string) => {
    if (known.has(planId)) return;
    known.add(planId);
    watched.use(deps.scheduler.onProblem(planId, (problem) => caughtUp && stopped.abort(problem)));
    const { problem } = deps.scheduler.view(planId);
    if (caughtUp && problem !== null) throw errorOf(problem);
  };
  const signal = AbortSignal.any([options.signal, stopped.signal]);
  for await (const item of journal.follow({ ...options, signal })) {
    yield item;
    if (item.kind === 'caught_up') {
      caughtUp = true;
      for (const plan of deps.scheduler.list()) if (plan.questId === questId) watch(plan.id);
    } else if (caughtUp && item.kind === 'event' && item.event.scope.plan !== undefined) watch(item.event.scope.plan);
  }
  if (!options.signal.aborted) stopped.signal.throwIfAborted();
}
