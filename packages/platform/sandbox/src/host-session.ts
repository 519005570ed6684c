import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { raceAbort } from '@assay/foundation';
import { readJson } from '@assay/files';
import { followFile } from './follow-file.ts';
import { HostGone, type HostClient } from './host-client.ts';
import { connectLivingHost } from './living-host.ts';
import type { OutputStream, Session, SessionExit } from './sandbox.ts';
import { exitOf, sessionExitSchema } from './session-records.ts';
import { sessionFiles } from './session-files.ts';

/** A host that breaks more connections than this is no host. */
const MAX_CONNECTIONS = 3;

export interface HostSessionParts {
  readonly home: string;
  readonly id: string;
  readonly dir: string;
  readonly host: HostClient;
}

/** A session seen from a client of its host. */
export class HostSession implements Session {
  readonly id: string;
  readonly dir: string;
  readonly #home: string;
  #host: HostClient;
  #exit: Promise<SessionExit> | undefined;

  constructor(parts: HostSessionParts) {
    this.id = parts.id;
    this.dir = parts.dir;
    this.#home = parts.home;
    this.#host = parts.host;
  }

  wait(signal?: AbortSignal): Promise<SessionExit> {
    this.#exit ??= this.#settled((host) => host.call('wait', { sessionId: this.id }));
    return raceAbort(this.#exit, signal);
  }

  async kill(reason: string): Promise<void> {
    await this.#settled((host) => host.call('kill', { sessionId: this.id, reason }));
  }

  async read(offset: number, length: number, stream: OutputStream = 'output'): Promise<Buffer> {
    const file = await open(join(this.dir, stream === 'stderr' ? sessionFiles.stderr : sessionFiles.output), 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  follow(options: { readonly offset?: number; readonly signal?: AbortSignal } = {}): AsyncIterable<Buffer> {
    return followFile({ dir: this.dir, name: sessionFiles.output, ended: this.wait() }, options);
  }

  /**
   * The host's answer. When the host knows the session no more, what stands on disk; when the connection broke, the
   * answer over a new one; lost only when exactly that host is dead.
   */
  async #settled(ask: (host: HostClient) => Promise<SessionExit>): Promise<SessionExit> {
    let host = this.#host;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask(host);
      } catch (error) {
        const known = await readExit(this.dir);
        if (known !== undefined) return known;
        if (!(error instanceof HostGone) || attempt === MAX_CONNECTIONS) throw error;
      }
      const living = await connectLivingHost({ home: this.#home, dir: this.dir });
      if (living === undefined) return (await readExit(this.dir)) ?? lostExit(this.dir);
      this.#host = host = living;
    }
  }
}

/** What can be said of a session whose host died: no more than what it wrote, and when it wrote last. */
async function lostExit(dir: string): Promise<SessionExit> {
  const sizeOf = async (name: string) => (await stat(join(dir, name)).catch(() => undefined))?.size ?? 0;
  const log = await stat(join(dir, sessionFiles.output)).catch(() => undefined);
  return {
    end: 'lost',
    exitCode: null,
    signal: null,
    seconds: log === undefined ? 0 : Math.max(0, (log.mtimeMs - log.birthtimeMs) / 1000),
    outputBytes: (await sizeOf(sessionFiles.output)) + (await sizeOf(sessionFiles.stderr)),
    message: 'the session host ended before the session did, and the session with it',
  };
}

/** The exit record of a session folder, or undefined while there is none. Throws on a damaged one. */
export async function readExit(dir: string): Promise<SessionExit | undefined> {
  const record = await readJson(join(dir, sessionFiles.exit));
  return record === undefined ? undefined : exitOf(sessionExitSchema.parse(record));
}
