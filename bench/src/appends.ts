import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '@assay/foundation';
import type { EventDraft } from '@assay/contracts';
import { lowerThreadPoolPriority, openFileJournal, type Journal } from '@assay/event-store';
import type { BenchContext, BenchRow } from './bench-row.ts';
import { percentile } from './percentile.ts';
import { poolJobs } from './pool-jobs.ts';
import type { RawTask } from './raw-child.ts';
import { rawInTwoThreads } from './raw-group-commit.ts';

const SUITE = 'acknowledged appends';
const WRITERS = 64;
const JOBS = 8;
const QUEST = 'quest_01JD0000000000000000000000';

const execute = promisify(execFile);

/**
 * Events per second that 64 writers get acknowledged (validated, written, synced), alone and while eight jobs keep the
 * thread pool busy. The pool has the priority and the processors that the daemon gives it. The peers commit as many bytes
 * in groups and do nothing else, in a plain program of their own with as many jobs; one more does in this program.
 */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  const pool = await lowerThreadPoolPriority();
  const { threads, niceness, processors } = pool;
  context.log(`${threads} threads of the pool have niceness ${niceness} and processors ${processors ?? 'as all'}`);
  const ms = 4000 * context.scale;
  const quiet = await measure(context, { name: 'quiet', jobs: 0, ms });
  const busy = await measure(context, { name: 'busy', jobs: JOBS, ms });
  return [...rowsOf('64 writers', quiet), ...rowsOf(`64 writers, ${JOBS} thread-pool jobs`, busy)];
}

interface Load {
  readonly name: string;
  readonly jobs: number;
  readonly ms: number;
}

interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Lines per second of the peers. */
  readonly one: number;
  readonly two: number;
  readonly twoHere: number;
}

/** Ours and the peer in this program take turns, because a shared disk and a shared processor change. */
const TURNS = 4;

async function measure(context: BenchContext, { name, jobs, ms }: Load): Promise<Measured> {
  await using journal = await openFileJournal({ dir: join(context.dir, name), quest: QUEST, clock: systemClock });
  const raw = { file: join(context.dir, `${name}-raw`), writers: WRITERS, ms: ms / 2 / TURNS, jobs };
  const latencies: number[] = [];
  const rates = { perSecond: 0, twoHere: 0 };
  const before = await inPlainProgram(raw);
  await underLoad(jobs, async () => {
    await hammer(journal, ms / 4); // warm up
    for (let turn = 0; turn < TURNS; turn++) {
      const ours = await hammer(journal, ms / TURNS);
      rates.perSecond += ours.perSecond / TURNS;
      for (const latency of ours.latencies) latencies.push(latency); // too many to be arguments
      rates.twoHere += (await rawInTwoThreads(raw)) / TURNS;
    }
  });
  const after = await inPlainProgram(raw);
  context.log(`${SUITE}, ${name}: ${Math.round(rates.perSecond)}/s`);
  return {
    ...rates,
    one: (before.one + after.one) / 2,
    two: (before.two + after.two) / 2,
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
  };
}

async function underLoad(jobs: number, what: () => Promise<void>): Promise<void> {
  await using _jobs = poolJobs(jobs);
  await what();
}

/** The peers by themselves, before and after ours: two processes with eight jobs each would disturb each other. */
async function inPlainProgram(raw: Omit<RawTask, 'threads'>): Promise<{ one: number; two: number }> {
  const program = join(dirname(process.argv[1]!), 'raw-child.mjs');
  const rate = async (threads: RawTask['threads']) => {
    const task: RawTask = { ...raw, ms: raw.ms * 2, threads };
    const { stdout } = await execute(process.execPath, [program, JSON.stringify(task)]);
    return Number(stdout);
  };
  return { one: await rate(1), two: await rate(2) };
}

/** Room for the latencies of a turn, made before it: what the measuring takes would count as ours. */
const noted = new Float64Array(1 << 20);

async function hammer(journal: Journal, ms: number): Promise<{ perSecond: number; latencies: Float64Array }> {
  let count = 0;
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      let start = performance.now();
      for (let turn = 0; start - begin < ms; turn++) {
        await journal.append([draft(writer, turn)]);
        const end = performance.now();
        noted[count++ % noted.length] = end - start;
        start = end;
      }
    }),
  );
  const perSecond = (count * 1000) / (performance.now() - begin);
  return { perSecond, latencies: noted.slice(0, Math.min(count, noted.length)) };
}

function draft(writer: number, turn: number): EventDraft {
  return {
    type: 'plan.task_log',
    scope: { plan: 'plan_01JD0000000000000000000000', task: `task_${writer}` },
    trace: 'trace_01JD0000000000000000000000',
    span: 'span_01JD0000000000000000000000',
    data: { executionId: `exec_${writer}`, level: 'info', message: `step ${turn} of writer ${writer}` },
  };
}

function rowsOf(name: string, measured: Measured): BenchRow[] {
  const { perSecond, p50, p99, one, two, twoHere } = measured;
  const row = { suite: SUITE, value: perSecond, unit: 'events/s' };
  const against = (peer: string, value: number) => ({ name: peer, value, ratio: perSecond / value });
  const raw = 'raw group commit of 64 writers';
  return [
    {
      ...row,
      name,
      target: '≥ 40,000/s and ≥ 60 % of raw',
      met: perSecond >= 40_000 && perSecond / two >= 0.6,
      peer: against(`${raw}, a plain program, a second thread writes and syncs`, two),
    },
    {
      ...row,
      name: `${name}, against one thread`,
      peer: against(`${raw}, a plain program, one thread that every sync blocks`, one),
    },
    {
      ...row,
      name: `${name}, against the same pool`,
      peer: against(`${raw}, a second thread, with Assay’s thread pool`, twoHere),
    },
    { suite: SUITE, name: `${name}, p50`, value: p50, unit: 'ms' },
    { suite: SUITE, name: `${name}, p99`, value: p99, unit: 'ms', target: '≤ 4 ms', met: p99 <= 4 },
  ];
}
