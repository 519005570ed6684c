import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { cgroup1Limiter } from '../src/limits/cgroup1-limiter.ts';
import { cgroup2Limiter, sampleGroup } from '../src/limits/cgroup2-limiter.ts';
import { parseOwnCgroups, readKeyed } from '../src/limits/cgroup-folders.ts';
import { chooseLimiter } from '../src/limits/choose-limiter.ts';
import { childrenByParent, childrenOf, processTree } from '../src/limits/process-tree.ts';
import { rlimitLimiter } from '../src/limits/rlimit-limiter.ts';
import { findUserBus, scopeLauncher } from '../src/limits/systemd-limiter.ts';

const limits = { cpus: 1.5, memoryBytes: 104857600, pids: 32 };

describe('where this process stands', () => {
  test('version 1, combined controllers, version 2, and a path with colons', () => {
    verifies('sandbox.limits-ladder');
    const own = parseOwnCgroups('9:name=systemd:/x\n4:cpu,cpuacct:/a/b\n3:memory:/a:b\n0::/user.slice/s.scope\n');
    expect(Object.fromEntries(own)).toEqual({
      'name=systemd': '/x',
      cpu: '/a/b',
      cpuacct: '/a/b',
      memory: '/a:b',
      '': '/user.slice/s.scope',
    });
  });
});

describe('version 2', () => {
  /** A tree as the kernel shows it, in a plain folder: what is written where is what counts. */
  const tree = (root: string, delegated: string) => {
    const own = '/user.slice/user-1000.slice/app.scope';
    mkdirSync(join(root, own), { recursive: true });
    for (const folder of ['/', '/user.slice', '/user.slice/user-1000.slice', own])
      writeFileSync(
        join(root, folder, 'cgroup.subtree_control'),
        folder === delegated ? 'cpu io memory pids\n' : 'pids\n',
      );
    return own;
  };

  test('the nearest group that hands the controllers down is used', async () => {
    verifies('sandbox.limits-ladder');
    await using folder = await temporaryFolder();
    const own = tree(folder.path, '/user.slice');
    const limiter = cgroup2Limiter('assay-x-', folder.path, own);
    expect(limiter?.kind).toBe('cgroup2');
    const group = limiter!.create('one');
    const made = join(folder.path, 'user.slice', 'assay-x-one');
    writeFileSync(join(made, 'memory.swap.max'), 'max');
    writeFileSync(join(made, 'memory.oom.group'), '0');
    expect(group.apply(limits)).toEqual({ launcher: [], maxUserProcesses: undefined });
    await group.join(4711);
    const read = (leaf: string) => readFileSync(join(made, leaf), 'utf8');
    expect(read('memory.max')).toBe('104857600');
    expect(read('memory.swap.max')).toBe('0');
    expect(read('memory.oom.group')).toBe('1');
    expect(read('pids.max')).toBe('32');
    expect(read('cpu.max')).toBe('150000 100000');
    expect(read('cgroup.procs')).toBe('4711');
  });

  test('nothing handed down, or a path outside the name space: not this rung', async () => {
    await using folder = await temporaryFolder();
    const own = tree(folder.path, 'nowhere');
    expect(cgroup2Limiter('assay-x-', folder.path, own)).toBeUndefined();
    expect(cgroup2Limiter('assay-x-', folder.path, '/../outside')).toBeUndefined();
    expect(cgroup2Limiter('assay-x-', folder.path, '/missing')).toBeUndefined();
  });

  test('an out-of-memory kill, time and peak are read', async () => {
    verifies('sandbox.out-of-memory');
    await using folder = await temporaryFolder();
    const put = (leaf: string, text: string) => writeFileSync(join(folder.path, leaf), text);
    put('memory.events', 'low 0\nhigh 0\nmax 12\noom 1\noom_kill 0\noom_group_kill 0\n');
    put('cpu.stat', 'usage_usec 2500000\nuser_usec 2000000\n');
    put('memory.peak', '4096\n');
    expect(sampleGroup(folder.path)).toEqual({ outOfMemory: false, cpuSeconds: 2.5, peakBytes: 4096 });
    put('memory.events', 'oom 1\noom_kill 2\n');
    expect(sampleGroup(folder.path).outOfMemory).toBe(true);
    expect(sampleGroup(join(folder.path, 'gone'))).toEqual({ outOfMemory: false });
  });
});

