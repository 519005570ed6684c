import { accessSync, constants, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

const controllers = ['memory', 'pids', 'cpu', 'cpuacct'] as const;
type Controller = (typeof controllers)[number];

const PERIOD_US = 100_000;
/** The kernel refuses quotas under one millisecond. */
const MIN_QUOTA_US = 1000;
const NANOSECONDS = 1e9;

/** Version 1 control groups below our own, one folder per controller. Undefined where they cannot be made. */
export function cgroup1Limiter(
  prefix: string,
  root = '/sys/fs/cgroup',
  own: ReadonlyMap<string, string> = ownCgroups(),
): Limiter | undefined {
  const parents = new Map<Controller, string>();
  for (const controller of controllers) {
    const parent = join(root, controller, own.get(controller) ?? 'missing');
    // cpu and cpuacct are often one hierarchy under two names.
    if (own.has(controller) && isWritable(parent)) parents.set(controller, realpathSync(parent));
  }
  if (!(['memory', 'pids', 'cpu'] as const).every((needed) => parents.has(needed))) return undefined;
  return {
    kind: 'cgroup1',
    create: (name) => createGroup(parents, `${prefix}${name}`),
    sweep: async () => {
      for (const parent of parents.values()) removeDeadGroups(parent);
      await removeGroups([...parents.values()].flatMap((parent) => groupsBelow(parent, prefix)));
    },
  };
}

function createGroup(parents: ReadonlyMap<Controller, string>, name: string): LimitGroup {
  const folders = new Map([...parents].map(([controller, parent]) => [controller, join(parent, name)]));
  const all = [...new Set(folders.values())];
  const file = (controller: Controller, leaf: string) => join(folders.get(controller) ?? '/nonexistent', leaf);
  for (const folder of all) mkdirSync(folder, { mode: 0o755 });
  return {
    join: (pid) => joinGroups(all, pid),
    apply: (limits) => {
      setLimits(file, limits);
      return PLAIN_LAUNCH;
    },
    sample: () => {
      const nanoseconds = readNumber(file('cpuacct', 'cpuacct.usage'));
      const peak = readNumber(file('memory', 'memory.max_usage_in_bytes'));
      return {
        outOfMemory: (readKeyed(file('memory', 'memory.oom_control'), 'oom_kill') ?? 0) > 0,
        ...(nanoseconds === undefined ? {} : { cpuSeconds: nanoseconds / NANOSECONDS }),
        ...(peak === undefined ? {} : { peakBytes: peak }),
      };
    },
    remove: () => removeGroups(all),
  };
}

function setLimits(file: (controller: Controller, leaf: string) => string, limits: Limits): void {
  write(file('memory', 'memory.limit_in_bytes'), limits.memoryBytes);
  // Swap counts too where the kernel accounts for it; otherwise a bound on memory would only move it to disk.
  const withSwap = file('memory', 'memory.memsw.limit_in_bytes');
  if (existsSync(withSwap)) write(withSwap, limits.memoryBytes);
  write(file('pids', 'pids.max'), limits.pids);
  write(file('cpu', 'cpu.cfs_period_us'), PERIOD_US);
  write(file('cpu', 'cpu.cfs_quota_us'), Math.max(MIN_QUOTA_US, Math.round(limits.cpus * PERIOD_US)));
}

function write(file: string, value: number): void {
  writeFileSync(file, String(value));
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
