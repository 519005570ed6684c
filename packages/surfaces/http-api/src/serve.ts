import { AssayError, errorCode, errorText } from '@assay/foundation';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { HttpEnv } from './http-options.ts';
import { socketPathFor } from './socket-path.ts';

/** The port that is taken when it is free and none is configured. */
export const DEFAULT_PORT = 4870;

export interface ServeOptions {
  readonly app: Hono<HttpEnv>;
  /** Loopback only: `127.0.0.1`. */
  readonly host: '127.0.0.1';
  /** A number must be free, 0 is any free one; `auto` is 4870, or a free one when that is taken. */
  readonly port: number | 'auto';
  /** Also listens on this unix socket; a path over 100 bytes is replaced by a short one. */
  readonly socketPath?: string;
  /** Closes the server when it aborts. */
  readonly signal: AbortSignal;
}

export interface HttpServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Where the unix socket really is, null without one. */
  readonly socket: string | null;
  /** Stops listening, ends idle connections at once and busy ones after 2 s. */
  close(): Promise<void>;
}

/** A large file over a slow line takes long; bodies of other requests have a bound of their own. */
const LONGEST_REQUEST_MS = 3_600_000;
const CLOSE_GRACE_MS = 2000;
const CLOSE_SWEEP_MS = 20;

/** Serves the app on loopback. Throws `port_in_use` for a configured port that is taken. */
export async function serveHttp(options: ServeOptions): Promise<HttpServer> {
  const server = makeServer(options.app);
  const servers = [server];
  const port = await listenOnPort(server, options);
  let socket: string | null = null;
  try {
    if (options.socketPath !== undefined) {
      socket = await socketPathFor(options.socketPath);
      const local = makeServer(options.app);
      servers.push(local);
      await listenOnSocket(local, socket);
    }
  } catch (error) {
    await Promise.all(servers.map(closeServer));
    throw error;
  }
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeAll(servers, socket));
  options.signal.addEventListener('abort', () => void close(), { once: true });
  if (options.signal.aborted) await close();
  return { url: `http://${options.host}:${port}`, port, socket, close, [Symbol.asyncDispose]: close };
}

function makeServer(app: Hono<HttpEnv>): Server {
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler: badRequest });
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: LONGEST_REQUEST_MS,
    keepAliveTimeout: 5000,
    requireHostHeader: false, // refused by the adapter, with an error in our shape
  });
  server.on('request', (incoming, outgoing) => void listener(incoming, outgoing));
  server.on('clientError', (_error: Error, socket: Socket) => {
    if (socket.writable) socket.end(`HTTP/1.1 400 Bad Request\r\n${BAD_HEADERS}\r\n\r\n${BAD_REQUEST}`);
  });
  return server;
}

const BAD_REQUEST = JSON.stringify({
  error: { code: 'invalid_request', message: 'this is not a valid HTTP request', details: {} },
});
const BAD_HEADERS = `content-type: application/json\r\ncontent-length: ${BAD_REQUEST.length}\r\nconnection: close`;

/** What the adapter itself refuses, such as a request without a usable Host. */
function badRequest(): Response {
  return new Response(BAD_REQUEST, { status: 400, headers: { 'content-type': 'application/json' } });
}

async function listenOnPort(server: Server, { host, port }: ServeOptions): Promise<number> {
  try {
    await listen(server, { host, port: port === 'auto' ? DEFAULT_PORT : port });
  } catch (error) {
    if (port === 'auto' && ['EADDRINUSE', 'EACCES'].includes(errorCode(error) ?? ''))
      await listen(server, { host, port: 0 });
    else throw portError(error, port);
  }
  return (server.address() as AddressInfo).port;
}

function portError(error: unknown, port: number | 'auto'): unknown {
  if (errorCode(error) === 'EADDRINUSE')
    return new AssayError('port_in_use', `port ${port} is in use`, {
      why: 'another program on this machine listens there',
      hint: 'stop it, choose another daemon.port in config.yaml, or leave daemon.port out to take a free one',
      details: { port },
      cause: error,
    });
  if (errorCode(error) === 'EACCES')
    return new AssayError('port_in_use', `port ${port} may not be used`, {
      why: 'the system reserves it for privileged programs',
      hint: 'choose a daemon.port of 1024 or above',
      details: { port },
      cause: error,
    });
  return error;
}

async function listenOnSocket(server: Server, path: string): Promise<void> {
  // The home is locked by this daemon, so a file that is there was left by one that died.
  await rm(path, { force: true });
  try {
    await listen(server, { path });
  } catch (error) {
    throw new AssayError('daemon_start_failed', 'the daemon cannot listen on its unix socket', {
      why: `${path}: ${errorText(error)}`,
      hint: 'check that the folder can be written and the path is short; `assay doctor` says more',
      cause: error,
    });
  }
  await chmod(path, 0o600);
}

type Address = { readonly host: string; readonly port: number } | { readonly path: string };

function listen(server: Server, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function closeAll(servers: readonly Server[], socket: string | null): Promise<void> {
  await Promise.all(servers.map(closeServer));
  if (socket !== null) await rm(socket, { force: true });
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection becomes idle when its last answer or stream has ended, so it is asked for more than once.
  const sweep = setInterval(() => server.closeIdleConnections(), CLOSE_SWEEP_MS);
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  server.closeIdleConnections();
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
}
