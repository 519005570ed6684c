import { routes, type Route, type RouteName } from '@assay/contracts';
import { eventStream, eventStreamHeaders, type Frame } from './event-stream.ts';
import { planFrames, questFrames } from './followed-frames.ts';
import type { HttpApiOptions, HttpContext } from './http-options.ts';
import { parsePosition, type Position } from './position.ts';
import { parseTopicPositions, requireTopics, topicFrames } from './topic-frames.ts';
import { parseParams, parseQuery } from './request-parts.ts';

/** True for routes that only stream, and for those that may when the client asks for it. */
export function isStreamRequest(route: Route, c: HttpContext): boolean {
  if (route.kind === 'sse') return true;
  return route.kind === 'json-or-sse' && (c.req.header('accept') ?? '').includes('text/event-stream');
}

export interface StreamRouteContext {
  readonly c: HttpContext;
  readonly options: HttpApiOptions;
}

/** Opens a stream from Last-Event-ID (else `after`). Unknown or foreign things are refused before it opens. */
export async function streamResponse(name: RouteName, { c, options }: StreamRouteContext): Promise<Response> {
  const frames = await framesOf(name, { c, options });
  if (c.req.method === 'HEAD') return new Response(null, { headers: eventStreamHeaders });
  const body = eventStream(frames, {
    clock: options.clock,
    logger: options.logger,
    signal: options.signal,
    disconnect: () => c.env?.outgoing?.destroy(),
  });
  return new Response(body, { headers: eventStreamHeaders });
}

async function framesOf(
  name: RouteName,
  { c, options }: StreamRouteContext,
): Promise<(signal: AbortSignal) => AsyncGenerator<Frame>> {
  const { engine, logger } = options;
  const params = parseParams(c.req.param());
  if (name === 'stream') return framesOfTopics({ c, options });
  const query = parseQuery(routes[name], new URL(c.req.url)) as { readonly after?: string | number };
  const position = positionOf(c.req.header('last-event-id'), query.after);
  if (name === 'questEvents') {
    const questId = params['quest'] ?? '';
    await engine.getQuest(questId);
    return (signal) => questFrames({ engine, logger, position, questId }, signal);
  }
  const planId = params['plan'] ?? '';
  const caller = c.get('caller');
  await engine.getPlan(caller, planId);
  return (signal) => planFrames({ engine, logger, position, planId, caller }, signal);
}

async function framesOfTopics({
  c,
  options,
}: StreamRouteContext): Promise<(signal: AbortSignal) => AsyncGenerator<Frame>> {
  const { topics } = parseQuery(routes.stream, new URL(c.req.url)) as { readonly topics: readonly string[] };
  const positions = parseTopicPositions(c.req.header('last-event-id') ?? '');
  const { engine, logger } = options;
  const context = { engine, logger, topics, positions, caller: c.get('caller') };
  await requireTopics(context);
  return (signal) => topicFrames(context, signal);
}

function positionOf(lastEventId: string | undefined, after: string | number | undefined): Position {
  return parsePosition(lastEventId ?? String(after ?? 0));
}
