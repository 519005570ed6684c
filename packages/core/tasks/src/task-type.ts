import type { PythonEnvironments, SecretGrant } from '@assay/python-environments';
import type { Artifact, ArtifactType, Attestation, Evidence, Plan, Task } from '@assay/contracts';
import type { Clock } from '@assay/foundation';
import type { ArtifactStore, QuestPaths } from '@assay/quest-repo';
import type { Credential } from '@assay/repositories';
import type { PythonInterpreter, Sandbox } from '@assay/sandbox';
import type { FinishedSession, SessionRequest } from './task-sessions.ts';

/** A result that a task hands on: a small JSON value, or a file of its own attempt directory. */
export type TaskOutput = {
  readonly type: ArtifactType;
  readonly mediaType?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly evidence?: readonly string[];
} & ({ readonly value: unknown; readonly file?: never } | { readonly file: string; readonly value?: never });

export interface TaskOutcome {
  /** One entry for every declared output artifact. */
  readonly outputs: Readonly<Record<string, TaskOutput>>;
  readonly evidence?: readonly Evidence[];
  /** One line for people: what came out. */
  readonly summary: string;
}

/** What a running task may use. It sees its inputs and its own attempt directory, nothing of other tasks. */
export interface TaskContext {
  readonly plan: Plan;
  readonly task: Task;
  readonly attempt: number;
  readonly attemptDir: string;
  readonly paths: QuestPaths;
  readonly artifacts: ArtifactStore;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly settings: TaskSettings;
  /** The interpreter of the machine, looked for once. */
  readonly python: () => Promise<PythonInterpreter>;
  /** All interpreters of the machine, looked for once. */
  readonly pythons: () => Promise<readonly PythonInterpreter[]>;
  /** Environments of packages, shared by the plans of a home. `session` is a runner for their steps. */
  readonly environments: PythonEnvironments;
  /** The value of a named secret for one host. Rejects with `secret_missing` and `secret_refused`. */
  readonly secret: (name: string, host: string) => Promise<Credential>;
  /** What is kept for indexes of packages. */
  readonly packageSecrets: () => Promise<readonly SecretGrant[]>;
  /** The artifact of a required key. */
  readonly input: (key: string) => Promise<Artifact>;
  readonly log: (level: 'info' | 'warn' | 'error', message: string) => void;
  /**
   * Does `work` once per attempt: its JSON result is recorded, so that a task that is bound again after a restart goes
   * on from there instead of changing files under a session that still runs.
   */
  readonly once: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Runs a command in the sandbox, or binds to it again when this attempt already started it. */
  readonly session: (name: string, request: () => Promise<SessionRequest>) => Promise<FinishedSession>;
}

export interface TaskSettings {
  /** Folders that data files may be read from; mounts outside are refused. */
  readonly dataRoots: readonly string[];
  readonly workspaceRoots: readonly string[];
  /** Data sets up to this size are kept by hash inside the quest. */
  readonly keepDataBytes: number;
  readonly cacheDir: string;
  readonly repositories: { readonly timeoutSeconds: number; readonly cacheBytes: number };
  /** The home, for commands that people copy; null for the one that commands find by themselves. */
  readonly namedHome: string | null;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly pids: number;
  readonly diskBytes: number;
}

/** One kind of plan task: deterministic code behind the contract that its name promises. */
export interface TaskType {
  readonly type: string;
  /** Raised when the same inputs may give another result. */
  readonly codeVersion: number;
  run(context: TaskContext): Promise<TaskOutcome>;
}

export type { Attestation };