test('version 1: one folder per controller with all limits', async () => {
  verifies('sandbox.limits-ladder');
  await using folder = await temporaryFolder();
  const own = new Map([
    ['memory', '/box'],
    ['pids', '/'],
    ['cpu', '/'],
    ['cpuacct', '/'],
  ]);
  for (const [controller, path] of own) mkdirSync(join(folder.path, controller, path), { recursive: true });
  const group = cgroup1Limiter('assay-x-', folder.path, own)!.create('one');
  expect(group.apply(limits)).toEqual({ launcher: [], maxUserProcesses: undefined });
  const read = (path: string) => readFileSync(join(folder.path, path), 'utf8');
  expect(read('memory/box/assay-x-one/memory.limit_in_bytes')).toBe('104857600');
  expect(read('pids/assay-x-one/pids.max')).toBe('32');
  expect(read('cpu/assay-x-one/cpu.cfs_quota_us')).toBe('150000');
  expect(existsSync(join(folder.path, 'memory/box/assay-x-one/memory.memsw.limit_in_bytes'))).toBe(false);
  expect(cgroup1Limiter('assay-x-', folder.path, new Map([['memory', '/box']]))).toBeUndefined();
});

test('systemd: every limit is a property of the scope', () => {
  verifies('sandbox.limits-ladder');
  const bus = { XDG_RUNTIME_DIR: '/run/user/7', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/7/bus' };
  expect(scopeLauncher('assay-x-one', limits, bus)).toEqual([
    '/usr/bin/env',
    'XDG_RUNTIME_DIR=/run/user/7',
    'DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/7/bus',
    '/usr/bin/systemd-run',
    '--user',
    '--scope',
    '--quiet',
    '--collect',
    '--unit=assay-x-one',
    '--property=MemoryMax=104857600',
    '--property=MemorySwapMax=0',
    '--property=TasksMax=32',
    '--property=CPUQuota=150%',
    '--property=OOMPolicy=kill',
    '--',
    '/usr/bin/env',
    '-i',
  ]);
});

test('systemd: the bus is where the environment says, else where it always is, else there is none', async () => {
  verifies('sandbox.limits-ladder');
  await using folder = await temporaryFolder();
  const own = join(folder.path, String(process.getuid!()));
  expect(findUserBus({}, folder.path)).toBeUndefined();
  mkdirSync(own);
  writeFileSync(join(own, 'bus'), '');
  const found = { XDG_RUNTIME_DIR: own, DBUS_SESSION_BUS_ADDRESS: `unix:path=${own}/bus` };
  expect(findUserBus({}, folder.path)).toEqual(found);
  expect(findUserBus({ XDG_RUNTIME_DIR: own }, '/nowhere')).toEqual(found);
  expect(findUserBus({ XDG_RUNTIME_DIR: '/a', DBUS_SESSION_BUS_ADDRESS: 'unix:abstract=b' }, '/nowhere')).toEqual({
    XDG_RUNTIME_DIR: '/a',
    DBUS_SESSION_BUS_ADDRESS: 'unix:abstract=b',
  });
});

test('rlimits: memory and processes of a tree are watched', () => {
  verifies('sandbox.limits-ladder');
  const group = rlimitLimiter().create('one');
  group.apply({ cpus: 1, memoryBytes: 1, pids: 1000 });
  const sample = group.sample(process.pid);
  expect(sample).toMatchObject({ outOfMemory: true, tooManyProcesses: false });
  expect(sample.peakBytes).toBeGreaterThan(10_000_000);
  expect(group.sample(undefined)).toMatchObject({ outOfMemory: false, tooManyProcesses: false });
});

test('the last rung works everywhere; a rung that does not is never taken', async () => {
  verifies('sandbox.limits-ladder');
  expect((await chooseLimiter('assay-test-', 'rlimit')).kind).toBe('rlimit');
  expect(['cgroup2', 'cgroup1', 'systemd', 'rlimit']).toContain((await chooseLimiter('assay-test-')).kind);
});

test('a missing or odd file gives no number', async () => {
  await using folder = await temporaryFolder();
  writeFileSync(join(folder.path, 'keyed'), 'oom_kill_disable 0\nunder_oom 0\noom_kill 3\n');
  expect(readKeyed(join(folder.path, 'keyed'), 'oom_kill')).toBe(3);
  expect(readKeyed(join(folder.path, 'keyed'), 'oom')).toBeUndefined();
  expect(readKeyed(join(folder.path, 'missing'), 'oom_kill')).toBeUndefined();
});

test('children are found with and without the help of the kernel', async () => {
  const child = spawn('sleep', ['30'], { stdio: 'ignore' });
  try {
    await once(child, 'spawn');
    expect(childrenOf(process.pid)).toContain(child.pid);
    expect(childrenByParent(process.pid)).toContain(child.pid);
    expect(childrenByParent(child.pid!)).toEqual([]);
    expect(processTree(process.pid)).toEqual(expect.arrayContaining([process.pid, child.pid]));
  } finally {
    child.kill('SIGKILL');
  }
  await once(child, 'exit');
  expect(childrenOf(child.pid!)).toEqual([]);
});
