import { setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { EgressTotals, type EgressRecord, type EgressSummary } from './connection-log.ts';
import { log, type ProxyContext } from './context.ts';
import { Dialer, type Lookup } from './dial.ts';
import { Meter } from './meter.ts';
import { defaultEgressLimits, type EgressPolicy } from './policy.ts';
import { refused } from './refusal.ts';
import { answerRefusal, serveConnect } from './serve-connect.ts';
import { serveRequest } from './serve-request.ts';

export interface EgressProxyOptions {
  readonly policy: EgressPolicy;
  /** Called once for every connection or plain request, at its end. */
  readonly onRecord: (record: EgressRecord) => void;
  readonly lookup?: Lookup;
}

/** The way out of one session. It listens nowhere: whoever owns the session's socket hands connections over. */
export interface EgressProxy extends Disposable {
  accept(socket: Socket): void;
  summary(): EgressSummary;
}

/** Sockets of the session that wait idle between requests count against their own bound. */
const IDLE_FACTOR = 2;

/** Throws `sandbox_refused` or `config_invalid` for a policy that cannot be enforced. Disposal ends all connections. */
export function createEgressProxy(options: EgressProxyOptions): EgressProxy {
  const limits = { ...defaultEgressLimits, ...options.policy.limits };
  const totals = new EgressTotals();
  const ending = new AbortController();
  setMaxListeners(0, ending.signal); // One per connection, and those are bounded.
  const context: ProxyContext = {
    dialer: new Dialer(options.policy, limits, options.lookup),
    meter: new Meter(limits),
    limits,
    credentials: options.policy.credentials ?? [],
    signal: ending.signal,
    record: (record) => {
      totals.add(record);
      options.onRecord(record);
    },
  };
  const sockets = new Set<Socket>();
  const server = httpServer(context);
  return {
    accept(socket) {
      socket.on('error', () => socket.destroy());
      if (ending.signal.aborted || sockets.size >= limits.connections * IDLE_FACTOR) {
        socket.destroy();
        return;
      }
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      server.emit('connection', socket);
    },
    summary: () => totals.summary(),
    [Symbol.dispose]() {
      ending.abort(new Error('the session ended'));
      for (const socket of sockets) socket.destroy();
    },
  };
}

function httpServer(context: ProxyContext) {
  const server = createServer({ maxHeaderSize: context.limits.headerBytes, requireHostHeader: false });
  // Longer than the other side may be silent, so that whoever waits is told about that side first.
  server.timeout = context.limits.idleSeconds * 2000;
  server.on('request', (request, response) => void serveRequest(context, request, response));
  server.on('connect', (request, socket, head) => {
    // What the HTTP server watched is a tunnel from here on.
    const inner = socket as Socket;
    inner.setTimeout(0);
    inner.on('error', () => inner.destroy());
    void serveConnect(context, request, inner, head);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const [status, text]: [number, string] =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? [431, `the header is longer than ${context.limits.headerBytes} bytes`]
        : [400, 'this is not a request that a proxy understands'];
    const refusal = refused(text, status);
    answerRefusal(socket as Socket, refusal);
    if (error.code === 'ECONNRESET') return; // Nothing was asked for.
    const asked = { kind: 'http' as const, target: undefined, text: '', startedAt: Date.now() };
    log(context, asked, { address: null, bytesUp: 0, bytesDown: 0, error: refusal });
  });
  return server;
}
