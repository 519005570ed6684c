import { randomBytes } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import type { LimitKind } from '../sandbox.ts';
import { cgroup1Limiter } from './cgroup1-limiter.ts';
import { cgroup2Limiter } from './cgroup2-limiter.ts';
import type { Limiter } from './limiter.ts';
import { rlimitLimiter } from './rlimit-limiter.ts';
import { systemdLimiter } from './systemd-limiter.ts';

const TRIAL = { cpus: 1, memoryBytes: 64 * 1024 * 1024, pids: 16 } as const;
const TRIAL_TIMEOUT_MS = 5000;

/** The rungs of the ladder, best first. */
const ladder: readonly { readonly kind: LimitKind; readonly make: (prefix: string) => Limiter | undefined }[] = [
  { kind: 'cgroup2', make: cgroup2Limiter },
  { kind: 'cgroup1', make: cgroup1Limiter },
  { kind: 'systemd', make: systemdLimiter },
  { kind: 'rlimit', make: rlimitLimiter },
];

/**
 * The best way to limit processes that really works here: a process is started in each until one takes it.
 * `prefix` begins the name of every group that is made. With `only`, that rung or an error.
 */
export function chooseLimiter(prefix: string, only?: LimitKind): Limiter {
  for (const { kind, make } of ladder) {
    if (only !== undefined && kind !== only) continue;
    const limiter = make(prefix);
    if (limiter !== undefined && works(limiter)) return limiter;
  }
  throw new Error(`limits by ${only ?? 'any means'} do not work on this machine`);
}

/** Starts `true` inside a group of the limiter. */
function works(limiter: Limiter): boolean {
  let group;
  try {
    group = limiter.create(`trial-${randomBytes(4).toString('hex')}`, TRIAL);
  } catch {
    return false;
  }
  const script = 'set -e; for f in "$@"; do echo 0 > "$f"; done';
  const [program, ...args] = [...group.launcher, '/bin/sh', '-c', script, 'sh', ...group.joinFiles];
  const tried = spawnSync(program!, args, { stdio: 'ignore', timeout: TRIAL_TIMEOUT_MS });
  void group.remove();
  return tried.status === 0;
}
