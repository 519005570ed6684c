import { createClient, type Client } from '@assay/client';
import { sendWithProgress } from './data/send-with-progress.ts';
import { topicSource } from './stream/shared-source.ts';
import type { TopicSource } from './stream/topic-hub.ts';

const STORED = 'assay.token';
const ASK_MS = 400;

export interface OpenSession {
  readonly client: Client;
  readonly source: TopicSource;
}

/**
 * The owner's client: from this tab's storage, from the one-time link in the address, or from another window of the same
 * browser. Undefined when there is none; rejects when the link is no longer good.
 */
export async function openSession(): Promise<OpenSession | undefined> {
  const code = /^#link=([A-Za-z0-9_-]+)$/.exec(location.hash)?.[1];
  if (code !== undefined) {
    history.replaceState(null, '', location.pathname + location.search);
    const { token } = await clientWith('').redeemLink({ body: { code } });
    sessionStorage.setItem(STORED, token);
  }
  const token = sessionStorage.getItem(STORED) ?? (await askOtherWindows());
  if (token === undefined) return undefined;
  sessionStorage.setItem(STORED, token);
  answerOtherWindows(token);
  return { client: clientWith(token), source: topicSource({ baseUrl: location.origin, token }) };
}

export function forgetSession(): void {
  sessionStorage.removeItem(STORED);
}

function clientWith(token: string): Client {
  return createClient({ baseUrl: location.origin, token, send: sendWithProgress });
}

type Message = { readonly ask: true } | { readonly token: string };

/** Windows of one origin share a channel that nobody else can join. */
function channel(): BroadcastChannel {
  return new BroadcastChannel('assay.session');
}

function askOtherWindows(): Promise<string | undefined> {
  const others = channel();
  return new Promise((resolve) => {
    const done = (token?: string) => {
      others.close();
      resolve(token);
    };
    others.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if ('token' in data) done(data.token);
    });
    others.postMessage({ ask: true } satisfies Message);
    setTimeout(done, ASK_MS);
  });
}

function answerOtherWindows(token: string): void {
  const others = channel();
  others.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if ('ask' in data) others.postMessage({ token } satisfies Message);
  });
}
