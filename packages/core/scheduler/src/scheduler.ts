import { AssayError, Mutex, newId, silentLogger } from '@assay/foundation';
import type { AgentRole, Budget, Plan } from '@assay/contracts';
import {
  approveDrafts,
  cancelDrafts,
  clarifyDrafts,
  CORE_MAX_TASKS,
  executeDrafts,
  explainPlan,
  explainTask,
  findTask,
  planOf,
  reassignDrafts,
  retryDrafts,
  validatePlan,
  type Clarification,
} from '@assay/plan-graph';
import type { ActorOptions, SchedulerOptions } from './actor-options.ts';
import { PlanActor, type PlanView, type ProblemListener } from './plan-actor.ts';
import { PlanBook } from './plan-book.ts';
import type { PlanJournal } from './plan-journal.ts';
import type { ResourceNeed } from './resource-pool.ts';

/**
 * Runs plans. Every method that changes a plan resolves with it once the change is on disk, and rejects with an
 * AssayError when the plan's state does not allow it (`plan_not_runnable`, `needs_approval`, `needs_clarification`,
 * `conflict`, `invalid_request`, `invalid_plan`, `not_found`) or the journal cannot be written.
 */
export interface Scheduler extends AsyncDisposable {
  /** Records a new plan; it does not start. Rejects with `invalid_plan` or `conflict`. */
  add(plan: Plan): Promise<Plan>;
  execute(planId: string, by: string): Promise<Plan>;
  /** Goes on with an interrupted plan, or with one whose journal had failed. */
  resume(planId: string, by: string, reason?: string): Promise<Plan>;
  approve(planId: string, by: string, budget?: Budget): Promise<Plan>;
  /** Answers the open question of a plan. `inputs` replaces its inputs; by default the answer is set in them. */
  clarify(planId: string, to: Clarification): Promise<Plan>;
  /** Resolves when the executors have stopped, at most 5 s after the record. */
  cancel(planId: string, reason: string, by: string): Promise<Plan>;
  /** A plan that has ended is pending afterwards: `execute` starts it. */
  retryTask(planId: string, taskId: string, by: string): Promise<Plan>;
  reassignTask(
    planId: string,
    taskId: string,
    to: { readonly assignedTo: AgentRole; readonly by: string },
  ): Promise<Plan>;
  /** The plan as its journal has it. Throws `not_found`. */
  plan(planId: string): Plan;
  /** The plan with what only its driver knows. Throws `not_found`. */
  view(planId: string): PlanView;
  /**
   * Calls `listener` whenever the driver of the plan stops because its journal cannot be written, and at once when it
   * has stopped already, until the returned value is disposed. Throws `not_found`.
   */
  onProblem(planId: string, listener: ProblemListener): Disposable;
  /** The state of a plan, or of one of its tasks, in one sentence. Throws `not_found`. */
  explain(planId: string, taskId?: string): { readonly state: string; readonly sentence: string };
  /** Every plan of the quests that were recovered or added to, oldest first. */
  list(): Plan[];
  /** Takes up the plans of a quest after a start. Returns the ids of those that wait to be resumed. */
  recover(questId: string): Promise<string[]>;
  /** The daemon stops: no task fails, sessions are let go to be taken up later. */
  dispose(): Promise<void>;
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  return new PlanScheduler(options);
}

const ONE_TASK: ResourceNeed = { cpus: 1, memoryMiB: 512 };

class PlanScheduler implements Scheduler {
  readonly #options: ActorOptions;
  readonly #actors = new Map<string, PlanActor>();
  /** One fold per journal, also when it is asked for twice at once. */
  readonly #books = new WeakMap<PlanJournal, Promise<PlanBook>>();
  readonly #adding = new Mutex();

