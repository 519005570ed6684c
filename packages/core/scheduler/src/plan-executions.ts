import { deferred, errorText, type AssayError } from '@assay/foundation';
import type { AssayEvent, EventDraft, Plan, Task } from '@assay/contracts';
import { findTask, holdsLease, planOf, runningTasks, type PlanState } from '@assay/plan-graph';
import type { ActorOptions } from './actor-options.ts';
import { Execution, PUBLISH_GRACE_MS, STOP_GRACE_MS, stopReason } from './execution.ts';
import type { ResourceLease } from './resource-pool.ts';
import type { DaemonStopping, TaskResult } from './task-executor.ts';

export interface ExecutionsOwner {
  readonly planId: string;
  /** The newest state of the plan. */
  readonly state: () => PlanState;
  readonly stream: (draft: EventDraft) => void;
  readonly report: (execution: Execution, result: TaskResult) => void;
  /** Asks the rules again soon: something that was waited for is there. */
  readonly wake: () => void;
}

/** What runs of one plan, what it occupies of the machine, and which tasks wait for either. */
export class PlanExecutions {
  readonly #options: ActorOptions;
  readonly #owner: ExecutionsOwner;
  readonly #unsettled = new Set<Execution>();
  /** What ends executions that no executor attends. */
  readonly #stops = new Set<Promise<void>>();
  /** Resources of executions that are about to be recorded. */
  readonly #admitted = new Map<string, ResourceLease>();
  #waiting = new Set<string>();
  /** Commands that publications wait for. */
  readonly #holds = new Set<Promise<void>>();

  constructor(options: ActorOptions, owner: ExecutionsOwner) {
    this.#options = options;
    this.#owner = owner;
  }

