import type { Topic } from '@assay/client';
import type { AssayEvent, Failure, Plan, SessionGrowth } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import { reducePlan, type PlanState } from '@assay/plan-graph';
import type { TopicNews, TopicSource } from './topic-hub.ts';

export interface LogLine {
  readonly at: string;
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

/** One run of a task. */
export interface TaskAttempt {
  readonly attempt: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly end: 'running' | 'done' | 'failed' | 'retried' | 'released' | 'discarded' | 'stopped';
  readonly error: Failure | null;
  readonly executionId: string;
}

export interface LivePlan {
  readonly state: PlanState;
  /** Runs by task, oldest first, at most `MAX_ATTEMPTS` of each. */
  readonly attempts: ReadonlyMap<string, readonly TaskAttempt[]>;
  /** How often a command of a task has begun or ended, as far as the stream told. */
  readonly sessionChanges: ReadonlyMap<string, number>;
  /** Lines by task, the newest `LOG_LINES` of each. */
  readonly logs: ReadonlyMap<string, readonly LogLine[]>;
}

export interface Live {
  readonly connected: boolean;
  readonly plans: ReadonlyMap<string, Plan>;
  /** The plans that are watched, folded from their events. */
  readonly watched: ReadonlyMap<string, LivePlan>;
  readonly errors: ReadonlyMap<string, AssayError>;
  /** How far the logs that are watched have grown, by session. */
  readonly logs: ReadonlyMap<string, SessionGrowth>;
  /** The list of plans has arrived. */
  readonly loaded: boolean;
}

const LOG_LINES = 5000;
/** Events that arrive within a frame are shown together. */
const FRAME_MS = 50;

const empty: Live = {
  connected: true,
  plans: new Map(),
  watched: new Map(),
  errors: new Map(),
  logs: new Map(),
  loaded: false,
};

/** What the page knows of the daemon: one stream for all that is watched, folded by the same code as in the daemon. */
export class LiveStore {
  readonly #source: TopicSource;
  readonly #listeners = new Set<() => void>();
  readonly #topics = new Map<Topic, { count: number; readonly stop: () => void }>();
  #live = empty;
  #pending: Live | undefined;

  constructor(source: TopicSource) {
    this.#source = source;
    source.onConnection((connected) => this.#change({ connected }));
  }

  readonly get = (): Live => this.#live;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Watches a topic until the returned function is called; what was known of it goes with the last who watched. */
  watch(topic: Topic): () => void {
    const others = this.#topics.get(topic);
    if (others !== undefined) others.count += 1;
    else this.#topics.set(topic, { count: 1, stop: this.#source.watch(topic, (news) => this.#news(topic, news)) });
    return () => {
      const own = this.#topics.get(topic)!;
      if ((own.count -= 1) > 0) return;
      own.stop();
      this.#topics.delete(topic);
      this.#forget(topic);
    };
  }

  #forget(topic: Topic): void {
    const errors = without(this.#now.errors, topic);
    if (topic === 'home') this.#change({ errors });
    else if (topic.startsWith('session:')) this.#change({ errors, logs: without(this.#now.logs, idOf(topic)) });
    else this.#change({ errors, watched: without(this.#now.watched, idOf(topic)) });
  }

  #news(topic: Topic, news: TopicNews): void {
    if (!this.#topics.has(topic)) return; // it was left while the news were on their way
    if (news.kind === 'again') this.#forget(topic);
    else if (news.kind === 'frame') this.#frame(topic, news.event, news.data);
    else {
      const { code, message, hint } = news;
      const error = new AssayError(code, message, hint === undefined ? {} : { hint });
      this.#change({ errors: new Map(this.#now.errors).set(topic, error), loaded: true });
    }
  }

  #frame(topic: Topic, event: string, data: unknown): void {
    if (event === 'error') {
      const { code, message, ...rest } = (
        data as { error: { code: string; message: string; why?: string; hint?: string } }
      ).error;
      this.#change({ errors: new Map(this.#now.errors).set(topic, new AssayError(code, message, rest)) });
    } else if (event === 'plans') {
      const plans = new Map(this.#now.plans);
      for (const plan of data as readonly Plan[]) plans.set(plan.id, plan);
      this.#change({ plans, loaded: true });
    } else if (event === 'grew') {
      this.#change({ logs: new Map(this.#now.logs).set(idOf(topic), data as SessionGrowth) });
    } else if (event !== 'caught_up') this.#event(idOf(topic), data as AssayEvent);
  }

  #event(id: string, event: AssayEvent): void {
    const known = this.#now.watched.get(id);
    if (event.type === 'session.started' || event.type === 'session.ended') {
      if (known === undefined) return;
      const task = event.scope.task ?? '';
      const sessionChanges = new Map(known.sessionChanges).set(task, (known.sessionChanges.get(task) ?? 0) + 1);
      this.#change({ watched: new Map(this.#now.watched).set(id, { ...known, sessionChanges }) });
      return;
    }
    const state = known === undefined ? reducePlan(undefined, event) : reducePlan(known.state, event);
    if (state === undefined) return;
    const logs = event.type === 'plan.task_log' ? withLine(known?.logs, event) : (known?.logs ?? new Map());
    const attempts = withAttempt(known?.attempts ?? new Map(), event);
    this.#change({
      watched: new Map(this.#now.watched).set(id, {
        state,
        logs,
        attempts,
        sessionChanges: known?.sessionChanges ?? new Map(),
      }),
    });
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

const MAX_ATTEMPTS = 200;

const attemptEnds: Partial<Record<AssayEvent['type'], TaskAttempt['end']>> = {
  'plan.task_completed': 'done',
  'plan.task_failed': 'failed',
  'plan.task_retrying': 'retried',
  'plan.task_released': 'released',
  'plan.task_result_discarded': 'discarded',
  'plan.question_asked': 'stopped',
};

function withAttempt(attempts: LivePlan['attempts'], event: AssayEvent): LivePlan['attempts'] {
  const task = event.scope.task ?? '';
  const known = attempts.get(task) ?? [];
  if (event.type === 'plan.task_started') {
    const { attempt, executionId } = event.data;
    const begun = { attempt, executionId, startedAt: event.at, endedAt: null, end: 'running', error: null } as const;
    return new Map(attempts).set(task, [...known.slice(1 - MAX_ATTEMPTS), begun]);
  }
  if (event.type === 'plan.canceled') {
    const stopped = [...attempts].map(([id, runs]) => [id, runs.map((run) => ended(run, 'stopped', event))] as const);
    return new Map(stopped);
  }
  const end = attemptEnds[event.type];
  return end === undefined
    ? attempts
    : new Map(attempts).set(
        task,
        known.map((run) => ended(run, end, event)),
      );
}

function ended(run: TaskAttempt, end: TaskAttempt['end'], event: AssayEvent): TaskAttempt {
  if (run.end !== 'running') return run;
  const error = event.type === 'plan.task_failed' || event.type === 'plan.task_retrying' ? event.data.error : null;
  return { ...run, end, error, endedAt: event.at };
}

function idOf(topic: Topic): string {
  return topic.slice(topic.indexOf(':') + 1);
}

function without<V>(map: ReadonlyMap<string, V>, key: string): Map<string, V> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
