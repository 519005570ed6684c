import { SSE_HEARTBEAT_MS, type AssayEvent, type PlanStatus, type RouteName } from '@assay/contracts';
import { AssayError, throwIfAborted, type Clock } from '@assay/foundation';
import type { EventSourceMessage } from 'eventsource-parser';
import { readEventStream } from './event-stream.ts';
import { errorFrom, request, unreachable, type Connection } from './request.ts';
import type { FollowFrom, StreamItem } from './stream-item.ts';

export interface FollowOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly from: FollowFrom;
  readonly route: RouteName;
  readonly params: Readonly<Record<string, string>>;
}

const MAX_FAILURES = 10;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5000;
/** Three heartbeats without a byte: the connection is dead even if no one says so. */
const SILENCE_MS = 3 * SSE_HEARTBEAT_MS;

/** What is remembered between connections: the last id, and failures in a row since one brought something. */
interface Progress {
  lastId: string | undefined;
  failures: number;
}

/** Follows a stream over as many connections as it takes. */
export async function* follow<E extends AssayEvent = AssayEvent>(
  options: FollowOptions,
): AsyncGenerator<StreamItem<E>> {
  const { signal } = options.from;
  const progress: Progress = { lastId: options.from.after, failures: 0 };
  for (;;) {
    throwIfAborted(signal);
    let told: AssayError | undefined;
    try {
      for await (const item of oneConnection<E>(options, progress)) {
        if (item instanceof AssayError) {
          told = item;
          break;
        }
        yield item;
        if (item.kind === 'end') return;
      }
      if (told === undefined && ++progress.failures >= MAX_FAILURES)
        throw unreachable(options.connection, new Error('the stream ends at once'));
    } catch (error) {
      throwIfAborted(signal);
      if (!isTransient(error) || ++progress.failures >= MAX_FAILURES) throw error;
    }
    if (told !== undefined) throw told;
    await options.clock.sleep(pauseAfter(progress.failures), signal);
  }
}

/** 0.2 s, doubled per failure, at most 5 s. A connection that ended by itself is opened again after the first pause. */
function pauseAfter(failures: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1));
}

function isTransient(error: unknown): boolean {
  return error instanceof AssayError && (error.code === 'daemon_unreachable' || error.code === 'internal');
}

/**
 * One connection from the last id on: ends when the server closes it, throws `daemon_unreachable` when it breaks. An
 * error is what the server itself has to say: asking again would not change it.
 */
async function* oneConnection<E extends AssayEvent>(
  { connection, clock, from, route, params }: FollowOptions,
  progress: Progress,
): AsyncGenerator<StreamItem<E> | AssayError> {
  await using watch = watchdog(clock, from.signal);
  const response = await request(connection, route, {
    params,
    headers: {
      accept: 'text/event-stream',
      ...(progress.lastId === undefined ? {} : { 'last-event-id': progress.lastId }),
    },
    signal: watch.signal,
  }).catch((error: unknown) => {
    throw watch.silent() ? unreachable(connection, watch.signal.reason) : error;
  });
  if (response.body === null) throw unreachable(connection, new Error('the stream has no body'));
  try {
    for await (const received of readEventStream(response.body)) {
      watch.heard();
      const item = received.kind === 'alive' ? 'alive' : itemOf<E>(received.message, progress);
      if (item === undefined) continue;
      progress.failures = 0;
      if (item === 'resume') return;
      if (item !== 'alive') yield item;
    }
  } catch (error) {
    throw error instanceof AssayError ? error : unreachable(connection, error);
  }
}

/**
 * What a message means for the follower: an item, an error, `resume` when the server asks to come again from the last id, or
 * nothing. Names of later versions are skipped.
 */
function itemOf<E extends AssayEvent>(
  message: EventSourceMessage,
  progress: Progress,
): StreamItem<E> | AssayError | 'resume' | undefined {
  const data = JSON.parse(message.data) as Record<string, unknown>;
  if (message.id !== undefined && message.id !== '') {
    progress.lastId = message.id;
    return { kind: 'event', id: message.id, event: data as unknown as E };
  }
  switch (message.event) {
    case 'caught_up':
      return { kind: 'caught_up', lastSeq: Number(data['lastSeq']) };
    case 'end':
      return { kind: 'end', status: data['status'] as PlanStatus };
    case 'error':
      return errorFrom(data) ?? new AssayError('internal', 'the stream failed without a reason');
    case 'reset':
      if (data['reason'] === 'slow') return 'resume';
      progress.lastId = undefined;
      return { kind: 'reset' };
    case undefined:
    default:
      return undefined;
  }
}

interface Watchdog extends AsyncDisposable {
  /** Aborts by the caller's signal or by silence. */
  readonly signal: AbortSignal;
  heard(): void;
  silent(): boolean;
}

/** Aborts a connection on which nothing was heard for 45 s. */
function watchdog(clock: Clock, outer: AbortSignal | undefined): Watchdog {
  const controller = new AbortController();
  const over = new AbortController();
  const silence = new Error(`nothing was heard for ${SILENCE_MS / 1000} s`);
  const onAbort = () => controller.abort(outer?.reason);
  if (outer?.aborted === true) onAbort();
  outer?.addEventListener('abort', onAbort);
  let lastHeard = clock.now();
  const watching = (async () => {
    for (;;) {
      const rest = lastHeard + SILENCE_MS - clock.now();
      if (rest <= 0) break;
      await clock.sleep(rest, over.signal);
    }
    controller.abort(silence);
  })().catch(() => undefined); // the connection is over
  return {
    signal: controller.signal,
    heard: () => {
      lastHeard = clock.now();
    },
    silent: () => controller.signal.reason === silence,
    [Symbol.asyncDispose]: async () => {
      outer?.removeEventListener('abort', onAbort);
      over.abort(new Error('over'));
      await watching;
    },
  };
}