  /** Why ready tasks have not been started, by task id. */
  get waiting(): Readonly<Record<string, string>> {
    const { slots } = this.#options;
    const why = (taskId: string) => slots.whyWaiting(this.#key(taskId)) ?? 'an earlier run is still being stopped';
    return Object.fromEntries([...this.#waiting].map((taskId) => [taskId, why(taskId)]));
  }

  /** Runs a step that may admit tasks; who waited before and does not any more gives up its place. */
  async admitting(step: () => Promise<void>): Promise<void> {
    const before = this.#waiting;
    this.#waiting = new Set();
    try {
      await step();
    } finally {
      for (const taskId of before) if (!this.#waiting.has(taskId)) this.#options.slots.withdraw(this.#key(taskId));
    }
  }

  /**
   * Takes what a task needs and names its execution; undefined when it must wait. Executions that are still stopping
   * count: no task runs twice at once, and a serial one runs beside nothing.
   */
  admit(task: Task): string | undefined {
    const unsettled = [...this.#unsettled];
    const { limits, needOf, newId, slots } = this.#options;
    const mustWait =
      unsettled.length + this.#admitted.size >= limits.maxConcurrentPerPlan ||
      unsettled.some(({ taskId }) => !task.parallelizable || taskId === task.id);
    const resources = mustWait ? undefined : slots.tryLease(this.#key(task.id), needOf(task), this.#owner.wake);
    if (resources === undefined) {
      this.#waiting.add(task.id);
      return undefined;
    }
    const executionId = newId('exec');
    this.#admitted.set(executionId, resources);
    return executionId;
  }

  /** What was admitted has not been recorded: it gives everything back. */
  dismissAdmitted(): void {
    for (const resources of this.#admitted.values()) resources[Symbol.dispose]();
    this.#admitted.clear();
  }

  /** Nothing waits for the machine any more. */
  stopWaiting(): void {
    for (const taskId of this.#waiting) this.#options.slots.withdraw(this.#key(taskId));
    this.#waiting.clear();
  }

  /** Stops what has lost its lease and starts what the events have given one. */
  perform(before: PlanState, events: readonly AssayEvent[]): void {
    const state = this.#owner.state();
    for (const execution of this.#unsettled)
      if (!holdsLease(findTask(state, execution.taskId)!, execution.lease))
        execution.abort(stopReason(state, execution.taskId));
    if (before.head.interrupted)
      for (const task of runningTasks(before))
        if (findTask(state, task.id)!.executionId !== task.executionId) this.#end(planOf(before), task);
    for (const event of events)
      if (event.type === 'plan.task_started' || event.type === 'plan.task_rebound') this.#start(event);
  }

  /** Ends what a daemon that died may have left of executions that it had given up, but had not yet stopped. */
  endLeftovers(): void {
    const plan = planOf(this.#owner.state());
    if (plan.status === 'completed') return;
    for (const task of plan.tasks)
      if (task.attempt > 0 && task.status !== 'completed' && task.status !== 'in_progress') this.#end(plan, task);
  }

  abortAll(reason: AssayError | DaemonStopping): void {
    for (const execution of this.#unsettled) execution.abort(reason);
  }

  /** Resolves when nothing that was told to stop is left or waited for; at most `STOP_GRACE_MS`. */
  async quiet(): Promise<void> {
    const stopping = [...this.#unsettled].filter(({ isStopping }) => isStopping);
    await Promise.all([...stopping.map(({ ended }) => ended), ...this.#stops]);
  }

  /**
   * Runs a command that could end executions when what is being published has been reported, after `PUBLISH_GRACE_MS` at
   * most. No publication begins before the command is recorded.
   */
  async betweenPublications<T>(command: () => Promise<T>): Promise<T> {
    const hold = deferred();
    this.#holds.add(hold.promise);
    try {
      await this.#published();
      return await command();
    } finally {
      this.#holds.delete(hold.promise);
      hold.resolve();
    }
  }

  async #published(): Promise<void> {
    const publishing = [...this.#unsettled].filter(({ isPublishing }) => isPublishing).map(({ ended }) => ended);
    if (publishing.length === 0) return;
    const timeUp = new AbortController();
    const grace = this.#options.clock.sleep(PUBLISH_GRACE_MS, timeUp.signal).catch(() => undefined);
    await Promise.race([Promise.all(publishing), grace]);
    timeUp.abort(new Error('published'));
  }

  async #mayPublish(): Promise<void> {
    while (this.#holds.size > 0) await Promise.all(this.#holds);
  }

  #start({ scope, type, data }: AssayEvent & { type: 'plan.task_started' | 'plan.task_rebound' }): void {
    const { executor, clock, logger, needOf, slots } = this.#options;
    const { state, stream, report } = this.#owner;
    const task = findTask(state(), scope.task!)!;
    const rebound = type === 'plan.task_rebound';
    const resources = rebound ? slots.occupy(needOf(task)) : this.#admitted.get(data.executionId);
    this.#admitted.delete(data.executionId);
    if (!holdsLease(task, data)) {
      resources?.[Symbol.dispose]();
      return;
    }
    const ended = (execution: Execution) => this.#ended(execution);
    const mayPublish = () => this.#mayPublish();
    const host = { executor, clock, logger, state, stream, report, mayPublish, ended };
    const execution = new Execution(task, host, { rebound, resources });
    this.#unsettled.add(execution);
    execution.start();
  }

  #ended(execution: Execution): void {
    this.#unsettled.delete(execution);
    if (execution.isStopping) this.#owner.wake();
  }

  /** Ends an execution that no executor attends; waited for no longer than `STOP_GRACE_MS`. */
  #end(plan: Plan, task: Task): void {
    const { executor, clock, logger } = this.#options;
    const timeUp = new AbortController();
    const stop = Promise.race([executor.stop({ plan, task }), clock.sleep(STOP_GRACE_MS, timeUp.signal)])
      .catch((error: unknown) =>
        logger.log('warn', 'an execution could not be ended', { taskId: task.id, error: errorText(error) }),
      )
      .finally(() => {
        timeUp.abort(new Error('ended'));
        this.#stops.delete(stop);
      });
    this.#stops.add(stop);
  }

  #key(taskId: string): string {
    return `${this.#owner.planId}/${taskId}`;
  }
}
