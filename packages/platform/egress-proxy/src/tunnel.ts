import type { Socket } from 'node:net';
import { hostPortText, type HostPort } from './host-name.ts';
import { failed } from './refusal.ts';
import type { Upstream } from './upstream.ts';

const MAX_ANSWER_BYTES = 16 * 1024;
const HEAD_END = '\r\n\r\n';

/** Asks the person's own proxy for a tunnel. Resolves with the bytes that followed its answer; rejects with a Refusal. */
export function askUpstream(
  socket: Socket,
  upstream: Upstream,
  request: { readonly target: HostPort; readonly seconds: number },
): Promise<Buffer> {
  const authority = hostPortText(request.target);
  const authorization =
    upstream.authorization === undefined ? '' : `Proxy-Authorization: ${upstream.authorization}\r\n`;
  return new Promise((resolve, reject) => {
    let answer = Buffer.alloc(0);
    const settle = (error?: Error, rest?: Buffer) => {
      clearTimeout(timer);
      socket.off('data', onData);
      socket.off('close', onClose);
      socket.pause();
      if (error === undefined) resolve(rest ?? Buffer.alloc(0));
      else reject(error);
    };
    const onClose = () => settle(failed('the proxy of this machine closed the connection'));
    const onData = (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk]);
      const end = answer.indexOf(HEAD_END);
      if (end === -1) {
        if (answer.length > MAX_ANSWER_BYTES) settle(failed('the proxy of this machine gave an endless answer'));
        return;
      }
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(answer.subarray(0, end).toString('latin1'))?.[1];
      if (status?.startsWith('2') === true) settle(undefined, answer.subarray(end + HEAD_END.length));
      else settle(failed(`the proxy of this machine answered ${status ?? 'nothing known'} for ${authority}`));
    };
    const timer = setTimeout(
      () => settle(failed('the proxy of this machine does not answer', 504)),
      request.seconds * 1000,
    );
    socket.on('data', onData);
    socket.on('close', onClose);
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
  });
}

export interface PipeOptions {
  readonly idleSeconds: number;
  /** False ends both sides. */
  readonly count: (bytes: number) => boolean;
  readonly signal: AbortSignal;
}

export interface Piped {
  readonly bytesUp: number;
  readonly bytesDown: number;
  /** Set when we ended it. */
  readonly reason?: string;
}

/** Passes bytes both ways until both sides have ended. `inner` is the session's side. Never rejects. */
export function pipeBoth(inner: Socket, outer: Socket, options: PipeOptions): Promise<Piped> {
  return new Promise((resolve) => {
    let [bytesUp, bytesDown, closed] = [0, 0, 0];
    let reason: string | undefined;
    const end = (why?: string) => {
      reason ??= why;
      inner.destroy();
      outer.destroy();
    };
    const onAbort = () => end('the session ended');
    const watch = (from: Socket, add: (bytes: number) => void) => {
      from.on('data', (chunk: Buffer) => {
        add(chunk.length);
        if (!options.count(chunk.length)) end('the session passed its network limit');
      });
      from.setTimeout(options.idleSeconds * 1000, () => end(`nothing came for ${options.idleSeconds} s`));
      from.on('error', () => end());
      from.on('close', () => {
        closed += 1;
        if (closed < 2) return;
        options.signal.removeEventListener('abort', onAbort);
        resolve({ bytesUp, bytesDown, ...(reason === undefined ? {} : { reason }) });
      });
    };
    watch(inner, (bytes) => (bytesUp += bytes));
    watch(outer, (bytes) => (bytesDown += bytes));
    options.signal.addEventListener('abort', onAbort, { once: true });
    if (options.signal.aborted) onAbort();
    // One side that is gone without a clean end must not leave the other waiting.
    inner.on('close', () => outer.destroySoon());
    outer.on('close', () => inner.destroySoon());
    inner.pipe(outer);
    outer.pipe(inner);
  });
}
