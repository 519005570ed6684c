import { auth } from './serve.ts';

export interface Message {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

export interface StreamReader extends AsyncDisposable {
  readonly status: number;
  readonly contentType: string | null;
  /** The next message, undefined when the server ended the stream. Rejects after 5 s of nothing. */
  next(): Promise<Message | undefined>;
  /** Messages up to and with the first of that name. */
  until(event: string): Promise<Message[]>;
  readonly comments: string[];
}

/** Reads a stream by the letter of its text, without the parser of the client. */
export async function openStream(url: string, headers: Record<string, string> = {}): Promise<StreamReader> {
  const abort = new AbortController();
  const response = await fetch(url, {
    headers: { ...auth, accept: 'text/event-stream', ...headers },
    signal: abort.signal,
  });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const comments: string[] = [];
  let text = '';
  const next = async (): Promise<Message | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        if (block.startsWith(':')) comments.push(block);
        else return messageOf(block);
        continue;
      }
      const { done, value } = await within5s(reader.read());
      if (done) return undefined;
      text += decoder.decode(value, { stream: true });
    }
  };
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    comments,
    next,
    until: async (event) => {
      const messages: Message[] = [];
      for (;;) {
        const message = await next();
        if (message === undefined) throw new Error(`the stream ended before ${event}`);
        messages.push(message);
        if (message.event === event) return messages;
      }
    },
    [Symbol.asyncDispose]: async () => {
      abort.abort();
      await reader.cancel().catch(() => undefined);
    },
  };
}

function messageOf(block: string): Message {
  const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
  return {
    id: fields['id'] as string | undefined,
    event: String(fields['event']),
    data: JSON.parse(String(fields['data'])) as Record<string, unknown>,
  };
}

async function within5s<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('nothing was heard for 5 s')), 5000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
