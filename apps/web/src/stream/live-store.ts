import type { Client, Topic } from '@assay/client';
import type { AssayEvent, Plan } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import { reducePlan, type PlanState } from '@assay/plan-graph';

export interface LogLine {
  readonly at: string;
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

export interface LivePlan {
  readonly state: PlanState;
  /** Lines by task, the newest `LOG_LINES` of each. */
  readonly logs: ReadonlyMap<string, readonly LogLine[]>;
}

export interface Live {
  readonly connected: boolean;
  readonly plans: ReadonlyMap<string, Plan>;
  /** The plans that are watched, folded from their events. */
  readonly watched: ReadonlyMap<string, LivePlan>;
  readonly errors: ReadonlyMap<string, AssayError>;
  /** The list of plans has arrived. */
  readonly loaded: boolean;
}

const LOG_LINES = 5000;
/** Events that arrive within a frame are shown together. */
const FRAME_MS = 50;

const empty: Live = { connected: true, plans: new Map(), watched: new Map(), errors: new Map(), loaded: false };

/** What the page knows of the daemon: one stream for all that is watched, folded by the same code as in the daemon. */
export class LiveStore {
  readonly #client: Client;
  readonly #listeners = new Set<() => void>();
  readonly #topics = new Map<Topic, number>();
  #live = empty;
  #pending: Live | undefined;
  #stream: AbortController | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  readonly get = (): Live => this.#live;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Watches a topic until the returned function is called. */
  watch(topic: Topic): () => void {
    this.#topics.set(topic, (this.#topics.get(topic) ?? 0) + 1);
    if (this.#topics.get(topic) === 1) this.#restart();
    return () => {
      const left = (this.#topics.get(topic) ?? 1) - 1;
      if (left > 0) this.#topics.set(topic, left);
      else {
        this.#topics.delete(topic);
        this.#restart();
      }
    };
  }

  /** Topics that change in one turn of the page open one stream. */
  #restart(): void {
    this.#stream?.abort();
    const stream = new AbortController();
    this.#stream = stream;
    queueMicrotask(() => {
      if (!stream.signal.aborted && this.#topics.size > 0) void this.#follow([...this.#topics.keys()], stream.signal);
    });
  }

  async #follow(topics: readonly Topic[], signal: AbortSignal): Promise<void> {
    this.#change({ watched: new Map(), errors: new Map() }); // a new stream tells everything from the first event
    try {
      for await (const item of this.#client.followTopics(topics, signal)) {
        if (item.kind === 'open') this.#change({ connected: true });
        else if (item.kind === 'broken') this.#change({ connected: false });
        else this.#frame(item.topic, item.event, item.data);
      }
    } catch (error) {
      if (signal.aborted) return;
      const told = error instanceof AssayError ? error : new AssayError('internal', String(error));
      this.#change({ errors: new Map(topics.map((topic) => [topic, told])), loaded: true });
    }
  }

  #frame(topic: Topic, event: string, data: unknown): void {
    if (topic === 'home') {
      if (event !== 'plans') return;
      const plans = new Map(this.#now.plans);
      for (const plan of data as readonly Plan[]) plans.set(plan.id, plan);
      this.#change({ plans, loaded: true });
      return;
    }
    const id = topic.slice(topic.indexOf(':') + 1);
    if (event === 'reset') this.#change({ watched: without(this.#now.watched, id) });
    else if (event === 'error') {
      const { code, message, ...rest } = (
        data as { error: { code: string; message: string; why?: string; hint?: string } }
      ).error;
      this.#change({ errors: new Map(this.#now.errors).set(topic, new AssayError(code, message, rest)) });
    } else if (event !== 'caught_up') this.#event(id, data as AssayEvent);
  }

  #event(id: string, event: AssayEvent): void {
    const known = this.#now.watched.get(id);
    const state = known === undefined ? reducePlan(undefined, event) : reducePlan(known.state, event);
    if (state === undefined) return;
    const logs = event.type === 'plan.task_log' ? withLine(known?.logs, event) : (known?.logs ?? new Map());
    this.#change({ watched: new Map(this.#now.watched).set(id, { state, logs }) });
  }

  get #now(): Live {
    return this.#pending ?? this.#live;
  }

  #change(change: Partial<Live>): void {
    const first = this.#pending === undefined;
    this.#pending = { ...this.#now, ...change };
    if (!first) return;
    setTimeout(() => {
      this.#live = this.#pending ?? this.#live;
      this.#pending = undefined;
      for (const listener of this.#listeners) listener();
    }, FRAME_MS);
  }
}

function withLine(
  logs: LivePlan['logs'] | undefined,
  event: Extract<AssayEvent, { readonly type: 'plan.task_log' }>,
): LivePlan['logs'] {
  const task = event.scope.task ?? '';
  const { level, message } = event.data;
  const lines = [...(logs?.get(task) ?? []).slice(1 - LOG_LINES), { at: event.at, level, message }];
  return new Map(logs).set(task, lines);
}

function without<V>(map: ReadonlyMap<string, V>, key: string): Map<string, V> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
