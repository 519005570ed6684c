import { createServer, type Server, type Socket } from 'node:net';
import { AssayError, errorText } from '@assay/foundation';
import { LineSplitter } from './lines.ts';
import { MAX_LINE_BYTES, type AnswerLine, type HostCalls, type RequestLine, type WireError } from './protocol.ts';
import type { SessionHost } from './session-host.ts';

export interface HostServer {
  readonly server: Server;
  readonly clients: ReadonlySet<Socket>;
}

/** Answers JSON lines on a unix socket. `onStop` is called after the answer to `stop` was written. */
export function hostServer(host: SessionHost, onStop: () => void): HostServer {
  const clients = new Set<Socket>();
  const server = createServer((socket) => {
    clients.add(socket);
    socket.on('close', () => clients.delete(socket));
    socket.on('error', () => socket.destroy());
    const lines = new LineSplitter(MAX_LINE_BYTES);
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const line of lines.push(chunk)) void serve(JSON.parse(line) as RequestLine, socket, host, onStop);
      } catch {
        socket.destroy(); // Not our protocol.
      }
    });
  });
  return { server, clients };
}

async function serve(line: RequestLine, socket: Socket, host: SessionHost, onStop: () => void): Promise<void> {
  let answer: AnswerLine;
  try {
    answer = { n: line.n, answer: await perform(line, host) };
  } catch (error) {
    answer = { n: line.n, error: wireError(error) };
  }
  if (socket.destroyed) return;
  socket.write(`${JSON.stringify(answer)}\n`, () => {
    if (line.op === 'stop') onStop();
  });
}

async function perform(line: RequestLine, host: SessionHost): Promise<unknown> {
  switch (line.op) {
    case 'status':
      return host.status();
    case 'start': {
      const request = line.request as HostCalls['start']['request'];
      await host.start(request);
      return { sessionId: request.sessionId };
    }
    case 'wait':
      return host.wait((line.request as HostCalls['wait']['request']).sessionId);
    case 'kill': {
      const { sessionId, reason } = line.request as HostCalls['kill']['request'];
      return host.kill(sessionId, reason);
    }
    case 'stop':
      await host.stop('the session host was stopped');
      return {};
    default:
      throw new AssayError('invalid_request', `the session host knows no ${JSON.stringify(line.op)}`);
  }
}

function wireError(error: unknown): WireError {
  if (!(error instanceof AssayError)) return { code: 'sandbox_setup_failed', message: errorText(error) };
  return {
    code: error.code,
    message: error.message,
    ...(error.why === undefined ? {} : { why: error.why }),
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  };
}
