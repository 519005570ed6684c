import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { pbkdf2, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { deflate } from 'node:zlib';
import { systemClock } from '@assay/foundation';
import type { EventDraft } from '@assay/contracts';
import { openFileJournal, type Journal } from '@assay/event-store';
import type { BenchContext, BenchRow } from './bench-row.ts';
import { percentile } from './percentile.ts';

const SUITE = 'acknowledged appends';
const WRITERS = 64;
const QUEST = 'quest_01JD0000000000000000000000';

/**
 * Events per second that 64 writers get acknowledged (validated, written, synced), alone and while eight jobs keep the
 * thread pool busy. The peer is a bare group commit of as many bytes: no checks, no ids, no second thread.
 */
export async function run(context: BenchContext): Promise<BenchRow[]> {
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
  readonly rawPerSecond: number;
}

async function measure(context: BenchContext, name: string, ms: number): Promise<Measured> {
  await using journal = await openFileJournal({ dir: join(context.dir, name), quest: QUEST, clock: systemClock });
  await hammer(journal, ms / 4); // warm up
  // Half of the raw rounds before and half after, because a shared disk changes.
  const before = await rawGroupCommits(join(context.dir, `${name}-raw-1`), ms / 2);
  const { perSecond, latencies } = await hammer(journal, ms);
  const after = await rawGroupCommits(join(context.dir, `${name}-raw-2`), ms / 2);
  context.log(`${SUITE}, ${name}: ${Math.round(perSecond)}/s`);
  return {
    perSecond,
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    rawPerSecond: (before + after) / 2,
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

/**
 * Lines per second of a group commit that does nothing else: 64 writers with a finished line each, one write and one
 * fdatasync per turn of the event loop, in the same thread.
 */
async function rawGroupCommits(file: string, ms: number): Promise<number> {
  const line = `${'x'.repeat(379)}\n`;
  const fd = openSync(file, 'w');
  let waiting: (() => void)[] = [];
  const commit = () => {
    const group = waiting;
    waiting = [];
    writeSync(fd, line.repeat(group.length));
    fdatasyncSync(fd);
    for (const done of group) done();
  };
  const begin = performance.now();
  let lines = 0;
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (; performance.now() - begin < ms; lines++)
        await new Promise<void>((resolve) => {
          if (waiting.push(resolve) === 1) setImmediate(commit);
        });
    }),
  );
  const seconds = (performance.now() - begin) / 1000;
  closeSync(fd);
  return lines / seconds;
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
  const { perSecond, p50, p99, rawPerSecond } = measured;
  const ratio = perSecond / rawPerSecond;
  return [
    {
      suite: SUITE,
      name,
      value: perSecond,
      unit: 'events/s',
      target: '≥ 40,000/s and ≥ 60 % of raw',
      met: perSecond >= 40_000 && ratio >= 0.6,
      peer: { name: 'raw group commit of 64 writers (write, fdatasync)', value: rawPerSecond, ratio },
    },
    { suite: SUITE, name: `${name}, p50`, value: p50, unit: 'ms' },
    { suite: SUITE, name: `${name}, p99`, value: p99, unit: 'ms', target: '≤ 4 ms', met: p99 <= 4 },
  ];
}
