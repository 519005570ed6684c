import type { AssayEvent, EventOf, Plan } from '@assay/contracts';
import { planOf, planStateOf, reducePlan, type PlanState } from '@assay/plan-graph';
import { damage, type Finding } from './finding.ts';

interface TaskHistory {
  /** The execution that holds the lease, while one does. */
  running: string | null;
  epoch: number;
  readonly attempts: Set<number>;
  completions: number;
}

/**
 * Checks the history of every plan of a journal: nothing runs twice at once, epochs only grow, attempts are never used
 * twice, a completion comes from the execution that holds the lease and only once until somebody resets the task.
 */
export class PlanHistory {
  readonly findings: Finding[] = [];
  readonly #plans = new Map<string, PlanState>();
  readonly #tasks = new Map<string, TaskHistory>();

  /** Every event of the journal, in order. */
  add(event: AssayEvent): void {
    if (event.type === 'plan.created') {
      this.#plans.set(event.data.plan.id, planStateOf(event.data.plan));
      return;
    }
    const planId = event.scope.plan;
    if (planId === undefined || !event.type.startsWith('plan.')) return;
    const state = this.#plans.get(planId);
    if (state === undefined) {
      this.#damage(event, `it speaks of plan ${planId}, which was never created`);
      return;
    }
    if (event.scope.task !== undefined) this.#task(event, event.scope.task);
    try {
      this.#plans.set(planId, reducePlan(state, event));
    } catch (error) {
      this.#damage(
        event,
        `it does not follow from what came before: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  get plans(): readonly Plan[] {
    return [...this.#plans.values()].map(planOf);
  }

  #task(event: AssayEvent, taskId: string): void {
    const history = this.#historyOf(event.scope.plan!, taskId);
    switch (event.type) {
      case 'plan.task_started':
        return this.#started(event, history);
      case 'plan.task_rebound':
        if (history.running !== event.data.executionId)
          this.#damage(event, `${taskId} was bound to an execution that it did not have`);
        if (event.data.epoch <= history.epoch) this.#damage(event, `the epoch of ${taskId} did not grow`);
        history.epoch = event.data.epoch;
        return;
      case 'plan.task_completed':
        if (history.running !== event.data.executionId || history.epoch !== event.data.epoch)
          this.#damage(event, `${taskId} was completed by an execution that does not hold its lease`);
        history.running = null;
        history.completions += 1;
        if (history.completions > 1) this.#damage(event, `${taskId} was completed twice`);
        return;
      case 'plan.task_failed':
      case 'plan.task_retrying':
      case 'plan.task_released':
      case 'plan.question_asked':
      case 'plan.task_reassigned':
        history.running = null;
        return;
      case 'plan.task_retry_requested':
        for (const id of event.data.reset) this.#reset(event.scope.plan!, id);
        return;
      default:
        return;
    }
  }

  #started(event: EventOf<'plan.task_started'>, history: TaskHistory): void {
    const task = event.scope.task!;
    if (history.running !== null) this.#damage(event, `${task} was started while ${history.running} was running`);
    if (event.data.epoch <= history.epoch) this.#damage(event, `the epoch of ${task} did not grow`);
    if (history.attempts.has(event.data.attempt))
      this.#damage(event, `attempt ${event.data.attempt} of ${task} was used twice`);
    history.running = event.data.executionId;
    history.epoch = event.data.epoch;
    history.attempts.add(event.data.attempt);
  }

  #reset(planId: string, taskId: string): void {
    const history = this.#historyOf(planId, taskId);
    history.running = null;
    history.completions = 0;
  }

  #historyOf(planId: string, taskId: string): TaskHistory {
    const key = `${planId}/${taskId}`;
    const known = this.#tasks.get(key);
    if (known !== undefined) return known;
    const fresh: TaskHistory = { running: null, epoch: 0, attempts: new Set(), completions: 0 };
    this.#tasks.set(key, fresh);
    return fresh;
  }

  #damage(event: AssayEvent, what: string): void {
    this.findings.push(damage(`event ${event.seq} (${event.type}): ${what}`));
  }
}
