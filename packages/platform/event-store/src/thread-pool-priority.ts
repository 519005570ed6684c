import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { promisify } from 'node:util';
import { errorText } from '@assay/foundation';
import { withoutFirst } from './processor-list.ts';

/** Below the rest of the process, in the kernel's niceness. */
const STEP = 10;
const LOWEST = 19;
const ROUNDS = 20;
const TASKSET_MS = 5000;

const run = promisify(execFile);

export interface PoolPriority {
  /** Threads of the pool that were found and have the niceness now. */
  readonly threads: number;
  readonly niceness: number;
  /** The processors that they may use, as a list like `1-3,5`; undefined when all are left to them. */
  readonly processors: string | undefined;
  /** Why threads have kept what they had; undefined when none has. */
  readonly why: string | undefined;
}

/**
 * Gives the threads of libuv's pool (files, hashing, compression) a lower priority than the threads that answer and that
 * write journals, and leaves those one processor of their own, so that a full pool does not take the processors from
 * them. Needs no privilege. A pool that stays as it is costs only that: nothing rejects.
 */
export async function lowerThreadPoolPriority(): Promise<PoolPriority> {
  const niceness = Math.min(getPriority() + STEP, LOWEST);
  const found = new Set<number>();
  let processors: string | undefined;
  try {
    await findThreads(found, niceness);
    processors = await leaveOneProcessor(found);
  } catch (error) {
    return { threads: found.size, niceness, processors, why: errorText(error) };
  }
  const missing = poolSize() - found.size;
  const why = missing > 0 ? `${missing} threads of the pool were busy` : undefined;
  return { threads: found.size, niceness, processors, why };
}

async function findThreads(found: Set<number>, niceness: number): Promise<void> {
  const size = poolSize();
  // A thread of the pool tells its own id; who answers is by chance.
  for (let round = 0; round < ROUNDS && found.size < size; round++) {
    const links = await Promise.all(Array.from({ length: 4 * size }, () => readlink('/proc/thread-self')));
    for (const thread of links.map((link) => Number(link.split('/').at(-1)))) {
      if (!found.has(thread)) setPriority(thread, niceness);
      found.add(thread);
    }
  }
}

/** A fair share of the processors goes to threads of any niceness, in pieces of some milliseconds. */
async function leaveOneProcessor(threads: ReadonlySet<number>): Promise<string | undefined> {
  const status = await readFile('/proc/self/status', 'latin1');
  const others = withoutFirst(/^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? '');
  if (others === undefined) return undefined;
  for (const thread of threads)
    await run('taskset', ['-cp', others, String(thread)], { timeout: TASKSET_MS, env: { PATH: process.env['PATH'] } });
  return others;
}

/** As libuv reads it: 4 when it is not set, and never fewer than one. */
function poolSize(): number {
  const wanted = process.env['UV_THREADPOOL_SIZE'];
  if (wanted === undefined) return 4;
  return Math.min(Math.max(Math.trunc(Number(wanted)) || 1, 1), 1024);
}
