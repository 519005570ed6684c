import { appendFileSync, chmodSync, mkdirSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createEgressProxy, type EgressPolicy, type EgressRecord, type EgressSummary } from '@assay/egress-proxy';
import { BRIDGE_READY } from '../bridge.ts';
import { sessionFiles } from '../session-files.ts';

/** Lines of the connection log; what follows is in the sums only. */
const MAX_LINES = 10_000;
const MAX_REPORT_BYTES = 2000;

/** The way out of one session: its socket, its proxy, its log. It lives in the session host, as long as the session. */
export interface SessionNetwork extends Disposable {
  /** Of the socket on this machine. */
  readonly path: string;
  /** Why the command was not started, or undefined when the bridge became the command. */
  readonly notStarted: string | undefined;
  summary(): EgressSummary;
}

/**
 * Opens the session's socket below the folder of the host's own socket. The first connection is the bridge's: it
 * closes when the command was started, and carries the reason when it was not. All others go to the proxy.
 */
export async function openSessionNetwork(
  policy: EgressPolicy,
  place: { readonly dir: string; readonly hostSocket: string },
): Promise<SessionNetwork> {
  const log = new ConnectionLog(join(place.dir, sessionFiles.network));
  const proxy = createEgressProxy({ policy, onRecord: (record) => log.write(record) });
  const folder = join(dirname(place.hostSocket), 'net');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomBytes(6).toString('hex')}.sock`);
  const report = new BridgeReport();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    if (!report.take(socket)) proxy.accept(socket);
  });
  server.listen(path);
  await once(server, 'listening');
  chmodSync(path, 0o600);
  return {
    path,
    get notStarted() {
      return report.notStarted;
    },
    summary: () => proxy.summary(),
    [Symbol.dispose]() {
      proxy[Symbol.dispose]();
      server.close();
      rmSync(path, { force: true });
    },
  };
}

/** What the bridge said before it became the command. Nothing that the command does later can change it. */
class BridgeReport {
  #taken = false;
  #said = '';

  /** Takes the first connection only. */
  take(socket: Socket): boolean {
    if (this.#taken) return false;
    this.#taken = true;
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      if (this.#said.length < MAX_REPORT_BYTES) this.#said += chunk.toString('utf8');
    });
    socket.on('end', () => socket.end());
    return true;
  }

  get notStarted(): string | undefined {
    if (this.#said === BRIDGE_READY) return undefined;
    if (this.#said.startsWith(BRIDGE_READY)) return this.#said.slice(BRIDGE_READY.length, MAX_REPORT_BYTES);
    return 'the bridge to the network did not start';
  }
}

/** One line per connection in the session's folder, up to a bound. */
class ConnectionLog {
  readonly #path: string;
  #lines = 0;

  constructor(path: string) {
    this.#path = path;
  }

  write(record: EgressRecord): void {
    this.#lines += 1;
    if (this.#lines > MAX_LINES) return;
    try {
      appendFileSync(this.#path, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    } catch {
      // A full disk or a removed folder: the sums in the exit record still say it.
    }
  }
}
