import { AssayError } from '@assay/foundation';
import type { Plan, Task } from '@assay/contracts';

/**
 * What never changes about the tasks of a plan, by ordinal (place in `plan.tasks`). Built once per plan in linear time;
 * never stored.
 */
export interface TaskGraph {
  readonly tasks: number;
  readonly ordinals: ReadonlyMap<string, number>;
  /** Tasks that must be done first, without doubles. */
  readonly dependencies: readonly (readonly number[])[];
  /** Tasks that name it as a dependency, without doubles. */
  readonly dependents: readonly (readonly number[])[];
  /** Tasks that it depends on or whose artifacts it needs, without doubles. */
  readonly upstream: readonly (readonly number[])[];
  /** Tasks that depend on it or need one of its artifacts, without doubles. */
  readonly downstream: readonly (readonly number[])[];
  /** Every artifact key that the plan speaks of. */
  readonly artifactKeys: readonly string[];
  readonly artifactOrdinals: ReadonlyMap<string, number>;
  /** Ordinals of the artifacts that a task needs, without doubles. */
  readonly needs: readonly (readonly number[])[];
  /** Tasks that need an artifact. */
  readonly consumers: readonly (readonly number[])[];
  /** The task that gives an artifact; undefined when none does. */
  readonly producers: readonly (number | undefined)[];
  /** Place in the order in which ready tasks start: priority (high first), then creation. */
  readonly ranks: readonly number[];
  readonly byRank: readonly number[];
  /** Every task after all tasks that it depends on. */
  readonly topological: readonly number[];
  /** Place of a task in `topological`. */
  readonly places: readonly number[];
}

/** Throws `invalid_plan` for a graph with a cycle, a doubled task id or an unknown dependency. */
export function taskGraph(plan: Pick<Plan, 'id' | 'tasks' | 'artifacts'>): TaskGraph {
  const ordinals = new Map(plan.tasks.map((task, ordinal) => [task.id, ordinal]));
  if (ordinals.size !== plan.tasks.length) throw broken(plan.id, 'two tasks have the same id');
  const dependencies = plan.tasks.map((task) => [
    ...new Set(task.dependencies.map((id) => ordinals.get(id) ?? unknownDependency(plan.id, task, id))),
  ]);
  const artifacts = artifactIndex(plan);
  const dependents = reversed(dependencies);
  const upstream = dependencies.map((list, ordinal) => upstreamOf(list, ordinal, artifacts));
  const downstream = reversed(upstream);
  const byRank = plan.tasks
    .map((_, ordinal) => ordinal)
    .sort((a, b) => plan.tasks[b]!.priority - plan.tasks[a]!.priority || a - b);
  const topological = topologicalOrder(downstream);
  if (topological.length !== plan.tasks.length) throw broken(plan.id, 'its tasks depend on each other in a circle');
  const edges = { dependencies, dependents, upstream, downstream, ...artifacts };
  return {
    tasks: plan.tasks.length,
    ordinals,
    ...edges,
    ranks: placesOf(byRank),
    byRank,
    topological,
    places: placesOf(topological),
  };
}

/** The inverse of an order of ordinals. */
function placesOf(order: readonly number[]): number[] {
  const places = Array.from<number>({ length: order.length });
  order.forEach((ordinal, place) => (places[ordinal] = place));
  return places;
}

type ArtifactIndex = Pick<TaskGraph, 'artifactKeys' | 'artifactOrdinals' | 'needs' | 'consumers' | 'producers'>;

function artifactIndex(plan: Pick<Plan, 'tasks' | 'artifacts'>): ArtifactIndex {
  const artifactOrdinals = new Map<string, number>();
  const ordinalOf = (key: string): number => {
    const known = artifactOrdinals.get(key);
    if (known !== undefined) return known;
    artifactOrdinals.set(key, artifactOrdinals.size);
    return artifactOrdinals.size - 1;
  };
  for (const key of Object.keys(plan.artifacts)) ordinalOf(key);
  const producers: (number | undefined)[] = [];
  plan.tasks.forEach((task, ordinal) => {
    for (const key of task.outputArtifacts) producers[ordinalOf(key)] ??= ordinal;
  });
  const needs = plan.tasks.map((task) => [...new Set(task.requiredArtifacts.map(ordinalOf))]);
  const artifactKeys = [...artifactOrdinals.keys()];
  const consumers: number[][] = artifactKeys.map(() => []);
  needs.forEach((keys, ordinal) => {
    for (const key of keys) consumers[key]!.push(ordinal);
  });
  return { artifactKeys, artifactOrdinals, needs, consumers, producers };
}

function upstreamOf(dependencies: readonly number[], ordinal: number, artifacts: ArtifactIndex): number[] {
  const upstream = new Set(dependencies);
  for (const key of artifacts.needs[ordinal]!) {
    const producer = artifacts.producers[key];
    if (producer !== undefined && producer !== ordinal) upstream.add(producer);
  }
  return [...upstream];
}

function reversed(edges: readonly (readonly number[])[]): number[][] {
  const back: number[][] = edges.map(() => []);
  edges.forEach((list, ordinal) => {
    for (const from of list) back[from]!.push(ordinal);
  });
  return back;
}

/** Kahn's algorithm; shorter than the number of tasks when there is a cycle. */
export function topologicalOrder(downstream: readonly (readonly number[])[]): number[] {
  const open = Array.from<number>({ length: downstream.length }).fill(0);
  for (const list of downstream) for (const to of list) open[to]! += 1;
  const order: number[] = [];
  open.forEach((count, ordinal) => {
    if (count === 0) order.push(ordinal);
  });
  for (let at = 0; at < order.length; at += 1)
    for (const to of downstream[order[at]!]!) {
      open[to]! -= 1;
      if (open[to] === 0) order.push(to);
    }
  return order;
}

function unknownDependency(planId: string, task: Task, id: string): never {
  throw broken(planId, `task ${task.id} depends on ${id}, which is not in the plan`);
}

function broken(planId: string, why: string): AssayError {
  return new AssayError('invalid_plan', `the graph of plan ${planId} cannot be used`, {
    why,
    hint: 'run "assay fsck", and make the plan anew',
    details: { planId },
  });
}
