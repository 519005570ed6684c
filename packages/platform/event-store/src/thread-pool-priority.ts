import { readlink } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { errorText } from '@assay/foundation';

/** Below the rest of the process, in the kernel's niceness. */
const STEP = 10;
const LOWEST = 19;
const ROUNDS = 20;

export interface PoolPriority {
  /** Threads of the pool that were found and have the niceness now. */
  readonly threads: number;
  readonly niceness: number;
  /** Why threads have kept theirs; undefined when none has. */
  readonly why: string | undefined;
}

/**
 * Gives the threads of libuv's pool (files, hashing, compression) a lower priority than the threads that answer and that
 * write journals, so that a full pool does not take the processors from them. Needs no privilege. A pool that stays as it
 * is costs only that: nothing rejects.
 */
export async function lowerThreadPoolPriority(): Promise<PoolPriority> {
  const niceness = Math.min(getPriority() + STEP, LOWEST);
  const size = poolSize();
  const found = new Set<number>();
  try {
    // A thread of the pool tells its own id; who answers is by chance.
    for (let round = 0; round < ROUNDS && found.size < size; round++) {
      const links = await Promise.all(Array.from({ length: 4 * size }, () => readlink('/proc/thread-self')));
      for (const thread of links.map((link) => Number(link.split('/').at(-1)))) {
        if (!found.has(thread)) setPriority(thread, niceness);
        found.add(thread);
      }
    }
  } catch (error) {
    return { threads: found.size, niceness, why: errorText(error) };
  }
  const missing = size - found.size;
  return { threads: found.size, niceness, why: missing > 0 ? `${missing} threads of the pool were busy` : undefined };
}

/** As libuv reads it: 4 when it is not set, and never fewer than one. */
function poolSize(): number {
  const wanted = process.env['UV_THREADPOOL_SIZE'];
  if (wanted === undefined) return 4;
  return Math.min(Math.max(Math.trunc(Number(wanted)) || 1, 1), 1024);
}
