import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import { readClientHello } from './client-hello.ts';
import { log, printable, type Asked, type ProxyContext } from './context.ts';
import type { Dialed } from './dial.ts';
import { parseHostPort, type HostPort } from './host-name.ts';
import { Refusal, failed, refused } from './refusal.ts';
import { askUpstream, pipeBoth } from './tunnel.ts';

const MAX_GREETING_BYTES = 32 * 1024;

/** CONNECT: a tunnel to one checked address, for TLS with the name that was asked for. */
export async function serveConnect(
  context: ProxyContext,
  request: IncomingMessage,
  inner: Socket,
  head: Buffer,
): Promise<void> {
  const text = request.url ?? '';
  const asked: Asked = { kind: 'connect', target: parseHostPort(text), text, startedAt: Date.now() };
  let address: string | null = null;
  let entered = false;
  let outer: Socket | undefined;
  try {
    const target = checkTarget(request, asked.target);
    context.meter.enter();
    entered = true;
    const dialed = await context.dialer.dial(target, 'https', context.signal);
    [outer, address] = [dialed.socket, dialed.address];
    const early = await tunnelThrough(context, dialed, target);
    inner.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const greeting = await readGreeting(inner, head, context.limits.idleSeconds);
    checkGreeting(greeting, target);
    if (early.length > 0) inner.write(early);
    outer.write(greeting);
    context.meter.count(greeting.length + early.length);
    const { idleSeconds } = context.limits;
    const piped = await pipeBoth(inner, outer, {
      idleSeconds,
      count: (bytes) => context.meter.count(bytes),
      signal: context.signal,
    });
    const [bytesUp, bytesDown] = [piped.bytesUp + greeting.length, piped.bytesDown + early.length];
    const error = piped.reason === undefined ? {} : { error: failed(piped.reason) };
    log(context, asked, { address, bytesUp, bytesDown, ...error });
  } catch (error) {
    outer?.destroy();
    answerRefusal(inner, error);
    log(context, asked, { address, bytesUp: 0, bytesDown: 0, error });
  } finally {
    if (entered) context.meter.leave();
  }
}

function checkTarget(request: IncomingMessage, target: HostPort | undefined): HostPort {
  if (target === undefined) throw refused('CONNECT needs a host name or address and a port', 400);
  const named = request.headers.host;
  if (named !== undefined) {
    const other = parseHostPort(named, target.port);
    if (other?.host !== target.host || other.port !== target.port)
      throw refused('the Host header names another host than the request', 400);
  }
  if (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined)
    throw refused('CONNECT has no body', 400);
  return target;
}

async function tunnelThrough(context: ProxyContext, dialed: Dialed, target: HostPort): Promise<Buffer> {
  if (dialed.upstream === undefined) return Buffer.alloc(0);
  return askUpstream(dialed.socket, dialed.upstream, { target, seconds: context.limits.connectSeconds });
}

/** The first bytes of the session's side: a complete TLS greeting, or as much as shows that it is none. */
function readGreeting(inner: Socket, head: Buffer, seconds: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = head;
    const settle = (error?: Error) => {
      clearTimeout(timer);
      inner.off('data', onData);
      inner.off('close', onClose);
      inner.pause();
      if (error === undefined) resolve(bytes);
      else reject(error);
    };
    const look = () => {
      const complete = readClientHello(bytes).kind !== 'incomplete' || bytes.length > MAX_GREETING_BYTES;
      if (complete) settle();
      return complete;
    };
    const onData = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      look();
    };
    const onClose = () => settle(failed('the session closed the tunnel before it used it'));
    const timer = setTimeout(() => settle(failed('nothing was sent through the tunnel')), seconds * 1000);
    if (look()) return;
    inner.on('data', onData);
    inner.once('close', onClose);
    inner.resume();
  });
}

/** A shared front end serves many names on one address, so that the name inside must be the allowed one too. */
function checkGreeting(greeting: Buffer, target: HostPort): void {
  const found = readClientHello(greeting);
  if (found.kind !== 'tls') throw refused('a tunnel carries TLS and nothing else');
  const name = found.serverName?.toLowerCase();
  if (name === target.host || (name === undefined && isIP(target.host) !== 0)) return;
  throw refused(`the tunnel asks for ${name === undefined ? 'no host' : printable(name)} instead of ${target.host}`);
}

/** The reason stands in the status line, because that is what most programs show. */
export function answerRefusal(inner: Socket, error: unknown): void {
  if (inner.destroyed || inner.writableEnded) return;
  const refusal = error instanceof Refusal ? error : failed('the connection failed');
  const text = printable(refusal.message);
  inner.end(
    `HTTP/1.1 ${refusal.status} ${text}\r\nContent-Type: text/plain\r\nContent-Length: ${text.length + 1}\r\nConnection: close\r\n\r\n${text}\n`,
  );
}
