import { createClient } from '@assay/client';
import { TopicHub } from './topic-hub.ts';

export interface Credentials {
  readonly baseUrl: string;
  readonly token: string;
}

/** Topics over a connection of this window or worker. */
export function ownSource({ baseUrl, token }: Credentials): TopicHub {
  const client = createClient({ baseUrl, token });
  return new TopicHub({ follow: (topics, signal, after) => client.followTopics(topics, signal, after) });
}
