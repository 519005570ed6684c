import type { Topic } from '@assay/client';
import type { Credentials } from './own-source.ts';
import type { TopicNews } from './topic-hub.ts';

/** What a window says to the worker. `lock` is held as long as the window lives. */
export type FromWindow =
  | { readonly say: 'hello'; readonly credentials: Credentials; readonly lock: string }
  | { readonly say: 'watch' | 'leave'; readonly topic: Topic; readonly id: number };

export type FromWorker =
  | { readonly say: 'connection'; readonly connected: boolean }
  | { readonly say: 'news'; readonly id: number; readonly news: readonly TopicNews[] };
