import { join } from 'node:path';
import { Annotation, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { deferred, newId, systemClock } from '@assay/foundation';
import type { Plan } from '@assay/contracts';
import { openFileJournal, openMemoryJournal, type Journal } from '@assay/event-store';
import { newPlan, newTask } from '@assay/plan-graph';
import { createScheduler, ResourcePool, type TaskExecutor } from '@assay/scheduler';
import { PGraph } from 'p-graph';
import type { BenchContext, BenchRow } from './bench-row.ts';
import { percentile } from './percentile.ts';

const SUITE = 'task dispatch';
const P50_MS = 3;
const P99_MS = 12;
/** Ten times the tasks may cost this many times as much. */
const LINEAR = 14;

/**
 * What the scheduler adds to a task that does nothing, from the end of one to the start of the next in a chain, with
 * every transition on disk; and whether 10,000 tasks cost ten times 1,000. The peers run the same chain of empty tasks:
 * LangGraph.js with its checkpointer in memory and p-graph without any record, so neither of them waits for a disk.
 */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  const tasks = Math.max(20, Math.round(500 * context.scale));
  await dispatch(context, 'warm-up', 20);
  const durable = await dispatch(context, 'durable', tasks);
  const peers = [
    { name: 'LangGraph.js, checkpoints in memory', value: await langGraph(tasks) },
    { name: 'p-graph, no record', value: await pGraph(tasks) },
  ];
  const p50 = percentile(durable.gaps, 50);
  const p99 = percentile(durable.gaps, 99);
  context.log(`${SUITE}: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${tasks} tasks`);
  const bounded = { suite: SUITE, unit: 'ms' };
  return [
    { ...bounded, name: 'overhead of a task, durable, p50', value: p50, target: `≤ ${P50_MS} ms`, met: p50 <= P50_MS },
    { ...bounded, name: 'overhead of a task, durable, p99', value: p99, target: `≤ ${P99_MS} ms`, met: p99 <= P99_MS },
    ...peers.map(({ name, value }) => ({
      ...bounded,
      name: `time per task of a chain of ${tasks}, durable`,
      value: durable.perTask,
      peer: { name, value, ratio: durable.perTask / value },
    })),
    ...(await growth(context)),
  ];
}

/** A whole plan in memory at two sizes: what the rules cost when no disk hides it. */
async function growth(context: BenchContext): Promise<BenchRow[]> {
  const large = Math.max(1000, Math.round(10_000 * context.scale));
  const small = large / 10;
  await inMemory(small);
  const smallMs = await inMemory(small);
  const largeMs = await inMemory(large);
  const ratio = largeMs / smallMs;
  return [
    { suite: SUITE, name: `chain of ${large} tasks in memory`, value: largeMs, unit: 'ms' },
    {
      suite: SUITE,
      name: `${large} tasks against ${small}`,
      value: ratio,
      unit: 'times',
      target: `≤ ${LINEAR}`,
      met: ratio <= LINEAR,
    },
  ];
}

interface Dispatched {
  /** Milliseconds from the return of one executor to the call of the next. */
  readonly gaps: readonly number[];
  readonly perTask: number;
}

async function dispatch(context: BenchContext, name: string, tasks: number): Promise<Dispatched> {
  const quest = newId('quest');
  await using journal = await openFileJournal({ dir: join(context.dir, name), quest, clock: systemClock });
  return await runChain(journal, chainPlan(quest, tasks));
}

async function inMemory(tasks: number): Promise<number> {
  const quest = newId('quest');
  await using journal = openMemoryJournal({ quest, clock: systemClock });
  const begin = performance.now();
  await runChain(journal, chainPlan(quest, tasks));
  return performance.now() - begin;
}

async function runChain(journal: Journal, plan: Plan): Promise<Dispatched> {
  const gaps: number[] = [];
  const done = deferred();
  let ended: number | undefined;
  using _ = journal.subscribe(({ type }) => {
    if (type === 'plan.completed') done.resolve();
    if (type === 'plan.failed' || type === 'plan.canceled') done.reject(new Error(`the plan ended with ${type}`));
  });
  const executor: TaskExecutor = {
    execute: async ({ task }) => {
      if (ended !== undefined) gaps.push(performance.now() - ended);
      const outputs = { [task.outputArtifacts[0]!]: { artifactId: `artifact_${task.id}`, type: 'json' } };
      ended = performance.now();
      return { ok: true, outputs, drafts: [], summary: 'nothing was to be done' };
    },
    canRebind: async () => false,
    stop: async () => undefined,
  };
  await using scheduler = createScheduler({
    clock: systemClock,
    executor,
    journals: () => journal,
    slots: ResourcePool.ofMachine(),
  });
  await scheduler.add(plan);
  const begin = performance.now();
  await scheduler.execute(plan.id, 'bench');
  await done.promise;
  return { gaps, perTask: (performance.now() - begin) / plan.tasks.length };
}

function chainPlan(questId: string, tasks: number): Plan {
  return newPlan({
    id: newId('plan'),
    questId,
    traceId: newId('trace'),
    userIntent: 'measure',
    intentType: 'General',
    createdAt: systemClock.now(),
    budget: { maxTaskAttempts: 2 * tasks, maxDurationSeconds: 3600 },
    tasks: Array.from({ length: tasks }, (_, at) =>
      newTask({
        id: `t${at}`,
        name: `Step ${at}`,
        type: 'nothing',
        assignedTo: 'general',
        dependencies: at === 0 ? [] : [`t${at - 1}`],
        requiredArtifacts: at === 0 ? [] : [`k${at - 1}`],
        outputArtifacts: [`k${at}`],
      }),
    ),
  });
}

/** Milliseconds per node of a chain of nodes that each set one value. */
async function langGraph(tasks: number): Promise<number> {
  const state = Annotation.Root({ step: Annotation<number>() });
  const names = Array.from({ length: tasks }, (_, at) => `t${at}`);
  const builder = new StateGraph(state);
  for (const [at, name] of names.entries()) builder.addNode(name, () => ({ step: at }));
  // The builder types node names as literals; these are made in a loop.
  const edges = builder as unknown as { addEdge(from: string, to: string): void };
  edges.addEdge(START, names[0]!);
  for (const [at, name] of names.entries()) edges.addEdge(name, names[at + 1] ?? END);
  const graph = builder.compile({ checkpointer: new MemorySaver() });
  const begin = performance.now();
  await graph.invoke({ step: -1 }, { recursionLimit: tasks + 10, configurable: { thread_id: 'bench' } });
  return (performance.now() - begin) / tasks;
}

/** Milliseconds per node of a chain of empty async functions. */
async function pGraph(tasks: number): Promise<number> {
  const names = Array.from({ length: tasks }, (_, at) => `t${at}`);
  const nodes = Object.fromEntries(names.map((name) => [name, { run: async () => undefined }]));
  const edges = names.slice(1).map((name, at): [string, string] => [names[at]!, name]);
  const begin = performance.now();
  await new PGraph(nodes, edges).run();
  return (performance.now() - begin) / tasks;
}
