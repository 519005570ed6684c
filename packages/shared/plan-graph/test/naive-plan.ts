import type { AssayEvent, Plan, Task } from '@assay/contracts';

export type Row = Pick<Task, 'status' | 'runCount' | 'attempt' | 'executionEpoch' | 'executionId'>;

/**
 * The rules of the log told a second time, as simply as possible: one mutable row per task, every check a scan. It says
 * what is wrong with each event as it comes.
 */
export class NaivePlan {
  readonly rows = new Map<string, Row>();
  readonly artifacts = new Map<string, string>();
  readonly faults: string[] = [];
  status: Plan['status'];
  attempts = 0;
  #retriedByPerson = new Set<string>();
  readonly #plan: Plan;
  readonly #slots: number;

  constructor(plan: Plan, slots: number) {
    this.#plan = plan;
    this.#slots = slots;
    this.status = plan.status;
    for (const task of plan.tasks) this.rows.set(task.id, { ...task });
  }

  take(event: AssayEvent): void {
    const row = this.rows.get(event.scope.task ?? '');
    const task = this.#plan.tasks.find(({ id }) => id === event.scope.task);
    if (row !== undefined && task !== undefined) this.#takeTask(event, row, task);
    else this.#takePlan(event);
  }

  #takePlan(event: AssayEvent): void {
    const ends = { 'plan.completed': 'completed', 'plan.failed': 'failed', 'plan.canceled': 'canceled' } as const;
    if (event.type === 'plan.started' || event.type === 'plan.resumed') this.status = 'in_progress';
    if (event.type === 'plan.interrupted') this.status = 'pending';
    if (event.type === 'plan.completed' || event.type === 'plan.failed' || event.type === 'plan.canceled') {
      this.status = ends[event.type];
      const left = [...this.rows.values()].filter(({ status }) => ['pending', 'ready', 'in_progress'].includes(status));
      if (event.type === 'plan.canceled')
        for (const row of left) Object.assign(row, { status: 'canceled', executionId: null });
      else if (left.length > 0 && !deadlock(event))
        this.faults.push(`${event.type} while ${left.length} tasks are left`);
      if (event.type === 'plan.completed' && this.#count('completed', 'skipped') !== this.rows.size)
        this.faults.push('completed with tasks that are not');
    }
  }

  #takeTask(event: AssayEvent, row: Row, task: Task): void {
    switch (event.type) {
      case 'plan.task_ready':
        this.#expect(this.#isMet(task), `${task.id} became ready too early`);
        row.status = 'ready';
        break;
      case 'plan.task_started':
        this.#checkStart(row, task);
        this.attempts += 1;
        row.status = 'in_progress';
        row.runCount += 1;
        this.#expect(event.data.attempt > row.attempt, `${task.id} uses attempt ${event.data.attempt} again`);
        row.attempt = event.data.attempt;
        row.executionEpoch = event.data.epoch;
        row.executionId = event.data.executionId;
        this.#expect(
          row.runCount <= task.retryLimit + 1 || this.#retriedByPerson.has(task.id),
          `${task.id} runs ${row.runCount} times with a retry limit of ${task.retryLimit}`,
        );
        break;
      case 'plan.task_rebound':
        this.#expect(row.status === 'in_progress' && row.executionId === event.data.executionId, 'a wrong rebind');
        row.executionEpoch = event.data.epoch;
        break;
      case 'plan.task_released':
        row.status = 'pending';
        row.executionId = null;
        row.runCount -= 1;
        break;
      case 'plan.artifact_created':
        this.artifacts.set(event.data.key, event.data.artifactId);
        break;
      case 'plan.task_completed':
      case 'plan.task_retrying':
      case 'plan.task_failed':
        this.#checkLease(event.data, row, task);
        row.status =
          event.type === 'plan.task_completed' ? 'completed' : event.type === 'plan.task_failed' ? 'failed' : 'pending';
        row.executionId = null;
        if (row.status === 'completed')
          for (const key of task.outputArtifacts)
            this.#expect(this.artifacts.has(key), `${task.id} completed without ${key}`);
        if (row.status === 'pending') this.#expect(row.runCount <= task.retryLimit, `${task.id} is retried too often`);
        break;
      case 'plan.task_blocked':
        this.#expect(
          row.status !== 'in_progress' && row.status !== 'completed',
          `${task.id} blocked while ${row.status}`,
        );
        row.status = 'blocked';
        break;
      case 'plan.task_retry_requested':
        for (const id of event.data.reset) this.#reset(id);
        if (this.status === 'failed' || this.status === 'canceled') this.status = 'pending';
        break;
      case 'plan.task_reassigned':
        this.#retriedByPerson.add(task.id);
        row.executionEpoch += 1;
        row.runCount = 0;
        row.executionId = null;
        if (row.status === 'ready' || row.status === 'in_progress') row.status = 'pending';
        break;
      default:
        break;
    }
  }

  #reset(id: string): void {
    const row = this.rows.get(id)!;
    this.#expect(['failed', 'blocked', 'canceled'].includes(row.status), `${id} was ${row.status} and is reset`);
    this.#retriedByPerson.add(id);
    Object.assign(row, { status: 'pending', runCount: 0, executionId: null });
  }

  #checkStart(row: Row, task: Task): void {
    this.#expect(this.status === 'in_progress', `${task.id} starts in a plan that is ${this.status}`);
    this.#expect(row.status === 'ready', `${task.id} starts while ${row.status}`);
    this.#expect(this.#isMet(task), `${task.id} starts before its inputs`);
    this.#expect(
      this.attempts < this.#plan.budget.maxTaskAttempts,
      `attempt ${this.attempts + 1} is beyond the budget`,
    );
    const running = this.#plan.tasks.filter(({ id }) => this.rows.get(id)!.status === 'in_progress');
    this.#expect(running.length < this.#slots, `${running.length + 1} tasks run at once`);
    this.#expect(
      running.every(({ parallelizable }) => parallelizable),
      `${task.id} starts beside a serial task`,
    );
    this.#expect(task.parallelizable || running.length === 0, `serial ${task.id} starts beside ${running.length}`);
    const ready = this.#plan.tasks.filter(({ id }) => this.rows.get(id)!.status === 'ready');
    const rivals = ready.filter(({ parallelizable }) => parallelizable === task.parallelizable);
    const best = Math.max(...rivals.map(({ priority }) => priority));
    this.#expect(rivals.find(({ priority }) => priority === best)!.id === task.id, `${task.id} overtakes`);
    const serialWaits = ready.some(({ parallelizable }) => !parallelizable);
    this.#expect(!task.parallelizable || !serialWaits, `${task.id} overtakes a serial task`);
  }

  #checkLease(data: { executionId: string; epoch: number }, row: Row, task: Task): void {
    const holds =
      row.status === 'in_progress' && row.executionId === data.executionId && row.executionEpoch === data.epoch;
    this.#expect(holds, `a result of ${task.id} was taken without its lease`);
  }

  #isMet(task: Task): boolean {
    const done = task.dependencies.every((id) => ['completed', 'skipped'].includes(this.rows.get(id)!.status));
    return done && task.requiredArtifacts.every((key) => this.artifacts.has(key));
  }

  #count(...statuses: string[]): number {
    return [...this.rows.values()].filter(({ status }) => statuses.includes(status)).length;
  }

  #expect(holds: boolean, fault: string): void {
    if (!holds) this.faults.push(fault);
  }
}

function deadlock(event: AssayEvent): boolean {
  return event.type === 'plan.failed' && event.data.error.code === 'deadlock_or_unsatisfied_dependencies';
}
