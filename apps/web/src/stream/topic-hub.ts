import type { Topic, TopicItem } from '@assay/client';
import { AssayError } from '@assay/foundation';

/** What is told to who watches a topic. Everything passes from a worker to a window, so errors are plain. */
export type TopicNews =
  | { readonly kind: 'frame'; readonly event: string; readonly data: unknown }
  /** What was told before is void: the topic is told again from its beginning. */
  | { readonly kind: 'again' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly hint: string | undefined };

export interface TopicSource {
  /** Tells all of a topic from its beginning, then what is new, until the returned function is called. */
  watch(topic: Topic, listener: (news: TopicNews) => void): () => void;
  onConnection(listener: (connected: boolean) => void): void;
}

export interface HubOptions {
  readonly follow: (topics: readonly Topic[], signal: AbortSignal, after?: string) => AsyncIterable<TopicItem>;
}

/** As many topics as the daemon takes on one connection. */
const MAX_TOPICS = 20;
/** Frames of a topic that are kept for windows that come later; with more the topic is asked for again. */
const MAX_KEPT = 20_000;

interface Watched {
  readonly listeners: Set<(news: TopicNews) => void>;
  /** Undefined once there were too many. */
  kept: TopicNews[] | undefined;
  position: string | undefined;
}

/**
 * One connection for all topics that anybody here watches. A topic that comes or goes opens the connection anew behind what
 * is known of the others; who comes later to a topic is told what was told before.
 */
export class TopicHub implements TopicSource {
  readonly #options: HubOptions;
  readonly #topics = new Map<Topic, Watched>();
  readonly #connection = new Set<(connected: boolean) => void>();
  #stream: AbortController | undefined;
  #connected = true;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  onConnection(listener: (connected: boolean) => void): () => void {
    this.#connection.add(listener);
    listener(this.#connected);
    return () => void this.#connection.delete(listener);
  }

  watch(topic: Topic, listener: (news: TopicNews) => void): () => void {
    const known = this.#topics.get(topic);
    if (known === undefined && this.#topics.size >= MAX_TOPICS) {
      listener(tooMany);
      return () => undefined;
    }
    const watched: Watched = known ?? { listeners: new Set(), kept: [], position: undefined };
    this.#topics.set(topic, watched);
    watched.listeners.add(listener);
    if (known === undefined) this.#restart();
    else if (watched.kept === undefined) this.#again(watched);
    else for (const news of watched.kept) listener(news);
    return () => {
      watched.listeners.delete(listener);
      if (watched.listeners.size > 0 || this.#topics.get(topic) !== watched) return;
      this.#topics.delete(topic);
      this.#restart();
    };
  }

  #again(watched: Watched): void {
    watched.position = undefined;
    watched.kept = [];
    tell(watched, { kind: 'again' });
    this.#restart();
  }

  /** Topics that change in one turn open one connection. */
  #restart(): void {
    this.#stream?.abort(new Error('other topics are watched'));
    const stream = new AbortController();
    this.#stream = stream;
    queueMicrotask(() => {
      if (!stream.signal.aborted && this.#topics.size > 0) void this.#follow(stream.signal);
    });
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const topics = [...this.#topics.keys()];
    const after = [...this.#topics].flatMap(([topic, { position }]) =>
      position === undefined ? [] : [`${topic}=${position}`],
    );
    try {
      for await (const item of this.#options.follow(topics, signal, after.length === 0 ? undefined : after.join(','))) {
        if (signal.aborted) return;
        if (item.kind === 'open') this.#tellConnection(true);
        else if (item.kind === 'broken') this.#tellConnection(false);
        else this.#frame(item);
      }
    } catch (error) {
      if (!signal.aborted) this.#refused(topics, error);
    }
  }

  #frame({ topic, event, data, id }: Extract<TopicItem, { kind: 'frame' }>): void {
    if (event === 'reset') {
      // The client throws all positions away with one of them: everything is told again.
      for (const watched of this.#topics.values()) {
        watched.position = undefined;
        watched.kept = [];
        tell(watched, { kind: 'again' });
      }
      return;
    }
    const watched = this.#topics.get(topic);
    if (watched === undefined) return;
    const news: TopicNews = { kind: 'frame', event, data };
    if (topic === 'home' || topic.startsWith('session:')) keepNewest(watched, news, topic);
    else if (watched.kept !== undefined && watched.kept.length < MAX_KEPT) watched.kept.push(news);
    else watched.kept = undefined;
    const own = id?.split(',').find((part) => part.startsWith(`${topic}=`));
    if (own !== undefined) watched.position = own.slice(topic.length + 1);
    tell(watched, news);
  }

  #refused(topics: readonly Topic[], error: unknown): void {
    const known = error instanceof AssayError ? error : new AssayError('internal', String(error));
    const news: TopicNews = { kind: 'refused', code: known.code, message: known.message, hint: known.hint };
    for (const topic of topics) {
      const watched = this.#topics.get(topic);
      if (watched === undefined) continue;
      watched.kept = [news];
      tell(watched, news);
    }
  }

  #tellConnection(connected: boolean): void {
    this.#connected = connected;
    for (const listener of this.#connection) listener(connected);
  }
}

const tooMany: TopicNews = {
  kind: 'refused',
  code: 'conflict',
  message: 'too many plans and logs are open in this browser',
  hint: 'close some windows of Assay',
};

/** Of the list of plans and of a growing log only the newest state counts. */
function keepNewest(watched: Watched, news: TopicNews, topic: Topic): void {
  if (topic !== 'home') watched.kept = [news];
  else watched.kept = [mergePlans(watched.kept?.[0], news)];
}

interface Identified {
  readonly id: string;
}

function mergePlans(before: TopicNews | undefined, news: TopicNews): TopicNews {
  if (before?.kind !== 'frame' || news.kind !== 'frame' || news.event !== 'plans') return news;
  const plans = new Map((before.data as readonly Identified[]).map((plan) => [plan.id, plan]));
  for (const plan of news.data as readonly Identified[]) plans.set(plan.id, plan);
  return { kind: 'frame', event: 'plans', data: [...plans.values()] };
}

function tell({ listeners }: Watched, news: TopicNews): void {
  for (const listener of listeners) listener(news);
}
