import { SSE_HEARTBEAT_MS } from '@assay/contracts';
import { AssayError, throwIfAborted, type Clock } from '@assay/foundation';
import { readEventStream } from './event-stream.ts';
import { errorFrom, request, type Connection } from './request.ts';

/** `home`, `plan:<id>`, `quest:<id>` or `session:<id>`. */
export type Topic = 'home' | `plan:${string}` | `quest:${string}` | `session:${string}`;

export type TopicItem =
  /**
   * One frame of a topic: `plans`, an event type, `grew`, `caught_up`, `reset` or `error`. The id holds the positions of
   * all topics, as `<topic>=<position>,…`.
   */
  | {
      readonly kind: 'frame';
      readonly topic: Topic;
      readonly event: string;
      readonly data: unknown;
      readonly id: string | undefined;
    }
  /** The connection stands, or is gone and will be tried again in `retryInMs`. */
  | { readonly kind: 'open' }
  | { readonly kind: 'broken'; readonly error: AssayError; readonly retryInMs: number };

export interface FollowTopicsOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly topics: readonly Topic[];
  readonly signal: AbortSignal;
  /** The id of the last frame that is known. */
  readonly after?: string | undefined;
}

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5000;
const SILENCE_MS = 3 * SSE_HEARTBEAT_MS;

/**
 * Follows several topics over one connection until the signal aborts. A page outlives its daemon, so a broken connection is
 * tried again for ever, with a pause that grows to 5 s; what a person should see of it are the items `broken` and `open`.
 * Rejects only with what trying again cannot change, such as `unauthorized` or `not_found`.
 */
export async function* followTopics(options: FollowTopicsOptions): AsyncGenerator<TopicItem> {
  const { clock, signal } = options;
  let lastId = options.after;
  let pause = FIRST_PAUSE_MS;
  for (;;) {
    throwIfAborted(signal);
    const silence = new AbortController();
    let error: unknown;
    try {
      for await (const item of connectionOf(options, { lastId, silence })) {
        if (item.kind === 'id') {
          lastId = item.id;
          continue;
        }
        pause = FIRST_PAUSE_MS;
        if (item.kind === 'frame' && item.event === 'reset') lastId = undefined;
        yield item;
        if (item.kind === 'frame' && item.event === 'reset') break; // positions are void: all topics from the start
      }
    } catch (caught) {
      throwIfAborted(signal);
      error = caught;
    }
    if (error instanceof AssayError && !['daemon_unreachable', 'internal'].includes(error.code)) throw error;
    if (error !== undefined) yield { kind: 'broken', error: asUnreachable(error), retryInMs: pause };
    await clock.sleep(pause, signal);
    pause = Math.min(MAX_PAUSE_MS, pause * 2);
  }
}

type Received = TopicItem | { readonly kind: 'id'; readonly id: string };

async function* connectionOf(
  { connection, topics, signal, clock }: FollowTopicsOptions,
  { lastId, silence }: { readonly lastId: string | undefined; readonly silence: AbortController },
): AsyncGenerator<Received> {
  const watch = watchSilence(clock, silence);
  const both = AbortSignal.any([signal, silence.signal]);
  try {
    const response = await request(connection, 'stream', {
      params: {},
      query: { topics: topics.join(',') },
      headers: { accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
      signal: both,
    });
    if (response.body === null) throw new Error('the stream has no body');
    yield { kind: 'open' };
    for await (const received of readEventStream(response.body)) {
      watch.heard();
      if (received.kind === 'alive') continue;
      const { message } = received;
      const id = message.id === '' ? undefined : message.id;
      if (id !== undefined) yield { kind: 'id', id };
      const data = JSON.parse(message.data) as Record<string, unknown>;
      if (message.event === 'topic')
        yield { kind: 'frame', topic: data['topic'] as Topic, event: String(data['event']), data: data['data'], id };
      else if (message.event === 'error') throw errorFrom(data) ?? new Error('the stream failed without a reason');
    }
    throw new Error('the stream ended');
  } finally {
    watch[Symbol.dispose]();
  }
}

/** Aborts when nothing, not even a heartbeat, was heard for three of them. */
function watchSilence(clock: Clock, silence: AbortController): Disposable & { heard(): void } {
  const stop = new AbortController();
  let last = clock.now();
  const run = async () => {
    while (!stop.signal.aborted) {
      await clock.sleep(SILENCE_MS / 3, stop.signal);
      if (clock.now() - last > SILENCE_MS) silence.abort(new Error('nothing was heard from the daemon'));
    }
  };
  run().catch(() => undefined); // stopped
  return {
    heard: () => (last = clock.now()),
    [Symbol.dispose]: () => stop.abort(),
  };
}

function asUnreachable(error: unknown): AssayError {
  if (error instanceof AssayError) return error;
  return new AssayError('daemon_unreachable', 'the connection to the daemon is gone', {
    hint: 'it is tried again by itself; start the daemon with "assay up" if it was stopped',
    cause: error,
  });
}
