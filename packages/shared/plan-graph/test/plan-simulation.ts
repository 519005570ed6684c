import type { AssayEvent, Plan, Task } from '@assay/contracts';
import {
  activeSeconds,
  cancelDrafts,
  executeDrafts,
  interruptDrafts,
  isTerminal,
  planOf,
  planStateOf,
  reassignDrafts,
  reducePlan,
  resumeDrafts,
  retryDrafts,
  type Lease,
  type PlanState,
} from '@assay/plan-graph';
import * as fc from 'fast-check';
import { NaivePlan, type Row } from './naive-plan.ts';
import { leaseOf, PureDriver, success } from './pure-driver.ts';

export const SLOTS = 2;

export interface Move {
  readonly kind:
    'succeed' | 'fail' | 'partial' | 'late' | 'wait' | 'restart' | 'crash' | 'cancel' | 'retry' | 'reassign' | 'resume';
  readonly pick: number;
}

export const arbitraryMoves: fc.Arbitrary<Move[]> = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 8, arbitrary: fc.constant('succeed' as const) },
      { weight: 4, arbitrary: fc.constant('fail' as const) },
      { weight: 2, arbitrary: fc.constantFrom('partial' as const, 'late' as const, 'wait' as const) },
      { weight: 4, arbitrary: fc.constantFrom('restart' as const, 'crash' as const, 'resume' as const) },
      { weight: 1, arbitrary: fc.constantFrom('cancel' as const, 'retry' as const, 'reassign' as const) },
    ),
    pick: fc.nat({ max: 1000 }),
  }),
  { minLength: 5, maxLength: 60 },
);

/** Plays moves against the pure core and checks every invariant after each of them. */
export class PlanSimulation {
  readonly driver: PureDriver;
  readonly #naive: NaivePlan;
  readonly #leases: { taskId: string; lease: Lease }[] = [];
  #checked = 0;

  constructor(plan: Plan) {
    this.driver = new PureDriver(plan, { slots: SLOTS });
    this.#naive = new NaivePlan(plan, SLOTS);
    this.#do(() => this.driver.apply(executeDrafts(this.driver.state, 'me')));
  }

  play({ kind, pick }: Move): void {
    const { driver } = this;
    const running = driver.plan.tasks.filter(({ status }) => status === 'in_progress');
    const task = running[pick % Math.max(1, running.length)];
    const active = driver.plan.status === 'in_progress';
    if (kind === 'wait') this.#do(() => driver.wait(pick % 30));
    else if (kind === 'late') this.#late(pick);
    else if (kind === 'restart') this.#restart(pick);
    else if (kind === 'resume') this.#goOn(pick);
    else if (kind === 'cancel' || kind === 'retry' || kind === 'reassign') this.#person(kind, pick);
    else if (task !== undefined && active) this.#work(kind, task, pick);
  }

  /** Gives every task what it needs until the plan has ended. */
  finish(): void {
    const { driver } = this;
    for (let steps = 0; !isEnded(driver.plan); steps += 1) {
      if (steps > 500) throw new Error(`the plan does not end: ${JSON.stringify(driver.statuses())}`);
      if (driver.plan.status === 'pending') this.#goOn(1023);
      const [first] = driver.running();
      if (first !== undefined) this.#do(() => driver.succeed(first));
    }
    // Nothing is skipped here, so nothing may be missing: the end of every task must be known.
    const left = driver.plan.tasks.filter(({ status }) => !isTerminal(status));
    expectThat(left.length === 0, `ended as ${driver.plan.status} with ${left.length} tasks left`);
  }

