import type { EventDraft, Task, TaskStatus } from '@assay/contracts';
import { at } from '../commands.ts';
import { isTerminal, ordinalOf, taskAt, type PlanState } from '../plan-state.ts';
import { refusal } from './refuse.ts';

/**
 * A person retries a failed, blocked or canceled task. Reset are the task, those of its ancestors that failed or were
 * stopped with it, and the blocked or canceled tasks behind them that can run again; completed tasks and their artifacts
 * stay. A task that another failure still blocks stays blocked, by that failure. Throws `conflict` for a task in another state.
 */
export function retryDrafts(state: PlanState, taskId: string, by: string): EventDraft[] {
  const ordinal = ordinalOf(state, taskId);
  const task = taskAt(state, ordinal);
  if (!isStopped(task.status))
    throw refusal(state, 'conflict', {
      what: `task '${task.name}' is ${task.status.replace('_', ' ')}`,
      why: 'only a failed, blocked or canceled task can be retried',
      hint: 'name one that has not succeeded, as `assay plan show` lists them, or make a new plan',
      details: { taskId, taskStatus: task.status },
    });
  const reset = stoppedAncestors(state, ordinal);
  const stillBlocked = resetDescendants(state, reset);
  const ids = [...reset].sort((a, b) => a - b).map((ordinal) => taskAt(state, ordinal).id);
  return [
    { type: 'plan.task_retry_requested', ...at(state, { taskId }), data: { by, reset: ids } },
    ...stillBlocked.map(({ task, upstream }): EventDraft => ({
      type: 'plan.task_blocked',
      ...at(state, { taskId: task.id }),
      data: { upstream: upstream.id, reason: `'${upstream.name}' ${upstream.status}` },
    })),
  ];
}

function isStopped(status: TaskStatus): boolean {
  return status === 'failed' || status === 'blocked' || status === 'canceled';
}

/** The task and all stopped tasks above it. */
function stoppedAncestors(state: PlanState, ordinal: number): Set<number> {
  const reset = new Set([ordinal]);
  for (const current of reset)
    for (const upstream of upstreamOf(state, current))
      if (isStopped(taskAt(state, upstream).status)) reset.add(upstream);
  return reset;
}

/** Adds the stopped tasks below that nothing else holds back; returns those that another stopped task does. */
function resetDescendants(state: PlanState, reset: Set<number>): { task: Task; upstream: Task }[] {
  const held: { task: Task; upstream: Task }[] = [];
  for (const ordinal of inOrder(state, below(state, reset))) {
    const task = taskAt(state, ordinal);
    if (task.status !== 'blocked' && task.status !== 'canceled') continue;
    const holding = upstreamOf(state, ordinal).find(
      (upstream) => !reset.has(upstream) && isStopped(taskAt(state, upstream).status),
    );
    if (holding === undefined) reset.add(ordinal);
    else if (task.status === 'blocked') held.push({ task, upstream: rootOf(state, holding, reset) });
  }
  return held.filter(({ task, upstream }) => task.blockedBy !== upstream.id);
}

/** The failure behind a stopped task that is not reset. */
function rootOf(state: PlanState, ordinal: number, reset: ReadonlySet<number>): Task {
  const task = taskAt(state, ordinal);
  if (task.status !== 'blocked') return task;
  const above = upstreamOf(state, ordinal).find(
    (upstream) => !reset.has(upstream) && isStopped(taskAt(state, upstream).status),
  );
  return above === undefined ? task : rootOf(state, above, reset);
}

/** All stopped tasks below the given ones that are not among them. */
function below(state: PlanState, from: ReadonlySet<number>): Set<number> {
  const found = new Set(from);
  for (const ordinal of found)
    for (const next of state.graph.downstream[ordinal]!) if (isTerminal(taskAt(state, next).status)) found.add(next);
  for (const ordinal of from) found.delete(ordinal);
  return found;
}

function inOrder(state: PlanState, ordinals: ReadonlySet<number>): number[] {
  return [...ordinals].sort((a, b) => state.graph.places[a]! - state.graph.places[b]!);
}

function upstreamOf(state: PlanState, ordinal: number): readonly number[] {
  return state.graph.upstream[ordinal]!;
}
