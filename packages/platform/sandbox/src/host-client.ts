import { connect, type Socket } from 'node:net';
import { AssayError } from '@assay/foundation';
import { LineSplitter } from './session-host/lines.ts';
import { MAX_LINE_BYTES, type AnswerLine, type HostCalls, type HostOperation } from './session-host/protocol.ts';

interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The connection ended before the answer came: the host is gone, or going. */
export class HostGone extends Error {
  override readonly name = 'HostGone';
}

/** One connection to a session host. It holds the process open only while an answer is awaited. */
export class HostClient implements Disposable {
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  #next = 1;
  #closed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const lines = new LineSplitter(MAX_LINE_BYTES);
    socket.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) this.#settle(JSON.parse(line) as AnswerLine);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#fail());
    socket.unref();
  }

  /** Rejects with the socket's error when no host listens there. */
  static connect(path: string): Promise<HostClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(path);
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new HostClient(socket));
      });
    });
  }

  get open(): boolean {
    return !this.#socket.destroyed;
  }

  /** Rejects with the host's AssayError, or with HostGone when the host ends first. */
  call<O extends HostOperation>(op: O, request: HostCalls[O]['request']): Promise<HostCalls[O]['answer']> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) {
        reject(new HostGone('the session host is gone'));
        return;
      }
      const n = this.#next++;
      this.#pending.set(n, { resolve: resolve as (answer: unknown) => void, reject });
      this.#socket.ref();
      this.#socket.write(`${JSON.stringify({ n, op, request })}\n`);
    });
  }

  /** Whoever still waits is told that the connection was closed, which says nothing about the host. */
  [Symbol.dispose](): void {
    this.#closed = true;
    this.#socket.destroy();
  }

  #settle(line: AnswerLine): void {
    const pending = this.#pending.get(line.n);
    this.#pending.delete(line.n);
    if (this.#pending.size === 0) this.#socket.unref();
    if (pending === undefined) return;
    if ('answer' in line) pending.resolve(line.answer);
    else pending.reject(new AssayError(line.error.code, line.error.message, line.error));
  }

  #fail(): void {
    const error = this.#closed
      ? new Error('the connection to the session host was closed')
      : new HostGone('the session host ended');
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
