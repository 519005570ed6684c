import { AssayError } from '@assay/foundation';
import type { Plan, Task, TaskStatus } from '@assay/contracts';
import { PersistentArray } from './persistent-array.ts';
import { RankSet } from './rank-set.ts';
import { taskGraph, type TaskGraph } from './task-graph.ts';

/** A plan without the parts that are kept in structures of their own. */
export type PlanHead = Omit<Plan, 'tasks' | 'artifacts' | 'counts'>;

/** A task and the number of its dependencies and artifacts that are not there yet. */
interface Cell {
  readonly task: Task;
  readonly unmet: number;
}

/**
 * A plan in the form that is folded: an immutable value in which one event changes a few nodes. It holds nothing that
 * `planStateOf(planOf(state))` does not rebuild.
 */
export interface PlanState {
  readonly head: PlanHead;
  readonly graph: TaskGraph;
  readonly cells: PersistentArray<Cell>;
  /** Artifact ids by the ordinal of their key. */
  readonly artifacts: PersistentArray<string | undefined>;
  readonly tally: Readonly<Record<TaskStatus, number>>;
  /** Ranks of pending tasks for which everything is there. */
  readonly startable: RankSet;
  /** Ranks of ready tasks that must run alone, and of the others. */
  readonly readySerial: RankSet;
  readonly readyParallel: RankSet;
  /** Ranks of the tasks in progress. */
  readonly running: RankSet;
}

/** Statuses in which nothing more happens to a task by itself. */
export function isTerminal(status: TaskStatus): boolean {
  return status !== 'pending' && status !== 'ready' && status !== 'in_progress';
}

/** A dependency in one of these statuses is met. */
export function isDone(status: TaskStatus): boolean {
  return status === 'completed' || status === 'skipped';
}

/** The state of a plan as it is stored. Linear; throws `invalid_plan` when the graph is broken. */
export function planStateOf(plan: Plan): PlanState {
  const { tasks, artifacts, counts: _, ...head } = plan;
  const graph = taskGraph(plan);
  const present = (key: number) => artifacts[graph.artifactKeys[key]!] !== undefined;
  const cells = tasks.map((task, ordinal) => ({
    task,
    unmet:
      graph.dependencies[ordinal]!.filter((id) => !isDone(tasks[id]!.status)).length +
      graph.needs[ordinal]!.filter((key) => !present(key)).length,
  }));
  const tally = emptyTally();
  for (const task of tasks) tally[task.status] += 1;
  const none = RankSet.empty(tasks.length);
  const empty = { startable: none, readySerial: none, readyParallel: none, running: none };
  const sets = cells.reduce(
    (sets, cell, ordinal) => moved(sets, graph.ranks[ordinal]!, { from: undefined, to: cell }),
    empty,
  );
  return {
    head,
    graph,
    cells: PersistentArray.from(cells),
    artifacts: PersistentArray.from(graph.artifactKeys.map((key) => artifacts[key])),
    tally,
    ...sets,
  };
}

const plans = new WeakMap<PlanState, Plan>();

/** The plan as a record. Linear the first time for a state, then remembered. */
export function planOf(state: PlanState): Plan {
  const known = plans.get(state);
  if (known !== undefined) return known;
  const { createdAt, updatedAt, ...head } = state.head;
  const plan: Plan = {
    ...head,
    tasks: state.cells.toArray().map((cell) => cell.task),
    artifacts: artifactsOf(state),
    counts: countsOf(state),
    createdAt,
    updatedAt,
  };
  plans.set(state, plan);
  return plan;
}

export function countsOf({ tally, graph }: PlanState): Plan['counts'] {
  return {
    total: graph.tasks,
    completed: tally.completed,
    failed: tally.failed,
    blocked: tally.blocked,
    inProgress: tally.in_progress,
    ready: tally.ready,
  };
}

/** Undefined when the plan has no task of that id. */
export function findTask(state: PlanState, taskId: string): Task | undefined {
  const ordinal = state.graph.ordinals.get(taskId);
  return ordinal === undefined ? undefined : state.cells.get(ordinal).task;
}

/** Throws `not_found`. */
export function ordinalOf(state: PlanState, taskId: string): number {
  const ordinal = state.graph.ordinals.get(taskId);
  if (ordinal !== undefined) return ordinal;
  throw new AssayError('not_found', `plan ${state.head.id} has no task ${taskId}`, {
    hint: `\`assay plan show ${state.head.id}\` lists its tasks`,
    details: { planId: state.head.id, taskId },
  });
}

