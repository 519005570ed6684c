import { agentRoles, type Plan, type Task } from '@assay/contracts';
import { findCycle } from './find-cycle.ts';
import { toolsBeyondRole } from './role-tools.ts';

/** Something that makes a plan unusable. */
export interface Problem {
  readonly code:
    | 'too_many_tasks'
    | 'no_tasks'
    | 'duplicate_task'
    | 'unknown_dependency'
    | 'unknown_edge_end'
    | 'cycle'
    | 'no_producer'
    | 'several_producers'
    | 'producer_not_ancestor'
    | 'unknown_agent'
    | 'unknown_type'
    | 'tool_beyond_role'
    | 'contract_mismatch'
    | 'limit_exceeded';
  /** One sentence for people and models. */
  readonly message: string;
  readonly taskId?: string;
}

export interface ValidationOptions {
  /** Default 60, the limit of what a model or a person proposes. */
  readonly maxTasks?: number;
  /** Task types that can be executed; any type is taken when absent. */
  readonly types?: ReadonlySet<string>;
}

/** Tasks in a plan that a model or a person proposes. */
export const PROPOSAL_MAX_TASKS = 60;
/** Tasks that the core takes. */
export const CORE_MAX_TASKS = 100_000;
const MAX_RETRY_LIMIT = 10;
/** A week. */
const MAX_TIMEOUT_SECONDS = 604_800;

/** Everything that is wrong with a plan, in the order of its tasks; empty when it can run. */
export function validatePlan(plan: Pick<Plan, 'tasks' | 'edges'>, options: ValidationOptions = {}): Problem[] {
  const { tasks } = plan;
  const maxTasks = options.maxTasks ?? PROPOSAL_MAX_TASKS;
  if (tasks.length === 0) return [{ code: 'no_tasks', message: 'the plan has no tasks' }];
  if (tasks.length > maxTasks)
    return [{ code: 'too_many_tasks', message: `the plan has ${tasks.length} tasks, at most ${maxTasks} are allowed` }];
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const problems = [
    ...duplicates(tasks),
    ...tasks.flatMap((task) => taskProblems(task, { byId, types: options.types })),
    ...edgeProblems(plan, byId),
  ];
  const cycle = findCycle(tasks, byId);
  if (cycle === undefined) return [...problems, ...artifactProblems(tasks, byId)];
  const path = cycle.map((id) => `'${byId.get(id)!.name}'`).join(' → ');
  return [...problems, { code: 'cycle', message: `tasks wait for each other in a circle: ${path}`, taskId: cycle[0]! }];
}

interface Known {
  readonly byId: ReadonlyMap<string, Task>;
  readonly types: ReadonlySet<string> | undefined;
}

function duplicates(tasks: readonly Task[]): Problem[] {
  const seen = new Set<string>();
  return tasks.flatMap(({ id }): Problem[] => {
    const isDouble = seen.has(id);
    seen.add(id);
    return isDouble ? [{ code: 'duplicate_task', message: `two tasks have the id ${id}`, taskId: id }] : [];
  });
}

function taskProblems(task: Task, { byId, types }: Known): Problem[] {
  const problems: Problem[] = [];
  const add = (code: Problem['code'], message: string) =>
    problems.push({ code, message: `'${task.name}' ${message}`, taskId: task.id });
  for (const id of task.dependencies)
    if (!byId.has(id)) add('unknown_dependency', `depends on ${id}, which is not in the plan`);
  if (!(agentRoles as readonly string[]).includes(task.assignedTo))
    add('unknown_agent', `is assigned to ${task.assignedTo}; the roles are ${agentRoles.join(', ')}`);
  else
    for (const tool of toolsBeyondRole(task.assignedTo, task.contract.allowedTools))
      add('tool_beyond_role', `asks for ${tool}, which role ${task.assignedTo} is not granted`);
  if (types !== undefined && !types.has(task.type)) add('unknown_type', `has the unknown type ${task.type}`);
  if (!sameKeys(task.contract.inputArtifacts, task.requiredArtifacts))
    add('contract_mismatch', 'needs other artifacts than its contract lists');
  if (!sameKeys(task.contract.outputArtifacts, task.outputArtifacts))
    add('contract_mismatch', 'gives other artifacts than its contract lists');
  if (task.retryLimit > MAX_RETRY_LIMIT) add('limit_exceeded', `has a retry limit above ${MAX_RETRY_LIMIT}`);
  if (task.timeoutSeconds > MAX_TIMEOUT_SECONDS) add('limit_exceeded', 'has a time-out above a week');
  return problems;
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  const keys = new Set(a);
  return keys.size === new Set(b).size && b.every((key) => keys.has(key));
}

function edgeProblems({ edges }: Pick<Plan, 'edges'>, byId: ReadonlyMap<string, Task>): Problem[] {
  return edges.flatMap(({ id, from, to }) =>
    [from, to]
      .filter((end) => !byId.has(end))
      .map((end): Problem => ({ code: 'unknown_edge_end', message: `edge ${id} ends at ${end}, which is no task` })),
  );
}

function artifactProblems(tasks: readonly Task[], byId: ReadonlyMap<string, Task>): Problem[] {
  const producers = new Map<string, Task[]>();
  for (const task of tasks) for (const key of new Set(task.outputArtifacts)) listed(producers, key).push(task);
  const toCheck = new Map<Task, Need[]>();
  const problems = tasks.flatMap((task) =>
    task.requiredArtifacts.flatMap((key): Problem[] => {
      const from = producers.get(key) ?? [];
      const problem = producerProblem(task, key, from);
      if (problem !== undefined) return [problem];
      if (!task.dependencies.includes(from[0]!.id)) listed(toCheck, from[0]!).push({ task, key });
      return [];
    }),
  );
  return [...problems, ...ancestryProblems(toCheck, dependentsOf(tasks, byId))];
}

interface Need {
  readonly task: Task;
  readonly key: string;
}

function producerProblem(task: Task, key: string, from: readonly Task[]): Problem | undefined {
  if (from.length === 1) return undefined;
  if (from.length === 0)
    return { code: 'no_producer', message: `'${task.name}' needs ${key}, which no task gives`, taskId: task.id };
  const names = from.map(({ name }) => `'${name}'`).join(' and ');
  return { code: 'several_producers', message: `${key} is given by ${names}; exactly one task may`, taskId: task.id };
}

/** The list at a key, made when it is missing. */
function listed<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list: V[] = [];
  lists.set(key, list);
  return list;
}

/** One walk per producer from which some task needs an artifact without depending on it directly. */
function ancestryProblems(
  toCheck: ReadonlyMap<Task, readonly Need[]>,
  dependents: ReadonlyMap<string, readonly Task[]>,
): Problem[] {
  return [...toCheck].flatMap(([producer, consumers]) => {
    const reached = new Set(dependents.get(producer.id));
    for (const task of reached) for (const next of dependents.get(task.id) ?? []) reached.add(next);
    return consumers
      .filter(({ task }) => !reached.has(task))
      .map(({ task, key }): Problem => ({
        code: 'producer_not_ancestor',
        message: `'${task.name}' needs ${key} from '${producer.name}' but does not depend on it`,
        taskId: task.id,
      }));
  });
}

function dependentsOf(tasks: readonly Task[], byId: ReadonlyMap<string, Task>): Map<string, Task[]> {
  const dependents = new Map<string, Task[]>();
  for (const task of tasks) for (const id of task.dependencies) if (byId.has(id)) listed(dependents, id).push(task);
  return dependents;
}
