import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { LimitKind } from '../sandbox.ts';
import { cgroup1Limiter } from './cgroup1-limiter.ts';
import { cgroup2Limiter } from './cgroup2-limiter.ts';
import type { LimitGroup, Limiter } from './limiter.ts';
import { rlimitLimiter } from './rlimit-limiter.ts';
import { systemdLimiter } from './systemd-limiter.ts';

const TRIAL = { cpus: 1, memoryBytes: 64 * 1024 * 1024, pids: 16 } as const;
const TRIAL_TIMEOUT_MS = 5000;

/** The rungs of the ladder, best first. */
const ladder: readonly { readonly kind: LimitKind; readonly make: (prefix: string) => Limiter | undefined }[] = [
  { kind: 'cgroup2', make: cgroup2Limiter },
  { kind: 'cgroup1', make: cgroup1Limiter },
  { kind: 'systemd', make: (prefix) => systemdLimiter(prefix) },
  { kind: 'rlimit', make: rlimitLimiter },
];

/**
 * The best way to limit processes that really works here: a process is started in each until one takes it.
 * `prefix` begins the name of every group that is made. With `only`, that rung or an error.
 */
export async function chooseLimiter(prefix: string, only?: LimitKind): Promise<Limiter> {
  for (const { kind, make } of ladder) {
    if (only !== undefined && kind !== only) continue;
    const limiter = make(prefix);
    if (limiter !== undefined && (await works(limiter))) return limiter;
  }
  throw new Error(`limits by ${only ?? 'any means'} do not work on this machine`);
}

/** Brings a process that waits into a group of the limiter and lets it go on. */
async function works(limiter: Limiter): Promise<boolean> {
  let group: LimitGroup | undefined;
  let child: ChildProcess | undefined;
  try {
    group = limiter.create(`${process.pid}-trial-${randomBytes(4).toString('hex')}`);
    const { launcher } = group.apply(TRIAL);
    const [program, ...args] = [...launcher, '/bin/sh', '-c', 'read _; exit 0'];
    // With an empty environment, as sandboxes are started: what works only with ours does not work.
    child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], timeout: TRIAL_TIMEOUT_MS, env: {} });
    const ended = once(child, 'exit');
    // Waiting for a failed start would be in vain.
    await once(child, 'spawn');
    await group.join(child.pid!);
    child.stdin!.end('\n');
    const [code] = (await ended) as [number | null];
    return code === 0;
  } catch {
    child?.kill('SIGKILL');
    return false;
  } finally {
    void group?.remove();
  }
}
