import {
  routes,
  type LogStream,
  type PlanStreamEvent,
  type Route,
  type RouteName,
  type Upload,
} from '@assay/contracts';
import { AssayError, systemClock, type Clock } from '@assay/foundation';
import { follow } from './follow.ts';
import { followTopics, type Topic, type TopicItem } from './follow-topics.ts';
import type { CallOptions, Methods } from './methods.ts';
import { request, type Connection, type Fetch, type QueryValue, type SendWithProgress } from './request.ts';
import type { FollowFrom, StreamItem } from './stream-item.ts';

export interface ClientOptions {
  /** Such as `http://127.0.0.1:4870`. */
  readonly baseUrl: string;
  readonly token: string;
  /** Names the owner of plans; `local` when absent. */
  readonly userId?: string;
  readonly fetch?: Fetch;
  /** Sends a body and tells how far it is, which `fetch` cannot; without it `onProgress` is not called. */
  readonly send?: SendWithProgress;
  readonly clock?: Clock;
}

export interface Client extends Methods {
  readonly baseUrl: string;
  /** The bytes of an artifact. */
  artifactContent(
    input: { readonly quest: string; readonly artifact: string },
    options?: CallOptions,
  ): Promise<Response>;
  /** Sends a file. Rejects with why it was refused; nothing of it is kept then, nor when the signal aborts. */
  createUpload(input: UploadInput, options?: CallOptions): Promise<Upload>;
  /** The bytes of a sent file. */
  uploadContent(input: { readonly upload: string }, options?: CallOptions): Promise<Response>;
  /** What a command of a session printed, as bytes. */
  sessionLogContent(
    input: { readonly quest: string; readonly session: string; readonly query?: { readonly stream?: LogStream } },
    options?: CallOptions,
  ): Promise<Response>;
  /**
   * Events of a plan from the first (or after `after`) until the plan has ended. Broken connections are resumed with a
   * growing pause; rejects with `daemon_unreachable` after ten failures in a row.
   */
  followPlan(planId: string, from?: FollowFrom): AsyncGenerator<StreamItem<PlanStreamEvent>>;
  /** Several topics over one connection, tried again for ever; ends only by the signal. Goes on behind the id `after`. */
  followTopics(topics: readonly Topic[], signal: AbortSignal, after?: string): AsyncGenerator<TopicItem>;
  /** Every line of a quest's journal; ends only by the signal. */
  followQuest(questId: string, from?: FollowFrom): AsyncGenerator<StreamItem>;
}

export interface UploadInput {
  readonly file: Blob;
  readonly name: string;
  readonly onProgress?: (progress: { readonly sent: number; readonly total: number }) => void;
}

interface LooseInput {
  readonly query?: Record<string, QueryValue>;
  readonly body?: unknown;
  readonly [param: string]: unknown;
}

/** A client with one typed method per route, in browsers and Node. */
export function createClient(options: ClientOptions): Client {
  const { token, userId, clock = systemClock } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const connection: Connection = {
    baseUrl,
    token,
    userId,
    ...(options.send === undefined ? {} : { send: options.send }),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  };
  const methods: Record<string, (input?: LooseInput, options?: CallOptions) => Promise<unknown>> = {};
  for (const [name, route] of Object.entries<Route>(routes))
    if (route.kind !== 'sse' && route.kind !== 'file' && route.kind !== 'upload')
      methods[name] = async (input = {}, callOptions = {}) =>
        answerOf(await send(connection, name as RouteName, { input, options: callOptions }));
  return {
    ...(methods as unknown as Methods),
    baseUrl,
    artifactContent: (input, callOptions = {}) =>
      send(connection, 'artifactContent', { input: { ...input }, options: callOptions }),
    createUpload: async (input, callOptions = {}) =>
      (await answerOf(await sendFile(connection, input, callOptions))) as Upload,
    uploadContent: (input, callOptions = {}) =>
      send(connection, 'uploadContent', { input: { ...input }, options: callOptions }),
    sessionLogContent: (input, callOptions = {}) =>
      send(connection, 'sessionLogContent', { input: { ...input }, options: callOptions }),
    followPlan: (plan, from = {}) =>
      follow<PlanStreamEvent>({ connection, clock, from, route: 'planStream', params: { plan } }),
    followTopics: (topics, signal, after) => followTopics({ connection, clock, topics, signal, after }),
    followQuest: (quest, from = {}) => follow({ connection, clock, from, route: 'questEvents', params: { quest } }),
  };
}

interface Call {
  readonly input: LooseInput;
  readonly options: CallOptions;
}

function send(connection: Connection, name: RouteName, { input, options }: Call): Promise<Response> {
  const { query, body, ...params } = input;
  const { idempotencyKey, signal } = options;
  return request(connection, name, {
    params,
    query,
    body,
    signal,
    ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
  });
}

function sendFile(connection: Connection, { file, name, onProgress }: UploadInput, { signal }: CallOptions) {
  const form = new FormData();
  form.append('file', file, name);
  return request(connection, 'createUpload', { params: {}, form, signal, onProgress });
}

async function answerOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw new AssayError('daemon_unreachable', 'the answer of the daemon was cut off', {
      hint: 'try again; if it happens again, run "assay doctor"',
      cause: error,
    });
  }
}
