import { AssayError, errorText, Mutex } from '@assay/foundation';
import { usualHint, type AssayEvent, type EventDraft, type Failure, type Plan } from '@assay/contracts';
import {
  advance,
  commandDraft,
  interruptDrafts,
  isRecorded,
  nextDeadline,
  planOf,
  resumeDrafts,
  runningTasks,
  settle,
  type PlanState,
} from '@assay/plan-graph';
import type { ActorOptions } from './actor-options.ts';
import { DeadlineTimer } from './deadline-timer.ts';
import { failureOf, type Execution } from './execution.ts';
import { isJournalFailure } from './journal-failure.ts';
import type { PlanBook } from './plan-book.ts';
import { PlanExecutions } from './plan-executions.ts';
import { DaemonStopping, type TaskResult } from './task-executor.ts';

/** Hears why the driver of a plan has stopped. */
export type ProblemListener = (problem: AssayError) => void;

/** A plan and what only its driver knows. */
export interface PlanView {
  readonly plan: Plan;
  /** Why the driver has stopped: the journal cannot be written. Null while all is well. */
  readonly problem: Failure | null;
  /** Why ready tasks have not been started, by task id. */
  readonly waiting: Readonly<Record<string, string>>;
}

/**
 * Drives one plan: asks the rules, records what they say, then does it. One decision at a time; nothing is done before
 * its record is on disk.
 *
 * *driving*: commands, results, deadlines and freed resources each lead to one step. *halted*: an append failed, all
 * executions were stopped and nothing was pretended; the next command reads the plan anew and goes on as after a
 * restart. *closing*: the daemon stops; sessions are let go, results that still arrive are recorded, nothing starts.
 */
export class PlanActor {
  readonly planId: string;
  readonly #options: ActorOptions;
  readonly #openBook: () => Promise<PlanBook>;
  readonly #mutex = new Mutex();
  readonly #timer: DeadlineTimer;
  readonly #executions: PlanExecutions;
  readonly #problemListeners = new Set<ProblemListener>();
  #book: PlanBook;
  #problem: AssayError | null = null;
  #closing = false;
  #closed = false;
  #wakePlanned = false;

