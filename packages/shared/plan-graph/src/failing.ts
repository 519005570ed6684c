import type { Failure, Task, TaskUsage } from '@assay/contracts';
import type { Command } from './commands.ts';
import { findTask, taskAt, type PlanState } from './plan-state.ts';

/** What follows from a failed execution: another run while the limit allows it and it could end otherwise, else failure and blocked dependents. */
export function failureCommands(
  state: PlanState,
  task: Task,
  failed: { readonly error: Failure; readonly usage?: TaskUsage | undefined },
): Command[] {
  const run = { taskId: task.id, executionId: task.executionId!, epoch: task.executionEpoch };
  if (task.runCount <= task.retryLimit && failed.error.final !== true)
    return [{ do: 'retry_task', ...run, ...failed, runCount: task.runCount, retryLimit: task.retryLimit }];
  return [{ do: 'fail_task', ...run, ...failed }, ...blockCommands(state, task, failed.error)];
}

/** Every transitive dependent of a failed task that has not run is blocked by it. */
export function blockCommands(state: PlanState, upstream: Task, error: Failure): Command[] {
  const commands: Command[] = [];
  const seen = new Set<number>();
  const open = [...state.graph.downstream[state.graph.ordinals.get(upstream.id)!]!];
  for (let ordinal = open.pop(); ordinal !== undefined; ordinal = open.pop()) {
    const { id, status } = taskAt(state, ordinal);
    if (seen.has(ordinal) || (status !== 'pending' && status !== 'ready')) continue;
    seen.add(ordinal);
    commands.push({ do: 'block_task', taskId: id, upstream: upstream.id, reason: blockReason(upstream, error) });
    open.push(...state.graph.downstream[ordinal]!);
  }
  return commands;
}

/** Dependents of tasks that can give them nothing any more, and that nobody has blocked yet. */
export function missingBlocks(state: PlanState): Command[] {
  const commands: Command[] = [];
  const dead = new Map<number, Task>();
  for (const ordinal of state.graph.topological) {
    const task = taskAt(state, ordinal);
    if (task.status === 'failed' || task.status === 'canceled') dead.set(ordinal, task);
    if (task.status === 'blocked') dead.set(ordinal, findTask(state, task.blockedBy ?? '') ?? task);
    const upstream = dead.get(ordinal);
    if (upstream === undefined) continue;
    for (const next of state.graph.downstream[ordinal]!) {
      const { id, status } = taskAt(state, next);
      if (dead.has(next) || (status !== 'pending' && status !== 'ready')) continue;
      dead.set(next, upstream);
      const error = upstream.error ?? { code: 'internal', message: 'it failed without saying why' };
      commands.push({ do: 'block_task', taskId: id, upstream: upstream.id, reason: blockReason(upstream, error) });
    }
  }
  return commands;
}

function blockReason(upstream: Task, error: Failure): string {
  return `'${upstream.name}' ${upstream.status === 'canceled' ? 'was canceled' : 'failed'}: ${error.message}`;
}
