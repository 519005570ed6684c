import { readFileSync, readdirSync } from 'node:fs';
import { memoryOf, processTree } from './process-tree.ts';
import type { LimitGroup, Limiter, Limits } from './limiter.ts';

/**
 * The last rung: no control groups. RLIMIT_NPROC bounds processes (never for root, for whom it has no effect), and a
 * watchdog on the session's process tree bounds memory and processes within one sample. CPU is not bounded.
 */
export function rlimitLimiter(): Limiter {
  return { kind: 'rlimit', create: () => createGroup(), sweep: () => Promise.resolve() };
}

function createGroup(): LimitGroup {
  let limits: Limits | undefined;
  let peakBytes = 0;
  return {
    join: () => Promise.resolve(),
    apply: (wanted) => {
      limits = wanted;
      const uid = process.getuid?.() ?? 0;
      return { launcher: [], maxUserProcesses: uid === 0 ? undefined : processesOf(uid) + wanted.pids };
    },
    sample: (initPid) => {
      const tree = initPid === undefined ? [] : processTree(initPid);
      const memory = memoryOf(tree);
      peakBytes = Math.max(peakBytes, memory);
      return {
        outOfMemory: limits !== undefined && memory > limits.memoryBytes,
        tooManyProcesses: limits !== undefined && tree.length > limits.pids,
        ...(peakBytes === 0 ? {} : { peakBytes }),
      };
    },
    remove: () => Promise.resolve([]),
  };
}

/** Threads of all processes of a user: what RLIMIT_NPROC counts. */
function processesOf(uid: number): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, pid) => sum + threadsOf(pid, uid), 0);
}

function threadsOf(pid: string, uid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const owner = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
    return owner === uid ? Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]) : 0;
  } catch {
    return 0;
  }
}
