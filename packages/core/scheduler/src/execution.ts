import { AssayError, deferred, errorCode, errorText, type Clock, type Logger } from '@assay/foundation';
import { errorCodes, usualHint, type EventDraft, type Failure, type Plan, type Task } from '@assay/contracts';
import { artifactIdOf, findTask, planOf, type Lease, type PlanState } from '@assay/plan-graph';
import { LogStream } from './log-stream.ts';
import type { ResourceLease } from './resource-pool.ts';
import { DaemonStopping, type TaskExecution, type TaskExecutor, type TaskResult } from './task-executor.ts';

/** An executor that has been told to stop gets this long; then its result is no longer waited for. */
export const STOP_GRACE_MS = 5000;

/** A command that could end an execution waits this long for what it publishes to be recorded. */
export const PUBLISH_GRACE_MS = 10_000;

export interface ExecutionHost {
  readonly executor: TaskExecutor;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The newest state of the plan. */
  readonly state: () => PlanState;
  /** Records a streamed line. */
  readonly stream: (draft: EventDraft) => void;
  /** Called once with what the executor returned; not for an executor that stopped because it was told to. */
  readonly report: (execution: Execution, result: TaskResult) => void;
  /** Resolves when no command is about to be recorded that could end an execution. */
  readonly mayPublish: () => Promise<void>;
  /** Called once when nothing of the execution is waited for any more. */
  readonly ended: (execution: Execution) => void;
}

/**
 * One call of the executor. *running* until it settles; after `abort` it is *stopping*, for `STOP_GRACE_MS` at most;
 * then *ended*. What it occupies of the machine is given back when it ends.
 */
export class Execution {
  readonly taskId: string;
  readonly lease: Lease;
  readonly ended: Promise<void>;
  readonly #task: Task;
  readonly #rebound: boolean;
  readonly #host: ExecutionHost;
  readonly #resources: ResourceLease | undefined;
  readonly #abort = new AbortController();
  readonly #graceOver = new AbortController();
  readonly #end = deferred();
  readonly #log: LogStream;
  #hasEnded = false;
  #isPublishing = false;

  constructor(task: Task, host: ExecutionHost, options: { rebound: boolean; resources: ResourceLease | undefined }) {
    this.#task = task;
    this.taskId = task.id;
    this.lease = { executionId: task.executionId!, epoch: task.executionEpoch, leaseOwner: task.leaseOwner };
    this.#host = host;
    this.#rebound = options.rebound;
    this.#resources = options.resources;
    this.#log = new LogStream(host.clock.now());
    this.ended = this.#end.promise;
  }

  get isStopping(): boolean {
    return this.#abort.signal.aborted;
  }

  get isPublishing(): boolean {
    return this.#isPublishing && !this.#hasEnded;
  }

  start(): void {
    void this.#run();
  }

  /** Tells the executor to stop, and gives it up when it has not after the grace. */
  abort(reason: AssayError | DaemonStopping): void {
    if (this.isStopping || this.#hasEnded) return;
    this.#abort.abort(reason);
    void this.#giveUpLater();
  }

  async #giveUpLater(): Promise<void> {
    const { clock, logger } = this.#host;
    try {
      await clock.sleep(STOP_GRACE_MS, this.#graceOver.signal);
    } catch {
      return;
    }
    logger.log('warn', 'an executor did not stop in time', { taskId: this.taskId, ...this.lease });
    this.#finish();
  }

  async #run(): Promise<void> {
    const { executor, report } = this.#host;
    try {
      const result = await executor.execute(this.#view());
      report(this, result);
    } catch (error) {
      if (this.isStopping) this.#logStop(error);
      else report(this, { ok: false, error: failureOf(error) });
    }
    this.#finish();
  }

  #finish(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#graceOver.abort(new Error('ended'));
    for (const line of this.#log.end(this.lease.executionId)) this.#stream(line);
    this.#resources?.[Symbol.dispose]();
    this.#end.resolve();
    this.#host.ended(this);
  }

  #logStop(error: unknown): void {
    const expected = error === this.#abort.signal.reason;
    this.#host.logger.log(expected ? 'debug' : 'info', 'an execution was stopped', {
      taskId: this.taskId,
      reason: errorText(this.#abort.signal.reason),
      ...(expected ? {} : { error: errorText(error) }),
    });
  }

  #view(): TaskExecution {
    const { state, clock } = this.#host;
    const task = this.#task;
    const current = state();
    const inputs = Object.fromEntries(task.requiredArtifacts.map((key) => [key, artifactIdOf(current, key)!]));
    return {
      get plan(): Plan {
        return planOf(state());
      },
      task,
      executionId: this.lease.executionId,
      epoch: this.lease.epoch,
      attempt: task.attempt,
      rebound: this.#rebound,
      inputs,
      signal: this.#abort.signal,
      publishing: () => this.#beginPublishing(),
      log: (level, message, output) => {
        if (this.#hasEnded) return;
        const line = {
          executionId: this.lease.executionId,
          level,
          message,
          ...(output === undefined ? {} : { output }),
        };
        for (const data of this.#log.take(line, clock.now())) this.#stream(data);
      },
    };
  }

  /** A daemon that only stops lets it go on: what is published is still recorded. */
  async #beginPublishing(): Promise<void> {
    await this.#host.mayPublish();
    const { aborted, reason } = this.#abort.signal;
    if (aborted && !(reason instanceof DaemonStopping)) throw reason;
    this.#isPublishing = true;
  }

  #stream(data: Extract<EventDraft, { readonly type: 'plan.task_log' }>['data']): void {
    const { id, traceId } = this.#host.state().head;
    const scope = { plan: id, task: this.taskId };
    this.#host.stream({ type: 'plan.task_log', scope, trace: traceId, span: this.taskId, data });
  }
}

/** Why a running execution has lost its lease, as the reason that its signal gives. */
export function stopReason(state: PlanState, taskId: string): AssayError {
  const task = findTask(state, taskId);
  const failure = state.head.status === 'canceled' ? state.head.error : (task?.error ?? null);
  if (failure === null)
    return new AssayError('canceled', 'the task was given to another execution', { hint: 'look at its newest run' });
  return new AssayError(failure.code, failure.message, {
    ...(failure.why === undefined ? {} : { why: failure.why }),
    ...(failure.hint === undefined ? {} : { hint: failure.hint }),
  });
}

/** Anything thrown as a failure of the task: an AssayError keeps its code, all else is a fault of ours. */
export function failureOf(error: unknown): Failure {
  const code = errorCode(error);
  if (!(error instanceof AssayError) || code === undefined || !(code in errorCodes))
    return { code: 'internal', message: errorText(error), hint: usualHint('internal') };
  const { why, hint, details } = error;
  return {
    code,
    message: error.message,
    ...(why === undefined ? {} : { why }),
    ...(hint === undefined ? {} : { hint }),
    details: { ...details },
  };
}
