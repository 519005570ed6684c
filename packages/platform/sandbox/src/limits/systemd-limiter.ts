import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleGroup } from './cgroup2-limiter.ts';
import { parseOwnCgroups } from './cgroup-folders.ts';
import type { LimitGroup, LimitSample, Limiter, Limits } from './limiter.ts';

const PROGRAM = '/usr/bin/systemd-run';

/** Where the user's systemd is asked: variables that its programs need. */
export interface UserBus {
  readonly XDG_RUNTIME_DIR: string;
  readonly DBUS_SESSION_BUS_ADDRESS: string;
}

/** Scopes of the user's systemd, for users to whom no control group was delegated. Undefined without one. */
export function systemdLimiter(prefix: string, bus = findUserBus(process.env)): Limiter | undefined {
  if (bus === undefined) return undefined;
  try {
    accessSync(PROGRAM, constants.X_OK);
  } catch {
    return undefined;
  }
  return {
    kind: 'systemd',
    create: (name) => createGroup(`${prefix}${name}`, bus),
    // A scope ends with its last process; `--collect` forgets it even when it failed.
    sweep: () => Promise.resolve(),
  };
}

/** As the environment says, else where systemd puts it: a daemon may have been started by something that says nothing. */
export function findUserBus(
  env: Readonly<Record<string, string | undefined>>,
  folders = '/run/user',
): UserBus | undefined {
  const runtime = env['XDG_RUNTIME_DIR'] ?? join(folders, String(process.getuid?.()));
  const said = env['DBUS_SESSION_BUS_ADDRESS'];
  if (said === undefined && !existsSync(join(runtime, 'bus'))) return undefined;
  return { XDG_RUNTIME_DIR: runtime, DBUS_SESSION_BUS_ADDRESS: said ?? `unix:path=${join(runtime, 'bus')}` };
}

/**
 * The command that starts a sandbox inside a scope of its own. It says where the bus is, because sandboxes are started
 * with an empty environment, and forgets it again: inside, everybody sees the environment of process 1.
 */
export function scopeLauncher(name: string, limits: Limits, bus: UserBus): readonly string[] {
  return [
    '/usr/bin/env',
    ...Object.entries(bus).map(([variable, value]) => `${variable}=${value}`),
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
    '/usr/bin/env',
    '-i',
  ];
}

function createGroup(name: string, bus: UserBus): LimitGroup {
  let last: LimitSample = { outOfMemory: false };
  return {
    join: () => Promise.resolve(),
    apply: (limits) => ({ launcher: scopeLauncher(name, limits, bus), maxUserProcesses: undefined }),
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
