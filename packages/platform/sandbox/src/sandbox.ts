import type { Attestation, EventScope } from '@assay/contracts';
import type { EgressPolicy, EgressSummary } from '@assay/egress-proxy';
import type { PythonInterpreter } from './python/python-interpreter.ts';

/** How CPU, memory and process limits are enforced, best first. */
export type LimitKind = Attestation['limits'];

/** A place where code that nobody has read runs. Every backend passes the same acceptance suite. */
export interface Sandbox {
  readonly id: Attestation['backend'];
  /** What this machine can enforce, tried for real. Never throws for a missing backend: it says why and what to do. */
  capabilities(): Promise<SandboxCapabilities>;
  /**
   * Checks the specification and fixes the boundary. Rejects with `sandbox_refused` (a mount or setting that is not
   * allowed) or `sandbox_unavailable` (the backend does not work here). Nothing runs yet.
   */
  create(spec: SandboxSpec): Promise<Instance>;
}

export interface SandboxCapabilities {
  readonly usable: boolean;
  /** Version of the backend's program, or null when it is missing. */
  readonly version: string | null;
  readonly limits: LimitKind;
  readonly seccomp: boolean;
  /** For an unusable backend: the cause in words, and what to do about it. */
  readonly why?: string;
  readonly hint?: string;
}

export interface Mount {
  /** Absolute path on this machine. */
  readonly source: string;
  /** Absolute path inside. */
  readonly target: string;
  readonly mode: 'ro' | 'rw';
  /** Hash of the whole content, where the caller has computed it: it goes into the attestation. Read-only mounts only. */
  readonly contentSha256?: string;
}

export interface SandboxSpec {
  readonly mounts: readonly Mount[];
  /** Existing paths inside mounts that appear empty: a file as an empty file, a folder as an empty folder. */
  readonly masks?: readonly string[];
  /**
   * `none` and `loopback` give a network of the session's own that has only `lo`; nothing outside can be reached. A policy
   * adds one way out: a proxy on 127.0.0.1, which the usual variables name (HTTPS_PROXY …), for the hosts that it lists.
   * It needs an interpreter, which runs the bridge inside.
   */
  readonly network: 'none' | 'loopback' | 'full' | EgressPolicy;
  /** CPU seconds per second, such as 2 or 0.5. Limits hold for each session. */
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly pids: number;
  readonly env: Readonly<Record<string, string>>;
  /** False lets a command write new top folders; they are gone after it and count as memory. */
  readonly readOnlyRoot: boolean;
  readonly timeoutSeconds: number;
  /** Bound of all kept output of a session; the session is ended there. */
  readonly outputLimitBytes: number;
  /** Bound of /tmp, of /dev/shm, of each file, and of what all writable mounts hold together. */
  readonly diskBytes: number;
  readonly interpreter?: PythonInterpreter;
  /** Real paths of mount sources must be inside one of these. */
  readonly allowedRoots: readonly string[];
  /** As `allowedRoots`, for read-only mounts only. */
  readonly dataRoots: readonly string[];
}

/** A fixed boundary in which commands are started. Disposal ends every session that it still runs. */
export interface Instance extends AsyncDisposable {
  readonly attestation: Attestation;
  /**
   * Starts a command. Resolves as soon as the session host has taken it; a command that could not be started ends as
   * `setup_failed`. Rejects with `conflict` when the session folder was used before.
   */
  exec(command: SandboxCommand, options?: ExecOptions): Promise<Session>;
}

export interface SandboxCommand {
  readonly argv: readonly string[];
  /** Absolute path inside. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: 'none';
  /** stdout in `output.log` and stderr in `stderr.log`; otherwise both are one file in the order of the writes. */
  readonly separateStreams?: boolean;
  /** Absolute path of the session's folder on this machine; made when missing, and never shared. */
  readonly sessionDir: string;
  readonly sessionId: string;
  readonly scope?: EventScope;
  /** What people see, such as `harness: run the adapter`. */
  readonly name: string;
}

export interface ExecOptions {
  /** Aborting ends the session as `killed`. */
  readonly signal?: AbortSignal;
  /** Shorter than the specification's; never longer. */
  readonly timeoutSeconds?: number;
}

export type OutputStream = 'output' | 'stderr';

/** One started command. It outlives the process that started it. */
export interface Session {
  readonly id: string;
  readonly dir: string;
  /** How it ended, once the record of that is on disk. Aborting stops the waiting, not the session. */
  wait(signal?: AbortSignal): Promise<SessionExit>;
  /** TERM, three seconds, KILL. Resolves when the session has ended; a session that has ended is left as it is. */
  kill(reason: string): Promise<void>;
  /** Bytes of the output from `offset`, at most `length`; fewer at the end of what there is. */
  read(offset: number, length: number, stream?: OutputStream): Promise<Buffer>;
  /** Output from `offset` (default 0) as it grows; ends when the session has ended and everything was delivered. */
  follow(options?: { readonly offset?: number; readonly signal?: AbortSignal }): AsyncIterable<Buffer>;
}

export const sessionEnds = [
  /** The command ran and returned `exitCode`. */
  'exited',
  /** The command died of `signal`. */
  'signaled',
  /** Ended by us at `timeoutSeconds`. */
  'timed_out',
  /** A process inside was killed for memory, whatever the exit code says. */
  'out_of_memory',
  /** Ended by us: output or disk bound reached. */
  'output_limit',
  /** Ended by us on request. */
  'killed',
  /** The command never started; nothing of it ran. */
  'setup_failed',
  /** The session host died, and the session with it. */
  'lost',
] as const;
export type SessionEnd = (typeof sessionEnds)[number];

export interface SessionExit {
  readonly end: SessionEnd;
  /**
   * Of the command itself; null unless it returned one. Codes from 129 on that stand for a signal in a shell are reported
   * as that signal: what the command was ended by and what it returned cannot be told apart from outside.
   */
  readonly exitCode: number | null;
  /** Such as `SIGSEGV`; null unless a signal ended it. */
  readonly signal: string | null;
  /** Wall time from start to end. */
  readonly seconds: number;
  /** Kept bytes of all streams. */
  readonly outputBytes: number;
  /** User and system time of everything inside, where the limits can tell. */
  readonly cpuSeconds?: number;
  /** Peak memory of everything inside, where the limits can tell. */
  readonly maxRssBytes?: number;
  /** What was asked for on the network and what came of it; only where a policy allowed hosts. */
  readonly network?: EgressSummary;
  /** For every end that is not `exited`: what happened, in words. */
  readonly message?: string;
}
