import type { Caller, Engine, FollowItem } from '@assay/engine';
import { AssayError, type Logger } from '@assay/foundation';
import { errorAnswer } from './errors.ts';
import type { Frame } from './event-stream.ts';
import { planStreamEvent } from './followed-frames.ts';
import { formatPosition, parsePosition, type Position } from './position.ts';

export interface TopicContext {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly logger: Logger;
  readonly topics: readonly string[];
  /** Where the client stands in each topic that has positions. */
  readonly positions: ReadonlyMap<string, Position>;
}

/** Longer than twenty topics with positions can be. */
const MAX_ID_CHARACTERS = 4000;

/** Reads `<topic>=<generation>.<seq>,…`, the id of every frame. Throws `invalid_request`. */
export function parseTopicPositions(text: string): Map<string, Position> {
  const positions = new Map<string, Position>();
  if (text === '') return positions;
  for (const part of text.slice(0, MAX_ID_CHARACTERS).split(',')) {
    const at = part.lastIndexOf('=');
    if (at <= 0)
      throw new AssayError('invalid_request', 'the position in the stream is not valid', {
        why: `it is ${JSON.stringify(text.slice(0, 60))}`,
        hint: 'send the id of the last event that you have, or none to start at the beginning',
      });
    positions.set(part.slice(0, at), parsePosition(part.slice(at + 1)));
  }
  return positions;
}

/** What cannot be followed is refused before the stream opens. */
export async function requireTopics({ engine, caller, topics }: TopicContext): Promise<void> {
  for (const topic of topics) {
    const [kind, id = ''] = topic.split(':');
    if (kind === 'plan') await engine.getPlan(caller, id);
    if (kind === 'quest') await engine.getQuest(id);
    if (kind === 'session') await engine.requireSession(caller, id);
  }
}

/**
 * Frames of several topics over one connection: the event is `topic`, the data `{topic, event, data}`, the id the list of
 * all positions. A topic that fails says so in its own `error` frame; the others go on. Ends only by the signal.
 */
export async function* topicFrames(context: TopicContext, signal: AbortSignal): AsyncGenerator<Frame> {
  const positions = new Map(context.positions);
  const sources = context.topics.map((topic) => ({ topic, frames: framesOf(topic, context, signal) }));
  try {
    for await (const { topic, frame } of merged(sources, signal)) {
      if (frame.id !== undefined) positions.set(topic, parsePosition(frame.id));
      const id = [...positions].map(
        ([name, { generation, after }]) => `${name}=${formatPosition(generation ?? 0, after)}`,
      );
      yield {
        event: 'topic',
        ...(id.length === 0 ? {} : { id: id.join(',') }),
        data: { topic, event: frame.event, data: frame.data },
      };
    }
  } finally {
    await Promise.allSettled(sources.map(({ frames }) => frames.return(undefined)));
  }
}

interface Source {
  readonly topic: string;
  readonly frames: AsyncGenerator<Frame>;
}

/** One frame at a time from whichever source has one; a source holds at most one frame that was not taken. */
async function* merged(
  sources: readonly Source[],
  signal: AbortSignal,
): AsyncGenerator<{ readonly topic: string; readonly frame: Frame }> {
  const ask = (source: Source) => source.frames.next().then((result) => ({ source, result }));
  const waiting = new Map(sources.map((source) => [source, ask(source)]));
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  for (;;) {
    const next = await Promise.race([aborted, ...waiting.values()]);
    if (next === undefined) return;
    const { source, result } = next;
    // The one that answered goes to the end of the line, so that a busy topic does not starve the others.
    waiting.delete(source);
    if (result.done === true) continue;
    waiting.set(source, ask(source));
    yield { topic: source.topic, frame: result.value };
  }
}

async function* framesOf(topic: string, context: TopicContext, signal: AbortSignal): AsyncGenerator<Frame> {
  const { engine, caller, logger } = context;
  const [kind, id = ''] = topic.split(':');
  const position = context.positions.get(topic) ?? { after: 0 };
  try {
    if (kind === 'home') {
      for await (const plans of engine.followPlans(caller, { signal })) yield { event: 'plans', data: plans };
      return;
    }
    if (kind === 'session') {
      for await (const growth of engine.followSession(caller, id, signal)) yield { event: 'grew', data: growth };
      return;
    }
    const followed =
      kind === 'plan'
        ? engine.followPlan(caller, id, { ...position, signal })
        : engine.followQuest(id, { ...position, signal });
    for await (const item of followed) {
      const frame = frameOf(item, kind === 'plan');
      if (frame !== undefined) yield frame;
      if (item.kind === 'reset') return;
    }
  } catch (error) {
    if (!signal.aborted) yield { event: 'error', data: errorAnswer(error, logger).body };
  }
}

function frameOf(item: FollowItem, isPlan: boolean): Frame | undefined {
  if (item.kind === 'caught_up')
    return { event: 'caught_up', data: { generation: item.generation, lastSeq: item.lastSeq } };
  if (item.kind === 'reset') return { event: 'reset', data: { generation: item.generation, reason: item.reason } };
  // Beside the plan's own events: that a command of it began or ended, so that its log can be opened.
  const isCommand = item.event.type === 'session.started' || item.event.type === 'session.ended';
  const event = isPlan && !isCommand ? planStreamEvent(item.event) : item.event;
  const id = formatPosition(item.generation, item.event.seq);
  return event === undefined ? undefined : { event: item.event.type, id, data: event };
}
