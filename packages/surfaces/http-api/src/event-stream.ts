import { SSE_HEARTBEAT_MS } from '@assay/contracts';
import { errorText, type Clock, type Logger } from '@assay/foundation';

/** One message of a stream. Data is one line of JSON. */
export interface Frame {
  readonly event: string;
  readonly id?: string;
  readonly data: unknown;
}

export interface EventStreamOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborts when the server closes or the client has gone away. */
  readonly signal: AbortSignal;
  /** Cuts the connection of a client that takes nothing any more. */
  readonly disconnect: () => void;
}

/** Heartbeats that may find the client's buffer still full before it is disconnected: a minute without a byte taken. */
const MAX_STALLED = 4;

export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/**
 * The body of a server-sent event stream. Frames are pulled one at a time as the socket drains, so a slow client holds
 * back only its own bounded queue behind `frames`; a comment is sent every 15 s; everything is released when the client
 * goes away.
 */
export function eventStream(
  frames: (signal: AbortSignal) => AsyncGenerator<Frame>,
  options: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const over = new AbortController();
  const end = () => over.abort();
  let taken = true;
  const iterator = frames(over.signal);
  over.signal.addEventListener('abort', () => {
    options.signal.removeEventListener('abort', end);
    void iterator.return(undefined).catch(() => undefined);
  });
  options.signal.addEventListener('abort', end);
  if (options.signal.aborted) end();
  return new ReadableStream<Uint8Array>({
    start(controller) {
      void heartbeat({ controller, encoder, signal: over.signal, options });
    },
    async pull(controller) {
      const next = await nextFrame(iterator, over.signal, options.logger);
      if (!taken) return;
      if (next !== undefined) controller.enqueue(encoder.encode(encodeFrame(next)));
      else {
        end();
        controller.close();
      }
    },
    cancel() {
      taken = false;
      end();
    },
  });
}

/** The next frame, or undefined at the end. A fault ends the stream: the client resumes, the log says why. */
async function nextFrame(
  iterator: AsyncGenerator<Frame>,
  signal: AbortSignal,
  logger: Logger,
): Promise<Frame | undefined> {
  try {
    const { done, value } = await iterator.next();
    return done === true ? undefined : value;
  } catch (error) {
    if (!signal.aborted) logger.log('error', 'event stream failed', { error: errorText(error) });
    return undefined;
  }
}

export function encodeFrame(frame: Frame): string {
  const id = frame.id === undefined ? '' : `id: ${frame.id}\n`;
  return `${id}event: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`;
}

interface HeartbeatOptions {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly encoder: InstanceType<typeof TextEncoder>;
  readonly signal: AbortSignal;
  readonly options: EventStreamOptions;
}

async function heartbeat({ controller, encoder, signal, options }: HeartbeatOptions): Promise<void> {
  let stalled = 0;
  for (;;) {
    try {
      await options.clock.sleep(SSE_HEARTBEAT_MS, signal);
    } catch {
      return; // the stream is over
    }
    if (signal.aborted) return;
    if ((controller.desiredSize ?? 0) > 0) {
      stalled = 0;
      controller.enqueue(encoder.encode(': heartbeat\n\n'));
    } else if (++stalled >= MAX_STALLED) {
      options.logger.log('warn', 'a client took nothing for a minute and was disconnected');
      options.disconnect();
      return;
    }
  }
}
