import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleGroup } from './cgroup2-limiter.ts';
import { parseOwnCgroups } from './cgroup-folders.ts';
import type { LimitGroup, LimitSample, Limiter, Limits } from './limiter.ts';

const PROGRAM = '/usr/bin/systemd-run';

/** Scopes of the user's systemd, for users to whom no control group was delegated. Undefined without systemd-run. */
export function systemdLimiter(prefix: string): Limiter | undefined {
  try {
    accessSync(PROGRAM, constants.X_OK);
  } catch {
    return undefined;
  }
  return {
    kind: 'systemd',
    create: (name) => createGroup(`${prefix}${name}`),
    // A scope ends with its last process; `--collect` forgets it even when it failed.
    sweep: () => Promise.resolve(),
  };
}

/** The command that starts a sandbox inside a scope of its own. */
export function scopeLauncher(name: string, limits: Limits): readonly string[] {
  return [
    PROGRAM,
    '--user',
    '--scope',
    '--quiet',
    '--collect',
    `--unit=${name}`,
    `--property=MemoryMax=${limits.memoryBytes}`,
    '--property=MemorySwapMax=0',
    `--property=TasksMax=${limits.pids}`,
    `--property=CPUQuota=${Math.max(1, Math.round(limits.cpus * 100))}%`,
    '--property=OOMPolicy=kill',
    '--',
  ];
}

function createGroup(name: string): LimitGroup {
  let last: LimitSample = { outOfMemory: false };
  return {
    join: () => Promise.resolve(),
    apply: (limits) => ({ launcher: scopeLauncher(name, limits), maxUserProcesses: undefined }),
    sample: (initPid) => {
      const folder = initPid === undefined ? undefined : scopeFolder(initPid, name);
      // The scope is gone right after its last process: what was seen last stands.
      if (folder !== undefined) last = sampleGroup(folder);
      return last;
    },
    remove: () => Promise.resolve([]),
  };
}

function scopeFolder(pid: number, name: string): string | undefined {
  try {
    const path = parseOwnCgroups(readFileSync(`/proc/${pid}/cgroup`, 'utf8')).get('');
    return path?.endsWith(`/${name}.scope`) ? join('/sys/fs/cgroup', path) : undefined;
  } catch {
    return undefined;
  }
}
