import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** More than any bound on processes that is asked for here; a walk stops there. */
const MAX_PROCESSES = 20_000;
const KIB = 1024;

/**
 * Every process below `pid`, itself included. Complete for process 1 of a pid namespace: whoever loses its parent
 * inside becomes its child.
 */
export function processTree(pid: number): number[] {
  const found = [pid];
  for (let next = 0; next < found.length && found.length < MAX_PROCESSES; next += 1)
    found.push(...childrenOf(found[next]!));
  return found;
}

/** Direct children of all threads of a process; empty when it is gone. */
export function childrenOf(pid: number): number[] {
  if (!existsSync('/proc/thread-self/children')) return childrenByParent(pid);
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => childrenOfThread(pid, thread));
  } catch {
    return [];
  }
}

function childrenOfThread(pid: number, thread: string): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** For kernels without `children` files (CONFIG_PROC_CHILDREN): every process is asked for its parent. */
export function childrenByParent(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** Memory of the processes together, shared pages counted once (PSS), or resident pages where that is not readable. */
export function memoryOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + memoryOfOne(pid), 0);
}

function memoryOfOne(pid: number): number {
  return sizeIn(`/proc/${pid}/smaps_rollup`, 'Pss') ?? sizeIn(`/proc/${pid}/status`, 'VmRSS') ?? 0;
}

function sizeIn(file: string, field: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const kib = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1];
  return kib === undefined ? undefined : Number(kib) * KIB;
}
