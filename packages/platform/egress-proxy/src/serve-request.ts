import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { log, printable, type Asked, type ProxyContext } from './context.ts';
import { grantFor, throughTls, type Grant } from './credential-host.ts';
import type { Dialed } from './dial.ts';
import { hostPortText, parseHostPort, type HostPort } from './host-name.ts';
import { isPage, renamedLocation, sendPage } from './rename-links.ts';
import { Refusal, failed, refused } from './refusal.ts';

/** Between one proxy and the next only (RFC 9110 section 7.6.1), or for us. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * A plain HTTP request in absolute form: sent on to one checked address, with the credentials granted for that host, and
 * through TLS where the grant says so.
 */
export async function serveRequest(
  context: ProxyContext,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = incoming.url ?? '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const target = url === undefined ? undefined : parseHostPort(authorityIn(text), 80);
  const grant = target === undefined ? undefined : grantFor(context.credentials, target);
  const asked: Asked = { kind: 'http', target: grant?.target ?? target, text, startedAt: Date.now() };
  const moved = { bytesUp: 0, bytesDown: 0 };
  let address: string | null = null;
  let entered = false;
  try {
    const checked = checkRequest(incoming, { url, target, text });
    context.meter.enter();
    entered = true;
    const dialed = await dial(context, checked, grant);
    address = dialed.address;
    await pass(context, { incoming, response, dialed, target: grant?.target ?? checked, grant, url: url!, moved });
    log(context, asked, { address, ...moved });
  } catch (error) {
    answerRequest(response, error);
    log(context, asked, { address, ...moved, error });
  } finally {
    if (entered) context.meter.leave();
  }
}

async function dial(context: ProxyContext, target: HostPort, grant: Grant | undefined): Promise<Dialed> {
  if (grant?.credential.tls === undefined) return context.dialer.dial(target, 'http', context.signal);
  const dialed = await context.dialer.dial(grant.target, 'https', context.signal);
  return throughTls(context, dialed, { target: grant.target, tls: grant.credential.tls });
}

/** The authority as it was written: the URL parser would turn `2130706433` into an address. */
function authorityIn(text: string): string {
  return /^http:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
}

function checkRequest(
  incoming: IncomingMessage,
  asked: { readonly url: URL | undefined; readonly target: HostPort | undefined; readonly text: string },
): HostPort {
  if (asked.url?.protocol !== 'http:') throw refused('a request to this proxy names a whole http:// address', 400);
  if (asked.url.username !== '' || asked.url.password !== '' || authorityIn(asked.text).includes('@'))
    throw refused('an address with a user name is not passed on', 400);
  if (asked.target === undefined) throw refused('the address names no usable host', 400);
  const named = incoming.headers.host;
  const other = named === undefined ? asked.target : parseHostPort(named, 80);
  if (other?.host !== asked.target.host || other.port !== asked.target.port)
    throw refused('the Host header names another host than the request', 400);
  return asked.target;
}

interface Passing {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly dialed: Dialed;
  readonly target: HostPort;
  readonly grant: Grant | undefined;
  readonly url: URL;
  readonly moved: { bytesUp: number; bytesDown: number };
}

async function pass(context: ProxyContext, passing: Passing): Promise<void> {
  const { incoming, response, dialed, moved } = passing;
  const { socket } = dialed;
  const onAbort = () => socket.destroy();
  context.signal.addEventListener('abort', onAbort, { once: true });
  socket.setTimeout(context.limits.idleSeconds * 1000, onAbort);
  response.on('close', () => {
    if (!response.writableFinished) socket.destroy();
  });
  try {
    const outgoing = httpRequest({
      createConnection: () => socket,
      method: incoming.method ?? 'GET',
      path: dialed.upstream === undefined ? passing.url.pathname + passing.url.search : passing.url.href,
      headers: requestHeaders(passing),
      setHost: false,
    });
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve);
      outgoing.on('error', reject);
    });
    incoming.on('data', (chunk: Buffer) => {
      moved.bytesUp += chunk.length;
      if (!context.meter.count(chunk.length)) socket.destroy();
    });
    incoming.pipe(outgoing);
    const upstream = await answer;
    upstream.on('data', (chunk: Buffer) => {
      moved.bytesDown += chunk.length;
      if (!context.meter.count(chunk.length)) socket.destroy(new Error(context.meter.overrun));
    });
    const head = renamedLocation(passedHeaders(upstream.headers), context.credentials);
    const isRenamed = passing.grant?.credential.tls !== undefined && isPage(upstream.headers);
    if (isRenamed) await sendPage(upstream, response, { head, credentials: context.credentials });
    else {
      response.writeHead(upstream.statusCode ?? 502, head);
      upstream.on('error', () => response.destroy());
      upstream.pipe(response);
    }
    await finished(response);
  } catch (error) {
    throw error instanceof Refusal ? error : failed(`${hostPortText(passing.target)} broke the connection`);
  } finally {
    context.signal.removeEventListener('abort', onAbort);
    socket.destroy();
  }
}

function requestHeaders({ incoming, dialed, target, grant }: Passing): OutgoingHttpHeaders {
  const authority = hostPortText(target);
  const isTls = grant?.credential.tls !== undefined;
  const chunked = incoming.headers['transfer-encoding'] !== undefined;
  return {
    ...passedHeaders(incoming.headers),
    host: target.port === (isTls ? 443 : 80) ? authority.replace(/:\d+$/, '') : authority,
    ...(isTls ? { 'accept-encoding': 'identity' } : {}), // what is read here comes unpacked
    connection: 'close',
    ...(chunked ? { 'transfer-encoding': 'chunked' } : {}),
    ...(grant === undefined ? {} : { authorization: basic(grant.credential.user, grant.credential.password) }),
    ...(dialed.upstream?.authorization === undefined ? {} : { 'proxy-authorization': dialed.upstream.authorization }),
  };
}

/** Without what concerns one hop: the fixed names, and those that Connection lists. */
function passedHeaders(headers: IncomingMessage['headers']): OutgoingHttpHeaders {
  const listed = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const dropped = new Set([...hopByHop, ...listed]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function answerRequest(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const refusal = error instanceof Refusal ? error : failed('the request failed');
  const text = printable(refusal.message);
  response.writeHead(refusal.status, text, { 'content-type': 'text/plain', connection: 'close' });
  response.end(`${text}\n`);
}