  #work(kind: 'succeed' | 'fail' | 'partial' | 'crash', task: Task, pick: number): void {
    const { driver } = this;
    const usage = { inputTokens: pick, outputTokens: 0, costUsd: 0 };
    if (kind === 'succeed') this.#do(() => driver.succeed(task.id, usage));
    else if (kind === 'fail') this.#do(() => driver.fail(task.id));
    else if (kind === 'partial') this.#do(() => driver.finish(task.id, success(task, task.outputArtifacts[0])));
    else {
      driver.tear = pick % 4;
      this.#do(() => (pick % 8 < 4 ? driver.succeed(task.id, usage) : driver.fail(task.id)));
      driver.tear = undefined;
      this.#restart(pick);
    }
  }

  /** A result under a lease of the past must change nothing. */
  #late(pick: number): void {
    const { driver } = this;
    const stale = this.#leases.filter(({ taskId, lease }) => !isCurrent(driver.task(taskId), lease));
    const late = stale[pick % Math.max(1, stale.length)];
    if (late === undefined) return;
    const before = driver.state;
    driver.write([]);
    const from = driver.log.length;
    driver.finish(late.taskId, success(driver.task(late.taskId)), late.lease);
    expectThat(driver.log[from]?.type === 'plan.task_result_discarded', 'a late result was not discarded');
    const folded = reducePlan(before, driver.log[from]!);
    expectThat(folded === before, 'a discarded result changed the plan');
    this.#check();
  }

  /** The daemon ends and starts again: the state is what the log says; some executions live on. */
  #restart(pick: number): void {
    const { driver } = this;
    driver.state = fold(driver.log);
    const bound = someOf(driver, pick);
    const activeUntil = Date.parse(driver.log.at(-1)!.at);
    driver.now += (pick % 50) * 1000;
    this.#do(() => driver.apply(interruptDrafts(driver.state, { reason: 'restart', activeUntil, bound })));
  }

  #goOn(pick: number): void {
    const { driver } = this;
    if (driver.plan.status !== 'pending') return;
    const { now } = driver;
    const resume = { by: 'me', reason: 'pressed', now, bound: someOf(driver, pick) };
    this.#do(() =>
      driver.apply(driver.plan.interrupted ? resumeDrafts(driver.state, resume) : executeDrafts(driver.state, 'me')),
    );
  }

  #person(kind: 'cancel' | 'retry' | 'reassign', pick: number): void {
    const { driver } = this;
    const tasks = driver.plan.tasks;
    if (kind === 'cancel' && pick % 3 === 0 && !isEnded(driver.plan))
      this.#do(() => driver.apply(cancelDrafts(driver.state, 'me', 'enough')));
    const stopped = tasks.filter(({ status }) => status === 'failed' || status === 'blocked' || status === 'canceled');
    const task = kind === 'retry' ? stopped[pick % Math.max(1, stopped.length)] : tasks[pick % tasks.length];
    if (task === undefined) return;
    if (kind === 'retry') this.#do(() => driver.apply(retryDrafts(driver.state, task.id, 'me')));
    if (kind === 'reassign' && task.status !== 'completed')
      this.#do(() => driver.apply(reassignDrafts(driver.state, task.id, { assignedTo: 'data', by: 'me' })));
  }

  #do(work: () => void): void {
    const before = this.driver.plan;
    work();
    this.#check(before);
  }

  /** A plan that goes on is within its budget; what ran when a limit was passed has been stopped. */
  #checkBudget({ status, usage, budget }: Plan): void {
    expectThat(usage.taskAttempts <= budget.maxTaskAttempts, 'too many attempts');
    if (status !== 'in_progress' || this.driver.tear !== undefined) return;
    expectThat(usage.inputTokens + usage.outputTokens <= budget.maxTokens!, 'too many tokens');
    expectThat(activeSeconds(this.driver.state, this.driver.now) < budget.maxDurationSeconds, 'too long');
  }

  #check(before?: Plan): void {
    const { driver } = this;
    for (const event of driver.log.slice(this.#checked)) {
      this.#naive.take(event);
      if (event.type === 'plan.task_started' || event.type === 'plan.task_rebound')
        this.#leases.push({ taskId: event.scope.task!, lease: event.data });
    }
    this.#checked = driver.log.length;
    const { plan } = driver;
    this.#checkBudget(plan);
    expectThat(this.#naive.faults.length === 0, this.#naive.faults.join('; '));
    expectSame(planOf(fold(driver.log)), plan, 'the fold of the log');
    expectSame(planOf(planStateOf(plan)), plan, 'the state of the record');
    expectSame(summary(planStateOf(plan)), summary(driver.state), 'the rebuilt index');
    expectSame([...this.#naive.rows.values()].map(rowOf), plan.tasks.map(rowOf), 'the naive plan');
    expectThat(plan.counts.completed === plan.tasks.filter(({ status }) => status === 'completed').length, 'counts');
    for (const task of before?.tasks ?? [])
      expectThat(
        task.status !== 'completed' || driver.task(task.id).status === 'completed',
        `${task.id} is not completed any more`,
      );
    for (const [key, id] of Object.entries(before?.artifacts ?? {}))
      expectThat(plan.artifacts[key] === id || !isFrom(before!, key), `artifact ${key} has changed`);
  }
}

function rowOf({ status, runCount, attempt, executionEpoch, executionId }: Row): Row {
  return { status, runCount, attempt, executionEpoch, executionId };
}

function isFrom(plan: Plan, key: string): boolean {
  return plan.tasks.some(({ status, outputArtifacts }) => status === 'completed' && outputArtifacts.includes(key));
}

function isEnded({ status }: Plan): boolean {
  return status === 'completed' || status === 'failed' || status === 'canceled';
}

function isCurrent(task: Task, lease: Lease): boolean {
  const { executionId, epoch } = leaseOf(task);
  return task.status === 'in_progress' && executionId === lease.executionId && epoch === lease.epoch;
}

/** Some of the running executions, chosen by the bits of a number. */
function someOf(driver: PureDriver, bits: number): Set<string> {
  return new Set(driver.running().flatMap((id, at) => ((bits >> at) & 1 ? driver.task(id).executionId! : [])));
}

export function fold(log: readonly AssayEvent[]): PlanState {
  return log.reduce<PlanState | undefined>((state, event) => reducePlan(state, event), undefined)!;
}

/** What the rules look at, without the structures it is kept in. */
function summary(state: PlanState): object {
  const { startable, readySerial, readyParallel, running } = state;
  const sets = [startable, readySerial, readyParallel, running].map((set) => [...set]);
  return { sets, tally: state.tally, unmet: state.cells.toArray().map(({ unmet }) => unmet) };
}

function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what} differs:\n${a}\n${b}`);
}

function expectThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}
