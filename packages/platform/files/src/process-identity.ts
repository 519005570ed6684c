import { readFileSync } from 'node:fs';

/** A process id alone is reused by the kernel; with start time and boot id it names one process for ever. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of /proc/<pid>/stat: clock ticks since boot. */
  readonly startTime: string;
  readonly bootId: string;
}

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, startTime: processStartTime(process.pid) ?? '', bootId: bootId() };
}

/** True while exactly this process lives (a zombie counts as dead). */
export function isSameProcess(identity: ProcessIdentity): boolean {
  return identity.bootId === bootId() && processStartTime(identity.pid) === identity.startTime;
}

/** The start time of a living process, read after the last `)` because a command name may hold anything. */
export function processStartTime(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // no such process
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

let cachedBootId: string | undefined;

export function bootId(): string {
  cachedBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return cachedBootId;
}
