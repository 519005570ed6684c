import { AssayError, errorText, type Logger } from '@assay/foundation';
import { thisProcess } from '@assay/files';
import type { Limiter } from '../limits/limiter.ts';
import type { SessionExit } from '../sandbox.ts';
import { HostedSession } from './hosted-session.ts';
import type { HostStatus, StartRequest } from './protocol.ts';
import { openSessionNetwork, type SessionNetwork } from './session-network.ts';
import { Starters, discard, type Starter } from './starters.ts';

/** Samples of output and limits. */
const TICK_MS = 50;
/** Lets the session that was just started have the processor while it builds its root, about 10 ms. */
const REFILL_DELAY_MS = 12;

export interface SessionHostOptions {
  readonly limiter: Limiter;
  /** Path of the seccomp filter; undefined on a processor without one. */
  readonly seccompFile: string | undefined;
  /** Where this host listens, for the records. */
  readonly socket: string;
  readonly logger: Logger;
}

/** Runs all sessions of one home. Knows living sessions only: an ended one is its exit record on disk. */
export class SessionHost {
  readonly #options: SessionHostOptions;
  readonly #sessions = new Map<string, HostedSession>();
  readonly #starting = new Set<string>();
  readonly #cleanups = new Set<Promise<void>>();
  readonly #starters: Starters;
  #stopping = false;
  #ticker: NodeJS.Timeout | undefined;

  constructor(options: SessionHostOptions) {
    this.#options = options;
    this.#starters = new Starters(options.limiter, options.seccompFile);
  }

  get busy(): boolean {
    return this.#starting.size > 0 || this.#sessions.size > 0 || this.#cleanups.size > 0;
  }

  status(): HostStatus {
    return { host: thisProcess(), limits: this.#options.limiter.kind, sessions: [...this.#sessions.keys()] };
  }

  /** Starts a command. Rejects when nothing was started. */
  async start(request: StartRequest): Promise<void> {
    const { sessionId } = request;
    if (this.#stopping)
      throw new AssayError('sandbox_unavailable', 'the session host is ending', { hint: 'try again' });
    if (this.#starting.has(sessionId) || this.#sessions.has(sessionId))
      throw new AssayError('conflict', `session ${sessionId} is already running`, {
        hint: 'wait for its end, or retry the task',
      });
    if (request.attestation.limits !== this.#options.limiter.kind)
      throw new AssayError('sandbox_unavailable', 'the session host enforces limits in another way than was attested', {
        why: `attested ${request.attestation.limits}, enforced ${this.#options.limiter.kind}`,
        hint: 'create the sandbox again',
      });
    this.#starting.add(sessionId);
    try {
      const network = await this.#network(request);
      this.#run(request, { starter: await this.#starters.take(), network });
    } finally {
      this.#starting.delete(sessionId);
    }
  }

  async #network({ egress, dir }: StartRequest): Promise<SessionNetwork | undefined> {
    if (egress === undefined) return undefined;
    return openSessionNetwork(egress.policy, { dir, hostSocket: this.#options.socket });
  }

  #run(
    request: StartRequest,
    parts: { readonly starter: Starter; readonly network: SessionNetwork | undefined },
  ): void {
    const { starter, network } = parts;
    const { sessionId } = request;
    let session: HostedSession;
    try {
      session = new HostedSession(request, starter, {
        socket: this.#options.socket,
        seccomp: this.#options.seccompFile !== undefined,
        network,
      });
    } catch (error) {
      network?.[Symbol.dispose]();
      this.#cleanUp(sessionId, starter);
      throw error;
    }
    this.#sessions.set(sessionId, session);
    this.#ticker ??= setInterval(() => this.#tick(), TICK_MS);
    setTimeout(() => this.#refill(), REFILL_DELAY_MS);
    session.exit
      .catch((error: unknown) => this.#log(sessionId, errorText(error)))
      .finally(() => {
        this.#sessions.delete(sessionId);
        this.#cleanUp(sessionId, starter);
      });
  }

  /** Resolves when the session's exit record is on disk. */
  async wait(sessionId: string): Promise<SessionExit> {
    return this.#session(sessionId).exit;
  }

  async kill(sessionId: string, reason: string): Promise<SessionExit> {
    const session = this.#session(sessionId);
    session.end({ end: 'killed', message: reason });
    return session.exit;
  }

  /** Ends all sessions and removes what was made for them. */
  async stop(reason: string): Promise<void> {
    this.#stopping = true;
    const ending = [...this.#sessions.values()];
    for (const session of ending) session.end({ end: 'killed', message: reason });
    await Promise.allSettled(ending.map((session) => session.exit));
    while (this.#cleanups.size > 0) await Promise.all(this.#cleanups);
    await this.#starters.dispose();
  }

  #refill(): void {
    if (!this.#stopping) this.#starters.refill();
  }

  #session(sessionId: string): HostedSession {
    const session = this.#sessions.get(sessionId);
    if (session !== undefined) return session;
    throw new AssayError('not_found', `session ${sessionId} is not running`, { hint: 'retry the task' });
  }

  #tick(): void {
    for (const [sessionId, session] of this.#sessions) {
      try {
        session.tick();
      } catch (error) {
        // A session whose bounds cannot be watched must not go on.
        this.#log(sessionId, errorText(error));
        session.end({ end: 'killed', message: `its limits could not be watched: ${errorText(error)}` });
      }
    }
    if (this.#sessions.size === 0) {
      clearInterval(this.#ticker);
      this.#ticker = undefined;
    }
  }

  #cleanUp(sessionId: string, starter: Starter): void {
    const work = this.#remove(sessionId, starter).finally(() => this.#cleanups.delete(work));
    this.#cleanups.add(work);
  }

  async #remove(sessionId: string, starter: Starter): Promise<void> {
    try {
      const left = await discard(starter);
      if (left.length > 0) this.#log(sessionId, `left behind: ${left.join(', ')}`);
    } catch (error) {
      this.#log(sessionId, errorText(error));
    }
  }

  #log(sessionId: string, message: string): void {
    this.#options.logger.log('warn', message, { session: sessionId });
  }
}
