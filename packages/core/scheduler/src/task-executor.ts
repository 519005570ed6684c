import type { EventDraft, Failure, Plan, Task, TaskUsage } from '@assay/contracts';

/** One execution of a task, as the executor sees it. */
export interface TaskExecution {
  /** The plan when it is read; linear in its tasks the first time after a change. */
  readonly plan: Plan;
  /** The task as it was started. */
  readonly task: Task;
  readonly executionId: string;
  readonly epoch: number;
  /** Names the attempt directory. Never used twice for a task. */
  readonly attempt: number;
  /** True when the execution began before a restart and its session is to be taken up again. */
  readonly rebound: boolean;
  /** Artifact id of every artifact that the task requires, by key. */
  readonly inputs: Readonly<Record<string, string>>;
  /**
   * Aborts with an AssayError (`canceled`, `task_timeout`, `budget_exceeded`, or the journal's failure): stop within 5 s
   * and leave nothing running; or with `DaemonStopping`: let go and leave the session running.
   */
  readonly signal: AbortSignal;
  /**
   * Called before files are published: resolves when that may begin. A person's command that could end the execution waits
   * until it has been recorded, so that no file stays behind without its event. Rejects with the signal's reason.
   */
  publishing(): Promise<void>;
  /** Streams a line for people: at most 4 KiB, cut beyond; bursts beyond the rate are left out and counted. */
  log(level: 'info' | 'warn' | 'error', message: string, output?: OutputRange): void;
}

/** A part of a session's output that a log line speaks of. */
export interface OutputRange {
  readonly session: string;
  readonly offset: number;
  readonly length: number;
}

/**
 * What an execution came to. `drafts` are recorded in the same append as the result, before it (`artifact.published`,
 * `evidence.recorded` …); what they speak of must be on disk already.
 */
export type TaskResult =
  | {
      readonly ok: true;
      readonly outputs: Readonly<Record<string, { readonly artifactId: string; readonly type: string }>>;
      readonly drafts: readonly EventDraft[];
      readonly summary: string;
      readonly usage?: TaskUsage;
    }
  | {
      readonly ok: false;
      readonly error: Failure;
      readonly drafts?: readonly EventDraft[];
      readonly usage?: TaskUsage;
    };

/** A task whose execution outlived the daemon that started it. */
export interface BoundTask {
  readonly plan: Plan;
  readonly task: Task;
}

/** Does the work of tasks. One implementation per daemon; it finds the code of a task by its type. */
export interface TaskExecutor {
  /** Settles within 5 s after the signal aborts. A rejection is a failure `internal`, unless it is the signal's reason. */
  execute(execution: TaskExecution): Promise<TaskResult>;
  /** True when the task's session still lives or has left an exit record, so that `execute` can take it up again. */
  canRebind(bound: BoundTask): Promise<boolean>;
  /**
   * Ends what is left of the task's last attempt when no `execute` call attends it: a bound task was canceled or
   * reassigned, or a daemon died before it could stop it. Often there is nothing to end.
   */
  stop(bound: BoundTask): Promise<void>;
}

/** The abort reason when the daemon stops: sessions are left running, to be taken up by the next daemon. */
export class DaemonStopping extends Error {
  override readonly name = 'DaemonStopping';

  constructor() {
    super('the daemon is stopping; the session goes on');
  }
}
