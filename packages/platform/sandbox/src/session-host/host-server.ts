import { createServer, type Server, type Socket } from 'node:net';
import { AssayError, errorText } from '@assay/foundation';
import { LineSplitter } from './lines.ts';
import { MAX_LINE_BYTES, type AnswerLine, type HostCalls, type RequestLine, type WireError } from './protocol.ts';
import type { SessionHost } from './session-host.ts';

export interface HostServer {
  readonly server: Server;
  readonly clients: ReadonlySet<Socket>;
}

/** How the host ends on request: first everything it runs, then, after the answer, itself. */
export interface HostEnd {
  stop(): Promise<void>;
  leave(): void;
}

/** Answers JSON lines on a unix socket. */
export function hostServer(host: SessionHost, end: HostEnd): HostServer {
  const clients = new Set<Socket>();
  const server = createServer((socket) => {
    clients.add(socket);
    socket.on('close', () => clients.delete(socket));
    socket.on('error', () => socket.destroy());
    const lines = new LineSplitter(MAX_LINE_BYTES);
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const line of lines.push(chunk)) void serve(JSON.parse(line) as RequestLine, socket, { host, end });
      } catch {
        socket.destroy(); // Not our protocol.
      }
    });
  });
  return { server, clients };
}

interface Served {
  readonly host: SessionHost;
  readonly end: HostEnd;
}

async function serve(line: RequestLine, socket: Socket, served: Served): Promise<void> {
  let answer: AnswerLine;
  try {
    answer = { n: line.n, answer: await perform(line, served) };
  } catch (error) {
    answer = { n: line.n, error: wireError(error) };
  }
  const after = line.op === 'stop' ? () => served.end.leave() : () => undefined;
  if (socket.destroyed) after();
  else socket.write(`${JSON.stringify(answer)}\n`, after);
}

async function perform(line: RequestLine, { host, end }: Served): Promise<unknown> {
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
      await end.stop();
      return {};
    default:
      throw new AssayError('invalid_request', `the session host knows no ${JSON.stringify(line.op)}`, {
        why: 'it was started by another build',
        hint: 'restart the daemon: assay down, assay up',
      });
  }
}

function wireError(error: unknown): WireError {
  if (!(error instanceof AssayError))
    return {
      code: 'sandbox_setup_failed',
      message: errorText(error),
      hint: 'run "assay doctor" to test the sandbox',
    };
  return {
    code: error.code,
    message: error.message,
    ...(error.why === undefined ? {} : { why: error.why }),
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  };
}
