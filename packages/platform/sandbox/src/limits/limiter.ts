import type { LimitKind } from '../sandbox.ts';

export interface Limits {
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly pids: number;
}

/** What a group says of the processes in it. */
export interface LimitSample {
  /** A process was killed for memory, or the bound was passed where nothing kills by itself. */
  readonly outOfMemory: boolean;
  /** Set where the bound on processes is only watched, once it was passed. */
  readonly tooManyProcesses?: boolean;
  readonly cpuSeconds?: number;
  readonly peakBytes?: number;
}

/** How a sandbox must be started inside a group. */
export interface Launch {
  /** Program and arguments that start the sandbox, such as `systemd-run … --`. */
  readonly launcher: readonly string[];
  /** Soft and hard RLIMIT_NPROC, where that is what bounds processes. */
  readonly maxUserProcesses: number | undefined;
}

/** The limits of one session. Whoever starts it joins first, so that everything it starts is inside. */
export interface LimitGroup {
  /** Brings a process in. Slow: the kernel waits for a grace period. Rejects with the file system's error. */
  join(pid: number): Promise<void>;
  /** Sets the limits. Throws the file system's error: a session never runs without its limits. */
  apply(limits: Limits): Launch;
  /** Cheap enough for every 50 ms; `initPid` is process 1 of the session's namespace once it is known. */
  sample(initPid: number | undefined): LimitSample;
  /** Ends what is left and removes what was made. Retries for a while; returns what could not be removed. */
  remove(): Promise<readonly string[]>;
}

/** One rung of the ladder: how limits are enforced on this machine. */
export interface Limiter {
  readonly kind: LimitKind;
  /** Throws the file system's error when the group cannot be made. */
  create(name: string): LimitGroup;
  /** Removes groups that an earlier host of the same home left behind, and ends what lives in them. */
  sweep(): Promise<void>;
}

/** A group that needs no particular start. */
export const PLAIN_LAUNCH: Launch = { launcher: [], maxUserProcesses: undefined };
