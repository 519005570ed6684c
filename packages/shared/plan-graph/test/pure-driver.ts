import type { AssayEvent, EventDraft, Plan, Task } from '@assay/contracts';
import {
  advance,
  commandDraft,
  findTask,
  isRecorded,
  newPlan,
  newTask,
  planOf,
  reducePlan,
  runningTasks,
  settle,
  type Outcome,
  type PlanDraft,
  type PlanState,
  type TaskDraft,
} from '@assay/plan-graph';

/** 2026-01-01T00:00:00.000Z */
export const START = 1_767_225_600_000;

type Short = Partial<TaskDraft> & { readonly id: string };

/** A plan of tasks in short form; the name of a task is its id in capitals. */
export function planOfTasks(tasks: readonly Short[], options: Partial<PlanDraft> = {}): Plan {
  return newPlan({
    id: 'plan_1',
    questId: 'quest_1',
    traceId: 'trace_1',
    userIntent: 'try it',
    intentType: 'General',
    createdAt: START,
    tasks: tasks.map((task) => newTask({ name: task.id.toUpperCase(), type: 'work', assignedTo: 'coder', ...task })),
    ...options,
  });
}

/** A driver without a world: time is set by hand, results are given by hand, the log is an array. */
export class PureDriver {
  readonly log: AssayEvent[] = [];
  state: PlanState;
  now: number;
  slots: number;
  /** How many drafts of the next append reach the log: what a crash in the middle of a write leaves. */
  tear: number | undefined;
  #executions = 0;

  constructor(plan: Plan, options: { readonly slots?: number } = {}) {
    this.now = START;
    this.slots = options.slots ?? 2;
    const [created] = this.write([{ type: 'plan.created', scope: { plan: plan.id }, data: { plan } }]);
    this.state = reducePlan(undefined, created!)!;
  }

  get plan(): Plan {
    return planOf(this.state);
  }

  /** The events of the log after `from` in a form that is easy to compare. */
  types(from = 0): string[] {
    return this.log
      .slice(from)
      .map(({ type, scope }) => type.slice(5) + (scope.task === undefined ? '' : `(${scope.task})`));
  }

  task(id: string): Task {
    return findTask(this.state, id)!;
  }

  statuses(): Record<string, string> {
    return Object.fromEntries(this.plan.tasks.map(({ id, status }) => [id, status]));
  }

  running(): string[] {
    return runningTasks(this.state).map(({ id }) => id);
  }

  /** Records the drafts and everything that the rules make of them. */
  apply(drafts: readonly EventDraft[]): void {
    let first = drafts;
    for (let more = true; more; first = []) {
      const next = advance(this.state, first, {
        now: this.now,
        slots: this.slots,
        admit: () => `exec_${(this.#executions += 1)}`,
      });
      for (const event of this.write(next.drafts)) this.state = reducePlan(this.state, event);
      more = next.more;
    }
  }

  /** The result of the task's current execution, or of another lease. */
  finish(taskId: string, outcome: Outcome, lease = leaseOf(this.task(taskId))): void {
    const commands = settle(this.state, { taskId, lease, outcome }).filter(isRecorded);
    this.apply(commands.map((command) => commandDraft(this.state, command)));
  }

  succeed(taskId: string, usage?: { inputTokens: number; outputTokens: number; costUsd: number }): void {
    this.finish(taskId, { ...success(this.task(taskId)), usage });
  }

  fail(taskId: string, message = 'it broke'): void {
    this.finish(taskId, { ok: false, error: { code: 'command_failed', message } });
  }

  /** Moves time and lets the rules look at the clock. */
  wait(seconds: number): void {
    this.now += seconds * 1000;
    this.apply([]);
  }

  write(drafts: readonly EventDraft[]): AssayEvent[] {
    const events = drafts.slice(0, this.tear).map((draft, at): AssayEvent => ({
      trace: 'trace_1',
      span: 'span_1',
      scope: {},
      ...draft,
      v: 1,
      seq: this.log.length + at + 1,
      id: `event_${this.log.length + at + 1}`,
      at: new Date(this.now).toISOString(),
      quest: 'quest_1',
    }));
    this.log.push(...events);
    return events;
  }
}

export function leaseOf(task: Task) {
  return { executionId: task.executionId ?? 'exec_none', epoch: task.executionEpoch, leaseOwner: task.leaseOwner };
}

export function success(task: Task, leaveOut?: string): Outcome & { ok: true } {
  const keys = task.outputArtifacts.filter((key) => key !== leaveOut);
  return {
    ok: true,
    summary: 'done',
    outputs: Object.fromEntries(
      keys.map((key) => [key, { artifactId: `artifact_${key}_${task.attempt}`, type: 'json' }]),
    ),
  };
}
