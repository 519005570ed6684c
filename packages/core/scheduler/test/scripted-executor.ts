import { deferred, type Deferred } from '@assay/foundation';
import type { EventDraft } from '@assay/contracts';
import type { BoundTask, TaskExecution, TaskExecutor, TaskResult } from '@assay/scheduler';

export interface Call {
  readonly execution: TaskExecution;
  readonly answer: Deferred<TaskResult>;
}

/** An executor whose answers the test gives. Unless it is stubborn, it stops as soon as its signal says so. */
export class ScriptedExecutor implements TaskExecutor {
  readonly calls: Call[] = [];
  /** Tasks and attempts that were ended without being attended. */
  readonly stopped: string[] = [];
  /** Executions that can be taken up again. */
  readonly alive = new Set<string>();
  stubborn = false;

  async execute(execution: TaskExecution): Promise<TaskResult> {
    const answer = deferred<TaskResult>();
    this.calls.push({ execution, answer });
    if (!this.stubborn)
      execution.signal.addEventListener('abort', () => answer.reject(execution.signal.reason), { once: true });
    return answer.promise;
  }

  async canRebind({ task }: BoundTask): Promise<boolean> {
    return this.alive.has(task.executionId!);
  }

  async stop({ task }: BoundTask): Promise<void> {
    this.stopped.push(`${task.id} ${task.attempt}`);
  }

  /** The newest call for a task. */
  call(taskId: string): Call {
    const call = this.calls.findLast(({ execution }) => execution.task.id === taskId);
    if (call === undefined) throw new Error(`${taskId} was not executed`);
    return call;
  }

  /** Task ids in the order in which they were executed. */
  get order(): string[] {
    return this.calls.map(({ execution }) => execution.task.id);
  }

  succeed(taskId: string, drafts: readonly EventDraft[] = []): void {
    const { execution, answer } = this.call(taskId);
    answer.resolve(success(execution, drafts));
  }

  fail(taskId: string, message = 'it broke'): void {
    this.call(taskId).answer.resolve({ ok: false, error: { code: 'command_failed', message } });
  }
}

export function success({ task, attempt }: TaskExecution, drafts: readonly EventDraft[] = []): TaskResult {
  const outputs = task.outputArtifacts.map((key) => [key, { artifactId: `artifact_${key}_${attempt}`, type: 'json' }]);
  return { ok: true, summary: 'done', drafts, outputs: Object.fromEntries(outputs) as Record<string, never> };
}
