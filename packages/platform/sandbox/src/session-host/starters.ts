import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { LimitGroup, Limiter } from '../limits/limiter.ts';

/** Descriptors that a sandbox is started with, besides 0 to 2. */
export const descriptors = { status: 3, options: 4, seccomp: 5 } as const;

/** A shell inside a group of its own that waits for the script in which it becomes a sandbox. */
export interface Starter {
  readonly process: ChildProcess;
  readonly group: LimitGroup;
  readonly script: Writable;
  readonly options: Writable;
  readonly status: Readable;
}

/**
 * Keeps one starter ready. Moving a process into a control group waits for a grace period of the kernel, about 10 ms;
 * being started by one that is inside costs nothing. A waiting shell ends by itself when the host is gone.
 */
export class Starters {
  readonly #limiter: Limiter;
  readonly #seccompFile: string | undefined;
  #made = 0;
  #next: Promise<Starter> | undefined;

  constructor(limiter: Limiter, seccompFile: string | undefined) {
    this.#limiter = limiter;
    this.#seccompFile = seccompFile;
  }

  /** A starter for one session. Rejects when no group can be made or joined. */
  async take(): Promise<Starter> {
    const ready = this.#next;
    this.#next = undefined;
    const starter = await (ready ?? this.#make());
    if (starter.process.exitCode === null && starter.process.signalCode === null) return starter;
    await starter.group.remove();
    return this.#make();
  }

  /** Makes the next one, unless one is there: called when a session has been started, not before. */
  refill(): void {
    if (this.#next !== undefined) return;
    this.#next = this.#make();
    this.#next.catch(() => undefined); // Told to the one who takes it.
  }

  /** Ends the starter that waits. */
  async dispose(): Promise<void> {
    const next = this.#next;
    this.#next = undefined;
    const starter = await next?.catch(() => undefined);
    if (starter !== undefined) await discard(starter);
  }

  async #make(): Promise<Starter> {
    const group = this.#limiter.create(`${process.pid}-${(this.#made += 1)}`);
    try {
      const starter = spawnShell(group, this.#seccompFile);
      await once(starter.process, 'spawn');
      await group.join(starter.process.pid!);
      return starter;
    } catch (error) {
      await group.remove();
      throw error;
    }
  }
}

/** Ends a starter, whatever it became, and its group. Returns what could not be removed. */
export async function discard(starter: Starter): Promise<readonly string[]> {
  starter.process.kill('SIGKILL');
  return starter.group.remove();
}

function spawnShell(group: LimitGroup, seccompFile: string | undefined): Starter {
  const seccomp = seccompFile === undefined ? 'ignore' : openSync(seccompFile, constants.O_RDONLY);
  try {
    const child = spawn('/bin/sh', [], {
      stdio: ['pipe', 'ignore', 'ignore', 'pipe', 'pipe', seccomp],
      // Process 1 of the sandbox shows its environment to everybody inside.
      env: {},
      cwd: '/',
    });
    const [script, , , status, options] = child.stdio as readonly unknown[];
    // One that dies before it has read everything is seen by its exit.
    for (const pipe of [script, options] as readonly Writable[]) pipe.on('error', () => undefined);
    child.on('error', () => undefined); // `once(…, 'spawn')` rejects with it.
    return {
      process: child,
      group,
      script: script as Writable,
      options: options as Writable,
      status: status as Readable,
    };
  } finally {
    if (typeof seccomp === 'number') closeSync(seccomp);
  }
}
