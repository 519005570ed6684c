import { closeSync, openSync, readSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@assay/foundation';
import type { EventDraft } from '@assay/contracts';
import { openFileJournal, type Journal, type Projection } from '@assay/event-store';
import type { BenchContext, BenchRow } from './bench-row.ts';

const SUITE = 'open 1,000,000 events';
const QUEST = 'quest_01JD0000000000000000000000';
const BATCH = 1000;

/** Opening means: the journal is ready to append and one projection stands at the last event. */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  const dir = join(context.dir, 'million');
  const total = Math.max(2 * BATCH, Math.round(1000 * context.scale) * BATCH);
  await write(dir, total);
  context.log(`${SUITE}: ${total} events written`);
  const withSnapshot = await open(dir, total);
  await rm(join(dir, 'state'), { recursive: true });
  const rebuilt = await open(dir, total);
  const replay = await replayLines(join(dir, 'events'));
  const read = await readOnce(join(dir, 'events'));
  return [
    row('with snapshot', { value: withSnapshot.ms, most: 150, peer: ['JSON.parse of every line', replay] }),
    row('all state deleted', { value: rebuilt.ms, most: 4000, peer: ['JSON.parse of every line', replay] }),
    row('all state deleted, against reading', {
      value: rebuilt.ms,
      most: 4000,
      peer: ['reading the files once', read],
    }),
    row('tail of 200 events', { value: withSnapshot.tailMs, most: 5, peer: ['reading the files once', read] }),
  ];
}

async function write(dir: string, total: number): Promise<void> {
  await using journal = await openFileJournal({ dir, quest: QUEST, clock: systemClock });
  await journal.project(perTask);
  for (let at = 0; at < total; at += BATCH)
    await journal.append(Array.from({ length: BATCH }, (_, index) => draft(at + index)));
}

async function open(dir: string, total: number): Promise<{ ms: number; tailMs: number }> {
  const begin = performance.now();
  await using journal = await openFileJournal({ dir, quest: QUEST, clock: systemClock });
  const projected = await journal.project(perTask);
  const ms = performance.now() - begin;
  if (projected.state.events !== total) throw new Error(`${projected.state.events} events instead of ${total}`);
  return { ms, tailMs: await tail(journal) };
}

async function tail(journal: Journal): Promise<number> {
  const begin = performance.now();
  const events = await journal.read({ limit: 200 });
  if (events.length !== 200) throw new Error(`a tail of ${events.length} events`);
  return performance.now() - begin;
}

function draft(index: number): EventDraft {
  return {
    type: 'plan.task_log',
    scope: { plan: 'plan_01JD0000000000000000000000', task: `task_${index % 500}` },
    trace: 'trace_01JD0000000000000000000000',
    span: 'span_01JD0000000000000000000000',
    data: { executionId: `exec_${index % 500}`, level: 'info', message: `line ${index} of the log of a task` },
  };
}

interface PerTask {
  events: number;
  readonly counts: Map<string, number>;
}

const perTask: Projection<PerTask> = {
  name: 'per-task',
  version: 1,
  initial: () => ({ events: 0, counts: new Map() }),
  reduce: (state, event) => {
    const task = event.scope.task ?? '';
    state.counts.set(task, (state.counts.get(task) ?? 0) + 1);
    state.events++;
    return state;
  },
  serialize: (state) => ({ events: state.events, counts: [...state.counts] }),
  parse: (stored) => {
    const { events, counts } = stored as { events: number; counts: [string, number][] };
    return { events, counts: new Map(counts) };
  },
};

/** The whole log line by line with one reused buffer: what opening costs without snapshots, checks and validation. */
async function replayLines(events: string): Promise<number> {
  const begin = performance.now();
  let lines = 0;
  await eachChunk(events, (bytes) => {
    const end = bytes.lastIndexOf(10) + 1;
    for (let at = 0; at < end; lines++) {
      const next = bytes.indexOf(10, at);
      JSON.parse(bytes.toString('utf8', at, next));
      at = next + 1;
    }
    return end;
  });
  if (lines === 0) throw new Error('nothing was replayed');
  return performance.now() - begin;
}

async function readOnce(events: string): Promise<number> {
  const begin = performance.now();
  await eachChunk(events, (bytes) => bytes.length);
  return performance.now() - begin;
}

/** `consume` says how many bytes it took. */
async function eachChunk(events: string, consume: (bytes: Buffer) => number): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(1 << 20);
  for (const name of (await readdir(events)).filter((file) => file.endsWith('.jsonl'))) {
    const fd = openSync(join(events, name), 'r');
    let position = 0;
    for (let count = 1; count > 0;) {
      count = readSync(fd, buffer, 0, buffer.length, position);
      if (count > 0) position += consume(buffer.subarray(0, count));
    }
    closeSync(fd);
  }
}

function row(name: string, figure: { value: number; most: number; peer: [string, number] }): BenchRow {
  const [peer, peerValue] = figure.peer;
  return {
    suite: SUITE,
    name,
    value: figure.value,
    unit: 'ms',
    target: `≤ ${figure.most} ms`,
    met: figure.value <= figure.most,
    peer: { name: peer, value: peerValue, ratio: figure.value / peerValue },
  };
}