export function taskAt(state: PlanState, ordinal: number): Task {
  return state.cells.get(ordinal).task;
}

/** Artifact id of a key, or undefined while it does not exist. */
export function artifactIdOf(state: PlanState, key: string): string | undefined {
  const ordinal = state.graph.artifactOrdinals.get(key);
  return ordinal === undefined ? undefined : state.artifacts.get(ordinal);
}

/** The tasks that run, in rank order. */
export function runningTasks(state: PlanState): Task[] {
  return [...state.running].map((rank) => taskAt(state, state.graph.byRank[rank]!));
}

/** True when no task can change any more by itself. */
export function allTerminal({ tally }: PlanState): boolean {
  return tally.pending + tally.ready + tally.in_progress === 0;
}

export function withHead(state: PlanState, change: Partial<PlanHead>): PlanState {
  return { ...state, head: { ...state.head, ...change } };
}

/** The one place where a task changes: keeps the tally, the sets and the counts of its dependents right. */
export function withTask(state: PlanState, ordinal: number, change: Partial<Task>): PlanState {
  const before = state.cells.get(ordinal);
  const after: Cell = { task: { ...before.task, ...change }, unmet: before.unmet };
  const next = replaceCell(state, ordinal, after);
  const step = Number(isDone(before.task.status)) - Number(isDone(after.task.status));
  if (step === 0) return next;
  return state.graph.dependents[ordinal]!.reduce((state, dependent) => withUnmet(state, dependent, step), next);
}

/** Adds or replaces an artifact; an unknown key changes nothing, because no task declares it. */
export function withArtifact(state: PlanState, key: string, artifactId: string): PlanState {
  const ordinal = state.graph.artifactOrdinals.get(key);
  if (ordinal === undefined) return state;
  const isNew = state.artifacts.get(ordinal) === undefined;
  const next = { ...state, artifacts: state.artifacts.with(ordinal, artifactId) };
  if (!isNew) return next;
  return state.graph.consumers[ordinal]!.reduce((state, consumer) => withUnmet(state, consumer, -1), next);
}

function withUnmet(state: PlanState, ordinal: number, step: number): PlanState {
  const cell = state.cells.get(ordinal);
  return replaceCell(state, ordinal, { task: cell.task, unmet: cell.unmet + step });
}

function replaceCell(state: PlanState, ordinal: number, to: Cell): PlanState {
  const from = state.cells.get(ordinal);
  const cells = state.cells.with(ordinal, to);
  const tally =
    from.task.status === to.task.status
      ? state.tally
      : {
          ...state.tally,
          [from.task.status]: state.tally[from.task.status] - 1,
          [to.task.status]: state.tally[to.task.status] + 1,
        };
  return { ...state, cells, tally, ...moved(state, state.graph.ranks[ordinal]!, { from, to }) };
}

type Sets = Pick<PlanState, 'startable' | 'readySerial' | 'readyParallel' | 'running'>;

function moved(sets: Sets, rank: number, cells: { from: Cell | undefined; to: Cell }): Sets {
  const leave = cells.from === undefined ? undefined : setOf(cells.from);
  const enter = setOf(cells.to);
  const { startable, readySerial, readyParallel, running } = sets;
  const next = { startable, readySerial, readyParallel, running };
  if (leave === enter) return next;
  if (leave !== undefined) next[leave] = next[leave].delete(rank);
  if (enter !== undefined) next[enter] = next[enter].add(rank);
  return next;
}

function setOf({ task, unmet }: Cell): keyof Sets | undefined {
  if (task.status === 'in_progress') return 'running';
  if (task.status === 'ready') return task.parallelizable ? 'readyParallel' : 'readySerial';
  return task.status === 'pending' && unmet === 0 ? 'startable' : undefined;
}

function artifactsOf(state: PlanState): Record<string, string> {
  const artifacts: Record<string, string> = {};
  state.artifacts.toArray().forEach((id, ordinal) => {
    if (id !== undefined) artifacts[state.graph.artifactKeys[ordinal]!] = id;
  });
  return artifacts;
}

function emptyTally(): Record<TaskStatus, number> {
  return { pending: 0, ready: 0, in_progress: 0, completed: 0, failed: 0, blocked: 0, skipped: 0, canceled: 0 };
}