  constructor(planId: string, book: PlanBook, options: ActorOptions & { readonly openBook: () => Promise<PlanBook> }) {
    this.planId = planId;
    this.#book = book;
    this.#options = options;
    this.#openBook = options.openBook;
    this.#timer = new DeadlineTimer(options.clock, () => this.#wake());
    this.#executions = new PlanExecutions(options, {
      planId,
      state: () => this.state,
      stream: (draft) => this.#stream(draft),
      report: (execution, result) => this.#report(execution, result),
      wake: () => this.#wake(),
    });
  }

  get state(): PlanState {
    return this.#book.plans.get(this.planId)!.state;
  }

  get problem(): Failure | null {
    return this.#problem === null ? null : failureOf(this.#problem);
  }

  get waiting(): Readonly<Record<string, string>> {
    return this.#executions.waiting;
  }

  get view(): PlanView {
    return { plan: planOf(this.state), problem: this.problem, waiting: this.waiting };
  }

  /** Calls the listener whenever the driver stops, and at once when it has stopped already. */
  onProblem(listener: ProblemListener): Disposable {
    const own: ProblemListener = (problem) => listener(problem);
    this.#problemListeners.add(own);
    if (this.#problem !== null) own(this.#problem);
    return { [Symbol.dispose]: () => void this.#problemListeners.delete(own) };
  }

  /** Records what a person asks for and everything that follows from it. Rejects when the plan's state does not allow it. */
  command(draftsOf: (state: PlanState) => readonly EventDraft[]): Promise<Plan> {
    return this.#mutex.run(async () => {
      await this.#makeReady();
      await this.#step(draftsOf(this.state));
      return planOf(this.state);
    });
  }

  /** A command that may end executions: what they are publishing is recorded first. */
  commandThatEnds(draftsOf: (state: PlanState) => readonly EventDraft[]): Promise<Plan> {
    return this.#executions.betweenPublications(() => this.command(draftsOf));
  }

  resume(by: string, reason: string): Promise<Plan> {
    return this.#mutex.run(async () => {
      await this.#makeReady();
      await this.quiet();
      const bound = await this.#boundExecutions();
      await this.#step(resumeDrafts(this.state, { by, reason, bound, now: this.#options.clock.now() }));
      return planOf(this.state);
    });
  }

  /** After a restart: a plan that was in progress is interrupted, or halted when that cannot be recorded. True when it waits to be resumed. */
  recover(): Promise<boolean> {
    return this.#mutex.run(async () => {
      try {
        if (this.state.head.status === 'in_progress') await this.#interrupt('the daemon was restarted');
        this.#executions.endLeftovers();
      } catch (error) {
        this.#halt(error);
      }
      return this.state.head.interrupted;
    });
  }

  /** Resolves when no execution of the past is left running or waited for; at most `STOP_GRACE_MS`. */
  quiet(): Promise<void> {
    return this.#executions.quiet();
  }

  /** The daemon stops: lets all sessions go, records nothing of it. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#timer.stop();
    this.#executions.abortAll(new DaemonStopping());
    this.#executions.stopWaiting();
    await this.quiet();
    await this.#mutex.run(async () => {
      this.#closed = true;
    });
  }

  async #makeReady(): Promise<void> {
    if (this.#closing)
      throw new AssayError('plan_not_runnable', 'the daemon is stopping', { hint: 'start it again, then repeat this' });
    if (this.#problem !== null) await this.#heal();
  }

  /** Reads the plan anew and goes on as after a restart. Rejects while the journal cannot be written. */
  async #heal(): Promise<void> {
    await this.quiet();
    this.#book = await this.#openBook();
    if (this.#book.plans.get(this.planId) === undefined) throw this.#problem!;
    if (this.state.head.status === 'in_progress')
      await this.#interrupt(`the journal could not be written: ${errorText(this.#problem)}`);
    this.#problem = null;
  }

  async #interrupt(reason: string): Promise<void> {
    const bound = await this.#boundExecutions();
    const activeUntil = Date.parse(this.#book.plans.get(this.planId)!.lastAt);
    await this.#book.journal.append(interruptDrafts(this.state, { reason, activeUntil, bound }));
  }

  /** Executions in progress that can be taken up again. */
  async #boundExecutions(): Promise<ReadonlySet<string>> {
    const plan = planOf(this.state);
    const tasks = runningTasks(this.state);
    const can = await Promise.all(tasks.map((task) => this.#options.executor.canRebind({ plan, task })));
    return new Set(tasks.filter((_, at) => can[at]).map(({ executionId }) => executionId!));
  }

  /** Appends the drafts and what the rules make of them, then does what was recorded, until the rules are satisfied. */
  async #step(first: readonly EventDraft[]): Promise<void> {
    await this.#executions.admitting(async () => {
      let drafts = first;
      for (let more = true; more; drafts = []) {
        const before = this.state;
        const next = advance(before, drafts, {
          now: this.#options.clock.now(),
          slots: this.#closing ? 0 : this.#options.limits.maxConcurrentPerPlan,
          admit: (task) => this.#executions.admit(task),
        });
        const events = next.drafts.length === 0 ? [] : await this.#append(next.drafts);
        this.#executions.perform(before, events);
        more = next.more;
      }
    });
    if (!this.#closing) this.#timer.arm(nextDeadline(this.state));
  }

  async #append(drafts: readonly EventDraft[]): Promise<readonly AssayEvent[]> {
    try {
      return await this.#book.journal.append(drafts);
    } catch (error) {
      this.#executions.dismissAdmitted();
      if (isJournalFailure(error)) this.#halt(error);
      throw error;
    }
  }

  #report(execution: Execution, result: TaskResult): void {
    void this.#mutex.run(async () => {
      if (this.#problem !== null || this.#closed || (this.#closing && !result.ok)) return;
      try {
        await this.#step(this.#resultDrafts(execution, result));
      } catch (error) {
        if (this.#problem !== null) return;
        // Nothing was written: what the executor wanted to record is refused, so its task has failed.
        const failed = { ok: false, error: failureOf(error) } as const;
        await this.#stepOrHalt(() => this.#resultDrafts(execution, failed));
      }
    });
  }

  #resultDrafts({ taskId, lease }: Execution, result: TaskResult): EventDraft[] {
    const commands = settle(this.state, { taskId, lease, outcome: result }).filter(isRecorded);
    const own = commands.map((command) => commandDraft(this.state, command));
    if (commands[0]?.do === 'discard_result') return own;
    const scope = { plan: this.planId, task: taskId };
    const trace = this.state.head.traceId;
    return [
      ...(result.drafts ?? []).map((draft) => ({ trace, span: taskId, ...draft, scope: { ...scope, ...draft.scope } })),
      ...own,
    ];
  }

  /** Asks the rules again soon. */
  #wake(): void {
    if (this.#wakePlanned || this.#closing) return;
    this.#wakePlanned = true;
    void this.#mutex.run(async () => {
      this.#wakePlanned = false;
      if (this.#problem === null && !this.#closing) await this.#stepOrHalt(() => []);
    });
  }

  async #stepOrHalt(draftsOf: () => readonly EventDraft[]): Promise<void> {
    try {
      await this.#step(draftsOf());
    } catch (error) {
      if (this.#problem === null) this.#halt(error);
    }
  }

  #halt(error: unknown): void {
    const problem =
      error instanceof AssayError
        ? error
        : new AssayError('internal', errorText(error), { hint: usualHint('internal'), cause: error });
    this.#problem = problem;
    this.#timer.stop();
    this.#options.logger.log('error', 'a plan has stopped', { planId: this.planId, error: errorText(error) });
    this.#executions.abortAll(problem);
    this.#executions.stopWaiting();
    for (const listener of this.#problemListeners) this.#tell(listener, problem);
  }

  /** A listener that throws must not keep the plan from stopping. */
  #tell(listener: ProblemListener, problem: AssayError): void {
    try {
      listener(problem);
    } catch (error) {
      this.#options.logger.log('error', 'a listener failed', { planId: this.planId, error: errorText(error) });
    }
  }

  #stream(draft: EventDraft): void {
    if (this.#problem !== null) return;
    this.#book.journal.append([draft], { durability: 'streamed' }).catch((error: unknown) => {
      this.#options.logger.log('warn', 'a log line was lost', { planId: this.planId, error: errorText(error) });
    });
  }
}
