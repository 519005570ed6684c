import { ownSource } from './own-source.ts';
import type { FromWindow, FromWorker } from './shared-messages.ts';
import type { TopicHub, TopicNews } from './topic-hub.ts';

/** News of one turn are sent together: a plan of thousands of events is a few messages. */
const GATHER_MS = 16;

let hub: TopicHub | undefined;

addEventListener('connect', (event) => {
  const port = (event as MessageEvent).ports[0]!;
  const watches = new Map<number, () => void>();
  const send = (message: FromWorker) => port.postMessage(message, []);
  port.addEventListener('message', ({ data }: MessageEvent<FromWindow>) => {
    if (data.say === 'hello') {
      hub ??= ownSource(data.credentials);
      const stop = hub.onConnection((connected) => send({ say: 'connection', connected }));
      void navigator.locks.request(data.lock, () => {
        stop();
        for (const leave of watches.values()) leave();
        port.close();
      });
    } else if (data.say === 'watch') start(data);
    else {
      watches.get(data.id)?.();
      watches.delete(data.id);
    }
  });
  port.start();

  function start({ topic, id }: Extract<FromWindow, { readonly topic: unknown }>): void {
    let waiting: TopicNews[] = [];
    const flush = () => {
      send({ say: 'news', id, news: waiting });
      waiting = [];
    };
    const leave = hub?.watch(topic, (news) => {
      if (waiting.push(news) === 1) setTimeout(flush, GATHER_MS);
    });
    if (leave !== undefined) watches.set(id, leave);
  }
});
