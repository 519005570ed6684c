import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deferred } from '@assay/foundation';
import { bootId, processStartTime, thisProcess, type ProcessIdentity } from '@assay/files';
import { childrenOf } from '../limits/process-tree.ts';
import type { LimitSample } from '../limits/limiter.ts';
import { endNamespace } from '../end-process.ts';
import type { SessionExit } from '../sandbox.ts';
import type { SessionExitRecord, SessionMeta } from '../session-records.ts';
import { sessionFiles } from '../session-files.ts';
import { BackendStatus } from './backend-status.ts';
import { complaintIn } from './complaint.ts';
import { DiskWatch } from './disk-watch.ts';
import { launch } from './launch.ts';
import { outcome, type Ending } from './outcome.ts';
import { OutputWatch } from './output-watch.ts';
import type { StartRequest } from './protocol.ts';
import type { SessionNetwork } from './session-network.ts';
import type { Starter } from './starters.ts';
import { writeJsonDurableSync } from './write-durable-sync.ts';

/** What the session gets of its host. */
export interface HostParts {
  readonly socket: string;
  readonly seccomp: boolean;
  readonly network: SessionNetwork | undefined;
}

/** From TERM to KILL: short enough that cancelling, pausing and stopping keep their five seconds. */
const GRACE_MS = 3000;

/**
 * One command from start to exit record. States: running (the backend lives), ending (the host asked it to end: TERM,
 * then KILL), ended (the exit record is on disk). `tick` is called every 50 ms and enforces what is only watched.
 */
export class HostedSession {
  readonly #request: StartRequest;
  readonly #starter: Starter;
  readonly #socket: string;
  readonly #network: SessionNetwork | undefined;
  readonly #status = new BackendStatus();
  readonly #output: OutputWatch;
  readonly #disk: DiskWatch;
  readonly #startedAt = Date.now();
  readonly #startedTick = performance.now();
  readonly #exit = deferred<SessionExit>();
  #ending: Ending | undefined;
  #killAt = Number.POSITIVE_INFINITY;
  #termSent = false;
  #init: ProcessIdentity | undefined;

