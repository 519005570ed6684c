import type { Plan } from '@assay/contracts';
import { newPlan, newTask, type PlanDraft, type TaskDraft } from '@assay/plan-graph';
import { createScheduler, ResourcePool, type Scheduler, type SchedulerOptions } from '@assay/scheduler';
import { MovingClock } from '@assay/testkit';
import { ScriptedExecutor } from './scripted-executor.ts';
import { TestJournal } from './test-journal.ts';

export type Short = Partial<TaskDraft> & { readonly id: string };

export function planOfTasks(tasks: readonly Short[], options: Partial<PlanDraft> = {}): Plan {
  return newPlan({
    id: 'plan_1',
    questId: 'quest_1',
    traceId: 'trace_1',
    userIntent: 'try it',
    intentType: 'General',
    createdAt: Date.UTC(2026, 0, 1),
    tasks: tasks.map((task) => newTask({ name: task.id.toUpperCase(), type: 'work', assignedTo: 'coder', ...task })),
    ...options,
  });
}

/** Everything that has been set in motion and waits for nothing but itself comes to rest. */
export async function rest(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A scheduler with a clock, a journal and an executor in the hands of the test. */
export class Harness implements AsyncDisposable {
  readonly clock: MovingClock;
  readonly journal: TestJournal;
  readonly executor: ScriptedExecutor;
  readonly pool: ResourcePool;
  readonly scheduler: Scheduler;

  constructor(options: { before?: Harness; pool?: ResourcePool; scheduler?: Partial<SchedulerOptions> } = {}) {
    const { before } = options;
    this.clock = before?.clock ?? new MovingClock();
    this.journal = before?.journal.reopen() ?? TestJournal.open(this.clock);
    this.executor = new ScriptedExecutor();
    for (const id of before?.executor.alive ?? []) this.executor.alive.add(id);
    this.pool = options.pool ?? new ResourcePool({ cpus: 8, memoryMiB: 8192 });
    this.scheduler = createScheduler({
      clock: this.clock,
      executor: this.executor,
      journals: () => this.journal,
      slots: this.pool,
      ...options.scheduler,
    });
  }

  async start(tasks: readonly Short[], options: Partial<PlanDraft> = {}): Promise<void> {
    const { id } = await this.scheduler.add(planOfTasks(tasks, options));
    await this.scheduler.execute(id, 'me');
    await rest();
  }

  statuses(planId = 'plan_1'): Record<string, string> {
    return Object.fromEntries(this.scheduler.plan(planId).tasks.map(({ id, status }) => [id, status]));
  }

  async advance(seconds: number): Promise<void> {
    await this.clock.advance(seconds * 1000);
    await rest();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const disposed = this.scheduler.dispose();
    await rest();
    await this.advance(10);
    await disposed;
  }
}
