import type { Topic } from '@assay/client';
import { ownSource, type Credentials } from './own-source.ts';
import type { FromWindow, FromWorker } from './shared-messages.ts';
import type { TopicNews, TopicSource } from './topic-hub.ts';

/**
 * The topics of this window: over the one connection of the browser, which a shared worker holds, or over a connection of its
 * own where the browser has no shared workers.
 */
export function topicSource(credentials: Credentials): TopicSource {
  if (typeof SharedWorker === 'undefined' || !('locks' in navigator)) return ownSource(credentials);
  // Another token is another daemon or home: it gets a worker of its own.
  const name = `assay ${credentials.token.slice(0, 8)}`;
  const worker = new SharedWorker(new URL('./shared-worker.ts', import.meta.url), { type: 'module', name });
  return new SharedSource(worker.port, credentials);
}

class SharedSource implements TopicSource {
  readonly #port: MessagePort;
  readonly #listeners = new Map<number, (news: TopicNews) => void>();
  readonly #connection = new Set<(connected: boolean) => void>();
  readonly #ready: Promise<void>;
  #next = 1;

  constructor(port: MessagePort, credentials: Credentials) {
    this.#port = port;
    port.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if (data.say === 'connection') for (const listener of this.#connection) listener(data.connected);
      else for (const news of data.news) this.#listeners.get(data.id)?.(news);
    });
    port.start();
    const lock = `assay.window.${crypto.randomUUID()}`;
    // Held until the window goes, however it goes: the worker waits for it and then forgets the window.
    this.#ready = new Promise((ready) => {
      void navigator.locks.request(lock, () => {
        this.#post({ say: 'hello', credentials, lock });
        ready();
        return new Promise(() => undefined);
      });
    });
  }

  #say(message: FromWindow): void {
    void this.#ready.then(() => this.#post(message));
  }

  #post(message: FromWindow): void {
    this.#port.postMessage(message, []);
  }

  watch(topic: Topic, listener: (news: TopicNews) => void): () => void {
    const id = this.#next++;
    this.#listeners.set(id, listener);
    this.#say({ say: 'watch', topic, id });
    return () => {
      this.#listeners.delete(id);
      this.#say({ say: 'leave', topic, id });
    };
  }

  onConnection(listener: (connected: boolean) => void): void {
    this.#connection.add(listener);
  }
}