  /** Throws when the boundary no longer holds or the backend's files cannot be made; nothing runs then. */
  constructor(request: StartRequest, starter: Starter, host: HostParts) {
    this.#request = request;
    this.#starter = starter;
    this.#socket = host.socket;
    this.#network = host.network;
    launch(request, starter, { seccomp: host.seccomp, networkSocket: host.network?.path });
    this.#output = new OutputWatch(request.dir, {
      separateStreams: request.separateStreams,
      limitBytes: request.outputLimitBytes,
    });
    this.#disk = new DiskWatch(request.watched, request.diskBytes);
    this.#writeMeta();
    this.#listen();
  }

  /** Resolves when the exit record is on disk; rejects when it could not be written. */
  get exit(): Promise<SessionExit> {
    return this.#exit.promise;
  }

  /** Begins to end the session; the first reason stands. */
  end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    const gentle = ending.end === 'killed' || ending.end === 'timed_out';
    this.#killAt = performance.now() + (gentle ? GRACE_MS : 0);
    this.#pursueEnd();
  }

  tick(): void {
    if (this.#ending !== undefined) this.#pursueEnd();
    const elapsed = this.#elapsedMs();
    if (this.#output.sample(elapsed)) this.end(this.#outputLimit());
    if (elapsed > this.#request.timeoutSeconds * 1000)
      this.end({ end: 'timed_out', message: `the time limit of ${this.#request.timeoutSeconds} s was reached` });
    this.#enforce(this.#starter.group.sample(this.#status.initPid));
    this.#disk.tick(performance.now(), (reason) => this.end({ end: 'output_limit', message: reason }));
  }

  #outputLimit(): Ending {
    return {
      end: 'output_limit',
      message: `the output passed its limit of ${this.#request.outputLimitBytes} bytes`,
    };
  }

  #enforce(sample: LimitSample): void {
    if (sample.outOfMemory)
      this.end({
        end: 'out_of_memory',
        message: `a process passed the memory limit of ${this.#request.memoryBytes} bytes`,
      });
    if (sample.tooManyProcesses === true)
      this.end({ end: 'killed', message: `more than ${this.#request.pids} processes` });
  }

  #listen(): void {
    const { process: child, status } = this.#starter;
    status.on('data', (chunk: Buffer) => this.#readStatus(chunk));
    status.on('error', () => undefined);
    // `close` comes after the status descriptor was read to its end.
    child.on('close', (_code, signal) => {
      this.#finish(signal).then(
        (exit) => this.#exit.resolve(exit),
        (error: unknown) => this.#exit.reject(error),
      );
    });
  }

  #readStatus(chunk: Buffer): void {
    const known = this.#status.initPid;
    this.#status.push(chunk);
    const pid = this.#status.initPid;
    if (pid === undefined || pid === known) return;
    const startTime = processStartTime(pid);
    if (startTime !== undefined) this.#init = { pid, startTime, bootId: bootId() };
    this.#writeMeta();
  }

  /** TERM goes to the children of the namespace's process 1: that process ignores it, and TERM to the backend is no grace. */
  #pursueEnd(): void {
    if (performance.now() >= this.#killAt) {
      this.#signal(this.#status.initPid, 'SIGKILL');
      this.#signal(this.#starter.process.pid, 'SIGKILL');
      return;
    }
    if (this.#termSent || this.#status.initPid === undefined) return;
    for (const pid of childrenOf(this.#status.initPid)) this.#termSent = this.#signal(pid, 'SIGTERM') || this.#termSent;
  }

  /** Only while the backend lives: its process numbers cannot have been given away. */
  #signal(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): boolean {
    if (pid === undefined || this.#starter.process.exitCode !== null || this.#starter.process.signalCode !== null)
      return false;
    try {
      return process.kill(pid, signal);
    } catch {
      return false; // It ended in between.
    }
  }

  async #finish(backendSignal: NodeJS.Signals | null): Promise<SessionExit> {
    // The backend reports before the last process inside is gone: what writes late must not.
    if (this.#init !== undefined) await endNamespace(this.#init);
    this.#network?.[Symbol.dispose]();
    const sample = this.#starter.group.sample(undefined);
    const { keptBytes, wasCut } = this.#output.finish(this.#elapsedMs());
    if (wasCut) this.#ending ??= this.#outputLimit();
    // Only a backend that executed the bridge can say more than the log: the bridge then tells whether it became the command.
    const notStarted = this.#status.exitCode === undefined ? undefined : this.#network?.notStarted;
    const result = outcome({
      ending: this.#ending,
      outOfMemory: sample.outOfMemory || this.#ending?.end === 'out_of_memory',
      memoryBytes: this.#request.memoryBytes,
      exitCode: notStarted === undefined ? this.#status.exitCode : undefined,
      backendSignal,
      complaint: notStarted ?? complaintIn(this.#request),
    });
    const exit: SessionExit = {
      ...result,
      seconds: this.#elapsedMs() / 1000,
      outputBytes: keptBytes,
      ...(sample.cpuSeconds === undefined ? {} : { cpuSeconds: sample.cpuSeconds }),
      ...(sample.peakBytes === undefined ? {} : { maxRssBytes: sample.peakBytes }),
      ...(this.#network === undefined ? {} : { network: this.#network.summary() }),
    };
    const record: SessionExitRecord = { v: 1, ...exit, endedAt: new Date().toISOString() };
    writeJsonDurableSync(join(this.#request.dir, sessionFiles.exit), record);
    return exit;
  }

  #elapsedMs(): number {
    return performance.now() - this.#startedTick;
  }

  #writeMeta(): void {
    const { request, child } = { request: this.#request, child: this.#starter.process };
    const startTime = child.pid === undefined ? undefined : processStartTime(child.pid);
    const meta: SessionMeta = {
      v: 1,
      id: request.sessionId,
      name: request.name,
      scope: request.scope,
      argv: [...request.argv],
      cwd: request.cwd,
      startedAt: new Date(this.#startedAt).toISOString(),
      timeoutSeconds: request.timeoutSeconds,
      outputLimitBytes: request.outputLimitBytes,
      separateStreams: request.separateStreams,
      attestation: request.attestation,
      boundary: [...request.boundary],
      host: thisProcess(),
      socket: this.#socket,
      ...(startTime === undefined ? {} : { backend: { pid: child.pid!, startTime, bootId: bootId() } }),
      ...(this.#init === undefined ? {} : { init: this.#init }),
    };
    replaceJson(join(request.dir, sessionFiles.meta), meta);
  }
}

/** Old or new content, never a part; not synced, because after a crash of the machine the session is lost anyway. */
function replaceJson(path: string, value: unknown): void {
  const temporary = `${path}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}
