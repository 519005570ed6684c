import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** A message of an event stream, or `alive` for a comment: the heartbeat. */
export type Received = { readonly kind: 'message'; readonly message: EventSourceMessage } | { readonly kind: 'alive' };

/** More than this without the end of a message is not a stream of ours. */
const MAX_MESSAGE_CHARACTERS = 16 * 1024 * 1024;

/** Reads server-sent events from a body. Releases the body when the reader stops. */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<Received> {
  const received: Received[] = [];
  let pending = 0;
  const parser = createParser({
    onEvent: (message) => {
      pending = 0;
      received.push({ kind: 'message', message });
    },
    onComment: () => received.push({ kind: 'alive' }),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      pending += text.length;
      parser.feed(text);
      if (received.length === 0 && pending > MAX_MESSAGE_CHARACTERS)
        throw new Error('a message of the stream has no end');
      yield* received.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
