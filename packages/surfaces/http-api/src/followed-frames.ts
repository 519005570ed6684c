import { isPlanEventType, planStreamNames, type AssayEvent, type Plan, type PlanStreamEvent } from '@assay/contracts';
import type { Caller, Engine, FollowItem } from '@assay/engine';
import type { Logger } from '@assay/foundation';
import { errorAnswer } from './errors.ts';
import type { Frame } from './event-stream.ts';
import { formatPosition, type Position } from './position.ts';

export interface FollowContext {
  readonly engine: Engine;
  readonly position: Position;
  readonly logger: Logger;
}

const TERMINAL: ReadonlySet<Plan['status']> = new Set(['completed', 'failed', 'canceled']);
const ENDINGS: ReadonlySet<AssayEvent['type']> = new Set(['plan.completed', 'plan.failed', 'plan.canceled']);

/** A journal line with its name in the plan protocol, or undefined for lines that are not part of it. */
export function planStreamEvent(event: AssayEvent): PlanStreamEvent | undefined {
  return isPlanEventType(event.type) ? { ...event, event: planStreamNames[event.type] } : undefined;
}

/** Every line of a quest's journal under its own type; never ends by itself. */
export async function* questFrames(
  context: FollowContext & { readonly questId: string },
  signal: AbortSignal,
): AsyncGenerator<Frame> {
  const { engine, questId, position } = context;
  yield connected(position);
  yield* guarded(context.logger, async function* () {
    for await (const item of engine.followQuest(questId, { ...position, signal }))
      if (item.kind === 'event')
        yield { event: item.event.type, id: formatPosition(item.generation, item.event.seq), data: item.event };
      else {
        yield controlFrame(item);
        if (item.kind === 'reset') return;
      }
  });
}

/**
 * Events of a plan under the names of the plan protocol. `end` is sent only when the plan is terminal now and nothing
 * of it is left to send: after a retry of a failed plan the old ending in the journal ends nothing.
 */
export async function* planFrames(
  context: FollowContext & { readonly planId: string; readonly caller: Caller },
  signal: AbortSignal,
): AsyncGenerator<Frame> {
  const { engine, caller, planId, position } = context;
  yield connected(position);
  yield* guarded(context.logger, async function* () {
    let sent = position.after;
    let caughtUp = false;
    let mayEnd = false;
    for await (const item of engine.followPlan(caller, planId, { ...position, signal })) {
      if (item.kind === 'event') {
        sent = item.event.seq;
        mayEnd ||= ENDINGS.has(item.event.type);
        const named = planStreamEvent(item.event);
        if (named !== undefined) yield { event: named.event, id: formatPosition(item.generation, sent), data: named };
      } else {
        yield controlFrame(item);
        if (item.kind === 'reset') return;
        caughtUp = true;
        mayEnd = true;
      }
      if (!caughtUp || !mayEnd) continue;
      const end = await endOf(context, sent);
      if (end.frame !== undefined) {
        yield end.frame;
        return;
      }
      mayEnd = end.terminal;
    }
  });
}

/** The end frame when the plan is terminal and nothing follows `sent`; `terminal` alone when lines are still to come. */
async function endOf(
  { engine, caller, planId }: { readonly engine: Engine; readonly caller: Caller; readonly planId: string },
  sent: number,
): Promise<{ readonly terminal: boolean; readonly frame?: Frame }> {
  const { status } = await engine.getPlan(caller, planId);
  if (!TERMINAL.has(status)) return { terminal: false };
  const rest = await engine.planEvents(caller, planId, { format: 'raw', after: sent, limit: 1000 });
  const more = rest.events.some((event) => isPlanEventType(event.type));
  return more ? { terminal: true } : { terminal: true, frame: { event: 'end', data: { status } } };
}

function connected(position: Position): Frame {
  const { after, generation } = position;
  return { event: 'connected', data: { after, generation: generation ?? null } };
}

function controlFrame(item: Exclude<FollowItem, { readonly kind: 'event' }>): Frame {
  if (item.kind === 'caught_up')
    return { event: 'caught_up', data: { generation: item.generation, lastSeq: item.lastSeq } };
  return { event: 'reset', data: { generation: item.generation, reason: item.reason } };
}

/** A failure in the middle of a stream is its last frame, in the form of an error answer. */
async function* guarded(logger: Logger, frames: () => AsyncGenerator<Frame>): AsyncGenerator<Frame> {
  try {
    yield* frames();
  } catch (error) {
    yield { event: 'error', data: errorAnswer(error, logger).body };
  }
}