  constructor(options: SchedulerOptions) {
    this.#options = {
      ...options,
      needOf: options.needOf ?? (() => ONE_TASK),
      limits: { maxConcurrentPerPlan: options.limits?.maxConcurrentPerPlan ?? 2 },
      logger: options.logger ?? silentLogger,
      newId: options.newId ?? newId,
    };
  }

  add(plan: Plan): Promise<Plan> {
    return this.#adding.run(async () => {
      checkNew(plan);
      const book = await this.#book(plan.questId);
      if (this.#actors.has(plan.id) || book.plans.has(plan.id))
        throw new AssayError('conflict', `plan ${plan.id} exists already`, {
          hint: 'give the new plan an id of its own',
        });
      await book.journal.append([
        { type: 'plan.created', scope: { plan: plan.id }, trace: plan.traceId, span: plan.id, data: { plan } },
      ]);
      return planOf(this.#adopt(plan.id, plan.questId, book).state);
    });
  }

  async execute(planId: string, by: string): Promise<Plan> {
    return this.#actor(planId).command((state) => executeDrafts(state, by));
  }

  async resume(planId: string, by: string, reason = 'resumed'): Promise<Plan> {
    return this.#actor(planId).resume(by, reason);
  }

  async approve(planId: string, by: string, budget?: Budget): Promise<Plan> {
    return this.#actor(planId).command((state) => approveDrafts(state, by, budget));
  }

  async clarify(planId: string, to: Clarification): Promise<Plan> {
    return this.#actor(planId).command((state) => clarifyDrafts(state, to));
  }

  async cancel(planId: string, reason: string, by: string): Promise<Plan> {
    const actor = this.#actor(planId);
    const plan = await actor.commandThatEnds((state) => cancelDrafts(state, by, reason));
    await actor.quiet();
    return plan;
  }

  async retryTask(planId: string, taskId: string, by: string): Promise<Plan> {
    return this.#actor(planId).command((state) => retryDrafts(state, taskId, by));
  }

  async reassignTask(planId: string, taskId: string, to: { assignedTo: AgentRole; by: string }): Promise<Plan> {
    return this.#actor(planId).commandThatEnds((state) => reassignDrafts(state, taskId, to));
  }

  plan(planId: string): Plan {
    return planOf(this.#actor(planId).state);
  }

  view(planId: string): PlanView {
    return this.#actor(planId).view;
  }

  onProblem(planId: string, listener: ProblemListener): Disposable {
    return this.#actor(planId).onProblem(listener);
  }

  explain(planId: string, taskId?: string): { state: string; sentence: string } {
    const { state, problem, waiting } = this.#actor(planId);
    if (taskId === undefined)
      return { state: problem === null ? state.head.status : 'stopped', sentence: explainPlan(state, { problem }) };
    const sentence = explainTask(state, taskId, { waiting });
    return { state: findTask(state, taskId)!.status, sentence };
  }

  list(): Plan[] {
    return [...this.#actors.values()].map(({ state }) => planOf(state)).sort(byCreation);
  }

  async recover(questId: string): Promise<string[]> {
    const book = await this.#book(questId);
    const found = [...book.plans.keys()].filter((planId) => !this.#actors.has(planId));
    const actors = found.map((planId) => this.#adopt(planId, questId, book));
    const waiting: string[] = [];
    for (const actor of actors) if (await actor.recover()) waiting.push(actor.planId);
    return waiting;
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#actors.values()].map((actor) => actor.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  #adopt(planId: string, questId: string, book: PlanBook): PlanActor {
    const actor = new PlanActor(planId, book, { ...this.#options, openBook: () => this.#book(questId) });
    this.#actors.set(planId, actor);
    return actor;
  }

  #actor(planId: string): PlanActor {
    const actor = this.#actors.get(planId);
    if (actor !== undefined) return actor;
    throw new AssayError('not_found', `there is no plan ${planId}`, { hint: '`assay plan list` shows what there is' });
  }

  async #book(questId: string): Promise<PlanBook> {
    const journal = await this.#options.journals(questId);
    const known = this.#books.get(journal);
    if (known !== undefined) return known;
    const opened = PlanBook.open(journal);
    this.#books.set(journal, opened);
    opened.catch(() => this.#books.delete(journal));
    return opened;
  }
}

function checkNew(plan: Plan): void {
  const problems = validatePlan(plan, { maxTasks: CORE_MAX_TASKS });
  const [first] = problems;
  if (first !== undefined)
    throw new AssayError('invalid_plan', first.message, {
      why: problems.length === 1 ? 'the plan cannot run as it is' : `and ${problems.length - 1} more problems`,
      hint: 'correct the tasks of the plan and create it again',
      details: { problems: problems.slice(0, 20) },
    });
  if (plan.status !== 'pending' && plan.status !== 'awaiting_approval')
    throw new AssayError('invalid_plan', `a new plan cannot be ${plan.status}`, {
      hint: 'create it as pending or awaiting approval',
    });
}

function byCreation(a: Plan, b: Plan): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
