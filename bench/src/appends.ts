import { pbkdf2, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { deflate } from 'node:zlib';
import { systemClock } from '@assay/foundation';
import type { EventDraft } from '@assay/contracts';
import { lowerThreadPoolPriority, openFileJournal, type Journal } from '@assay/event-store';
import type { BenchContext, BenchRow } from './bench-row.ts';
import { percentile } from './percentile.ts';
import { rawInOneThread, rawInTwoThreads } from './raw-group-commit.ts';

const SUITE = 'acknowledged appends';
const WRITERS = 64;
const QUEST = 'quest_01JD0000000000000000000000';

/**
 * Events per second that 64 writers get acknowledged (validated, written, synced), alone and while eight jobs keep the
 * thread pool busy. The pool has the priority that the daemon gives it. The peers commit as many bytes in groups and do
 * nothing else.
 */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  const pool = await lowerThreadPoolPriority();
  context.log(`${pool.threads} threads of the pool have niceness ${pool.niceness}, as in the daemon`);
  const ms = 4000 * context.scale;
  const quiet = await measure(context, 'quiet', ms);
  const stop = new AbortController();
  const jobs = Array.from({ length: 8 }, (_, index) => busyJob(index, stop.signal));
  const busy = await measure(context, 'busy', ms);
  stop.abort();
  await Promise.all(jobs);
  return [...rowsOf('64 writers', quiet), ...rowsOf('64 writers, 8 thread-pool jobs', busy)];
}

interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly rawOneThread: number;
  readonly rawTwoThreads: number;
}

/** Ours and the peers take turns, because a shared disk and a shared processor change. */
const TURNS = 4;

async function measure(context: BenchContext, name: string, ms: number): Promise<Measured> {
  await using journal = await openFileJournal({ dir: join(context.dir, name), quest: QUEST, clock: systemClock });
  await hammer(journal, ms / 4); // warm up
  const latencies: number[] = [];
  const rates = { ours: 0, one: 0, two: 0 };
  for (let turn = 0; turn < TURNS; turn++) {
    const raw = { file: join(context.dir, `${name}-raw`), writers: WRITERS, ms: ms / 2 / TURNS };
    rates.one += (await rawInOneThread(raw)) / TURNS;
    const ours = await hammer(journal, ms / TURNS);
    rates.ours += ours.perSecond / TURNS;
    for (const latency of ours.latencies) latencies.push(latency); // too many to be arguments
    rates.two += (await rawInTwoThreads(raw)) / TURNS;
  }
  context.log(`${SUITE}, ${name}: ${Math.round(rates.ours)}/s`);
  return {
    perSecond: rates.ours,
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    rawOneThread: rates.one,
    rawTwoThreads: rates.two,
  };
}

async function hammer(journal: Journal, ms: number): Promise<{ perSecond: number; latencies: number[] }> {
  const latencies: number[] = [];
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let turn = 0; performance.now() - begin < ms; turn++) {
        const start = performance.now();
        await journal.append([draft(writer, turn)]);
        latencies.push(performance.now() - start);
      }
    }),
  );
  return { perSecond: (latencies.length * 1000) / (performance.now() - begin), latencies };
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

/** Hashing and compressing in the thread pool, one after the other. */
async function busyJob(index: number, signal: AbortSignal): Promise<void> {
  const bytes = randomBytes(1 << 20);
  while (!signal.aborted)
    await new Promise<void>((resolve) => {
      if (index % 2 === 0) pbkdf2('secret', 'salt', 20_000, 32, 'sha256', () => resolve());
      else deflate(bytes, () => resolve());
    });
}

function rowsOf(name: string, measured: Measured): BenchRow[] {
  const { perSecond, p50, p99, rawOneThread, rawTwoThreads } = measured;
  const row = { suite: SUITE, value: perSecond, unit: 'events/s' };
  const against = (peer: string, value: number) => ({ name: peer, value, ratio: perSecond / value });
  return [
    {
      ...row,
      name,
      target: '≥ 40,000/s and ≥ 60 % of raw',
      met: perSecond >= 40_000 && perSecond / rawTwoThreads >= 0.6,
      peer: against('raw group commit of 64 writers, a second thread writes and syncs', rawTwoThreads),
    },
    {
      ...row,
      name: `${name}, against one thread`,
      peer: against('raw group commit of 64 writers, one thread that every sync blocks', rawOneThread),
    },
    { suite: SUITE, name: `${name}, p50`, value: p50, unit: 'ms' },
    { suite: SUITE, name: `${name}, p99`, value: p99, unit: 'ms', target: '≤ 4 ms', met: p99 <= 4 },
  ];
}
