import { roleTools, deriveEdges, newTask, validatePlan, CORE_MAX_TASKS, type TaskDraft } from '@assay/plan-graph';
import { verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import type { Task } from '@assay/contracts';

type Short = Partial<TaskDraft> & { readonly id: string };

function tasksOf(...tasks: Short[]): Task[] {
  return tasks.map((task) => newTask({ name: task.id.toUpperCase(), type: 'work', assignedTo: 'coder', ...task }));
}

function problems(tasks: Task[], options = {}): string[] {
  return validatePlan({ tasks, edges: deriveEdges(tasks) }, options).map(({ code, message }) => `${code}: ${message}`);
}

describe('validatePlan', () => {
  it('takes a diamond whose artifact comes from two steps above', () => {
    verifies('plan.valid');
    const tasks = tasksOf(
      { id: 'a', outputArtifacts: ['x'] },
      { id: 'b', dependencies: ['a'] },
      { id: 'c', dependencies: ['a'] },
      { id: 'd', dependencies: ['b', 'c'], requiredArtifacts: ['x'] },
    );
    expect(problems(tasks)).toEqual([]);
  });

  it('names the cycle', () => {
    verifies('plan.valid');
    const tasks = tasksOf(
      { id: 'free' },
      { id: 'a', dependencies: ['c'] },
      { id: 'b', dependencies: ['a'] },
      { id: 'c', dependencies: ['b'] },
    );
    expect(problems(tasks)).toEqual(["cycle: tasks wait for each other in a circle: 'A' → 'B' → 'C' → 'A'"]);
    expect(problems(tasksOf({ id: 'a', dependencies: ['a'] }))).toEqual([
      "cycle: tasks wait for each other in a circle: 'A' → 'A'",
    ]);
  });

  it('asks for exactly one producer, which is an ancestor', () => {
    verifies('plan.valid');
    const tasks = tasksOf(
      { id: 'a', outputArtifacts: ['x', 'twice'] },
      { id: 'b', outputArtifacts: ['twice'] },
      { id: 'c', requiredArtifacts: ['x', 'twice', 'nothing'] },
    );
    expect(problems(tasks)).toEqual([
      "several_producers: twice is given by 'A' and 'B'; exactly one task may",
      "no_producer: 'C' needs nothing, which no task gives",
      "producer_not_ancestor: 'C' needs x from 'A' but does not depend on it",
    ]);
    expect(problems(tasksOf({ id: 'a', outputArtifacts: ['x'], requiredArtifacts: ['x'] }))).toEqual([
      "producer_not_ancestor: 'A' needs x from 'A' but does not depend on it",
    ]);
  });

  it('refuses doubled ids, loose ends, unknown roles and types, tools beyond the role', () => {
    verifies('plan.valid');
    const tasks = tasksOf(
      { id: 'a', dependencies: ['ghost'], allowedTools: ['repository.read', 'sandbox.command'] },
      { id: 'a' },
      { id: 'b', assignedTo: 'wizard' as 'coder', type: 'magic' },
    );
    expect(problems(tasks, { types: new Set(['work']) })).toEqual([
      'duplicate_task: two tasks have the id a',
      "unknown_dependency: 'A' depends on ghost, which is not in the plan",
      "tool_beyond_role: 'A' asks for sandbox.command, which role coder is not granted",
      "unknown_agent: 'B' is assigned to wizard; the roles are librarian, coder, sandbox, data, benchmark_adapter, general",
      "unknown_type: 'B' has the unknown type magic",
      'unknown_edge_end: edge edge_1 ends at ghost, which is no task',
    ]);
  });

  it('refuses a contract that differs from the task, and limits passed', () => {
    verifies('plan.valid');
    const [task] = tasksOf({ id: 'a', outputArtifacts: ['x'], retryLimit: 11, timeoutSeconds: 604_801 });
    const changed = { ...task!, contract: { ...task!.contract, outputArtifacts: ['y'], inputArtifacts: ['z'] } };
    expect(problems([changed])).toEqual([
      "contract_mismatch: 'A' needs other artifacts than its contract lists",
      "contract_mismatch: 'A' gives other artifacts than its contract lists",
      "limit_exceeded: 'A' has a retry limit above 10",
      "limit_exceeded: 'A' has a time-out above a week",
    ]);
  });

  it('takes 60 tasks of a proposal and 100,000 of the core, and at least one', () => {
    verifies('plan.valid');
    const many = (count: number) => tasksOf(...Array.from({ length: count }, (_, at) => ({ id: `t${at}` })));
    expect(problems(many(60))).toEqual([]);
    expect(problems(many(61))).toEqual(['too_many_tasks: the plan has 61 tasks, at most 60 are allowed']);
    expect(problems([])).toEqual(['no_tasks: the plan has no tasks']);
    expect(CORE_MAX_TASKS).toBe(100_000);
    const chain = tasksOf(
      ...Array.from({ length: 100_000 }, (_, at) => ({
        id: `t${at}`,
        dependencies: at === 0 ? [] : [`t${at - 1}`],
        outputArtifacts: at === 0 ? ['x'] : [],
        requiredArtifacts: at === 0 ? [] : ['x'],
      })),
    );
    expect(problems(chain, { maxTasks: CORE_MAX_TASKS })).toEqual([]);
  });
});

it('pins the grants of the roles', () => {
  verifies('plan.valid');
  expect(roleTools).toEqual({
    librarian: ['paper.read', 'paper.search', 'repository.discover', 'knowledge.search'],
    coder: ['repository.read', 'workspace.write', 'code.generate'],
    sandbox: ['sandbox.create', 'sandbox.command', 'sandbox.delete'],
    data: ['artifact.read', 'metrics.compute', 'plot.render', 'report.write'],
    benchmark_adapter: [
      'repository.read',
      'dataset.profile',
      'workspace.write_scoped',
      'sandbox.command',
      'metrics.validate',
    ],
    general: ['conversation.respond', 'knowledge.search'],
  });
});

it('derives control and data edges, never to itself', () => {
  verifies('plan.edges');
  const tasks = tasksOf(
    { id: 'a', outputArtifacts: ['x'] },
    { id: 'b', dependencies: ['a'], requiredArtifacts: ['x', 'b_own'], outputArtifacts: ['b_own'] },
    { id: 'c', dependencies: ['a', 'b'], requiredArtifacts: ['unknown'] },
  );
  expect(deriveEdges(tasks)).toEqual([
    { id: 'edge_1', from: 'a', to: 'b', kind: 'control' },
    { id: 'edge_2', from: 'a', to: 'b', kind: 'data', artifact: 'x' },
    { id: 'edge_3', from: 'a', to: 'c', kind: 'control' },
    { id: 'edge_4', from: 'b', to: 'c', kind: 'control' },
  ]);
});
