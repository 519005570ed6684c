import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  groupsBelow,
  joinGroups,
  ownCgroups,
  readKeyed,
  readNumber,
  removeDeadGroups,
  removeGroups,
} from './cgroup-folders.ts';
import { PLAIN_LAUNCH, type LimitGroup, type Limiter, type Limits } from './limiter.ts';

const NEEDED = ['memory', 'pids', 'cpu'] as const;
const PERIOD_US = 100_000;
const MIN_QUOTA_US = 1000;
const MICROSECONDS = 1e6;

/**
 * Version 2 control groups, below the nearest group of ours or above us in which folders can be made and that hands
 * the needed controllers down. Undefined where there is none.
 */
export function cgroup2Limiter(
  prefix: string,
  root = '/sys/fs/cgroup',
  own = ownCgroups().get(''),
): Limiter | undefined {
  if (own === undefined || own.includes('..')) return undefined;
  const parent = ancestors(own)
    .map((path) => join(root, path))
    .find((folder) => handsDown(folder) && canMakeFolder(join(folder, `${prefix}probe-${process.pid}`)));
  if (parent === undefined) return undefined;
  return {
    kind: 'cgroup2',
    create: (name) => createGroup(join(parent, `${prefix}${name}`)),
    sweep: async () => {
      removeDeadGroups(parent);
      await removeGroups(groupsBelow(parent, prefix));
    },
  };
}

function createGroup(folder: string): LimitGroup {
  mkdirSync(folder, { mode: 0o755 });
  return {
    join: (pid) => joinGroups([folder], pid),
    apply: (limits) => {
      setLimits(folder, limits);
      return PLAIN_LAUNCH;
    },
    sample: () => sampleGroup(folder),
    remove: () => removeGroups([folder]),
  };
}

function setLimits(folder: string, limits: Limits): void {
  const set = (leaf: string, value: string) => writeFileSync(join(folder, leaf), value);
  set('memory.max', String(limits.memoryBytes));
  // Otherwise a bound on memory would only move it to disk.
  if (existsSync(join(folder, 'memory.swap.max'))) set('memory.swap.max', '0');
  // One process killed for memory takes the rest with it.
  if (existsSync(join(folder, 'memory.oom.group'))) set('memory.oom.group', '1');
  set('pids.max', String(limits.pids));
  set('cpu.max', `${Math.max(MIN_QUOTA_US, Math.round(limits.cpus * PERIOD_US))} ${PERIOD_US}`);
}

/** What a version 2 folder says; also used for the scopes that systemd makes. */
export function sampleGroup(folder: string): {
  readonly outOfMemory: boolean;
  readonly cpuSeconds?: number;
  readonly peakBytes?: number;
} {
  const microseconds = readKeyed(join(folder, 'cpu.stat'), 'usage_usec');
  const peak = readNumber(join(folder, 'memory.peak'));
  return {
    outOfMemory: (readKeyed(join(folder, 'memory.events'), 'oom_kill') ?? 0) > 0,
    ...(microseconds === undefined ? {} : { cpuSeconds: microseconds / MICROSECONDS }),
    ...(peak === undefined ? {} : { peakBytes: peak }),
  };
}

/** `/a/b` gives `/a/b`, `/a`, `/`. */
function ancestors(path: string): string[] {
  return path === '/' ? ['/'] : [path, ...ancestors(dirname(path))];
}

function handsDown(folder: string): boolean {
  try {
    const given = readFileSync(join(folder, 'cgroup.subtree_control'), 'utf8').trim().split(/\s+/);
    return NEEDED.every((controller) => given.includes(controller));
  } catch {
    return false;
  }
}

function canMakeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
