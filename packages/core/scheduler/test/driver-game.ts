import { AssayError } from '@assay/foundation';
import type { AssayEvent, Plan } from '@assay/contracts';
import { planOf, reducePlan, type PlanState } from '@assay/plan-graph';
import * as fc from 'fast-check';
import { NaivePlan } from '../../../shared/plan-graph/test/naive-plan.ts';
import { Harness, rest } from './harness.ts';
import { success, type Call } from './scripted-executor.ts';

const SLOTS = 2;
const ENDED = ['completed', 'failed', 'canceled'];

export interface Move {
  readonly kind: 'succeed' | 'fail' | 'wait' | 'crash' | 'restart' | 'cancel' | 'retry' | 'reassign' | 'start' | 'full';
  readonly pick: number;
}

export const arbitraryMoves: fc.Arbitrary<Move[]> = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 8, arbitrary: fc.constant('succeed' as const) },
      { weight: 3, arbitrary: fc.constant('fail' as const) },
      { weight: 3, arbitrary: fc.constantFrom('crash' as const, 'restart' as const, 'full' as const) },
      { weight: 2, arbitrary: fc.constantFrom('wait' as const, 'start' as const) },
      { weight: 1, arbitrary: fc.constantFrom('cancel' as const, 'retry' as const, 'reassign' as const) },
    ),
    pick: fc.nat({ max: 1000 }),
  }),
  { minLength: 5, maxLength: 30 },
);

/** Plays moves against real schedulers, one daemon after another on the same disk, and checks what they did. */
export class DriverGame {
  #daemon = new Harness();
  readonly #naive: NaivePlan;
  readonly #answered = new WeakSet<Call>();
  #checked = 0;

  constructor(plan: Plan) {
    this.#naive = new NaivePlan(plan, SLOTS);
  }

  static async start(plan: Plan): Promise<DriverGame> {
    const game = new DriverGame(plan);
    await game.#daemon.scheduler.add(plan);
    await game.#try(() => game.#daemon.scheduler.execute(plan.id, 'me'));
    return game;
  }

  async play({ kind, pick }: Move): Promise<void> {
    const { scheduler } = this.#daemon;
    const tasks = this.#plan().tasks;
    const task = tasks[pick % tasks.length]!;
    if (kind === 'succeed' || kind === 'fail') await this.#answer(kind, pick);
    else if (kind === 'wait') await this.#daemon.advance(pick % 30);
    else if (kind === 'crash') this.#daemon.journal.death = { appends: pick % 3, survivors: pick % 5 };
    else if (kind === 'restart') await this.#restart(pick);
    else if (kind === 'full') await this.#fillDisk(pick);
    else if (kind === 'start') await this.#goOn();
    else if (kind === 'cancel' && pick % 3 === 0) await this.#try(() => scheduler.cancel('plan_1', 'enough', 'me'));
    else if (kind === 'retry') await this.#try(() => scheduler.retryTask('plan_1', task.id, 'me'));
    else if (kind === 'reassign')
      await this.#try(() => scheduler.reassignTask('plan_1', task.id, { assignedTo: 'data', by: 'me' }));
    await this.#check(pick);
  }

  /** Everything succeeds from here on: the plan must end, and nothing may be left behind. */
  async finish(): Promise<void> {
    this.#daemon.journal.death = undefined;
    for (let steps = 0; !ENDED.includes(this.#plan().status); steps += 1) {
      if (steps > 300) throw new Error(`the plan does not end: ${JSON.stringify(this.#daemon.statuses())}`);
      await this.#goOn();
      await this.#answer('succeed', 0);
      await this.#check(0);
    }
    await this.#daemon.advance(10);
    const { free, total } = this.#daemon.pool;
    expectThat(free.cpus === total.cpus && free.memoryMiB === total.memoryMiB, 'resources were not given back');
    await this.#daemon[Symbol.asyncDispose]();
  }

  #plan(): Plan {
    return this.#daemon.scheduler.plan('plan_1');
  }

  #open(): Call[] {
    return this.#daemon.executor.calls.filter((call) => {
      const { execution } = call;
      const task = this.#plan().tasks.find(({ id }) => id === execution.task.id)!;
      return task.executionId === execution.executionId && !execution.signal.aborted && !this.#answered.has(call);
    });
  }

  async #answer(kind: 'succeed' | 'fail', pick: number): Promise<void> {
    const open = this.#open();
    const call = open[pick % Math.max(1, open.length)];
    if (call === undefined) return;
    this.#answered.add(call);
    const error = { code: 'command_failed', message: 'it broke' };
    call.answer.resolve(kind === 'succeed' ? success(call.execution) : { ok: false, error });
    await rest();
  }

  async #goOn(): Promise<void> {
    const { scheduler } = this.#daemon;
    const { plan, problem } = scheduler.view('plan_1');
    if (plan.interrupted || problem !== null) await this.#try(() => scheduler.resume('plan_1', 'me'));
    else if (plan.status === 'pending') await this.#try(() => scheduler.execute('plan_1', 'me'));
  }

  async #fillDisk(pick: number): Promise<void> {
    const { journal } = this.#daemon;
    journal.failure = new AssayError('disk_full', 'the disk is full');
    await this.#answer('succeed', pick);
    journal.failure = undefined;
  }

  /** Ends the daemon, politely or not; some executions live on. */
  async #restart(pick: number): Promise<void> {
    const before = this.#daemon;
    if (pick % 2 === 0 && !before.journal.isDead) await before.scheduler.dispose();
    before.journal.isDead = true;
    before.executor.alive.clear();
    this.#plan().tasks.forEach(({ executionId }, at) => {
      if (executionId !== null && (pick >> (at % 8)) & 1) before.executor.alive.add(executionId);
    });
    this.#daemon = new Harness({ before });
    await this.#daemon.scheduler.recover('quest_1');
    await rest();
  }

  /** Commands may be refused; anything but a refusal is a fault. A dead daemon never answers. */
  async #try(command: () => Promise<unknown>): Promise<void> {
    const done = command().catch((error: unknown) => {
      if (!(error instanceof AssayError) || error.code === 'internal') throw error;
    });
    await Promise.race([done, rest()]);
    await rest();
  }

  async #check(pick: number): Promise<void> {
    if (this.#daemon.journal.isDead) await this.#restart(pick | 1);
    const log = await this.#daemon.journal.log();
    for (const event of log.slice(this.#checked)) this.#naive.take(event);
    this.#checked = log.length;
    expectThat(this.#naive.faults.length === 0, this.#naive.faults.join('; '));
    const folded = log.reduce<PlanState | undefined>((state, event) => reducePlan(state, event), undefined)!;
    expectThat(JSON.stringify(planOf(folded)) === JSON.stringify(this.#plan()), 'the plan is not what its log says');
    this.#checkCalls(log);
  }

  /** Every call of this daemon was recorded first, and no two of a task were open at once. */
  #checkCalls(log: readonly AssayEvent[]): void {
    const recorded = new Set(
      log.flatMap((event) =>
        event.type === 'plan.task_started' || event.type === 'plan.task_rebound'
          ? `${event.data.executionId}/${event.data.epoch}`
          : [],
      ),
    );
    const open = this.#open().map(({ execution }) => execution.task.id);
    for (const { execution } of this.#daemon.executor.calls)
      expectThat(recorded.has(`${execution.executionId}/${execution.epoch}`), 'a call without its record');
    expectThat(new Set(open).size === open.length, `two open calls: ${open.join(', ')}`);
    expectThat(open.length <= SLOTS, `${open.length} open calls`);
  }
}

function expectThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}
