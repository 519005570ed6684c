import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { temporaryFolder, verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { acquireHomeLock, bootId } from '../src/index.ts';

const holder = fileURLToPath(new URL('lock-holder.mjs', import.meta.url));

describe.each(['socket', 'file'] as const)('home lock by %s', (kind) => {
  it('is held by one at a time, and says who has it', async () => {
    verifies('files.home-lock');
    await using home = await temporaryFolder();
    await using lock = await acquireHomeLock(home.path, { kind });
    expect(lock.owner).toMatchObject({ host: hostname(), pid: process.pid });
    await expect(acquireHomeLock(home.path, { kind })).rejects.toMatchObject({
      code: 'home_locked',
      message: `the home ${home.path} is in use by process ${process.pid} on ${hostname()}`,
      hint: expect.stringContaining('assay down') as string,
      details: { pid: process.pid, host: hostname() },
    });
  });

  it('is free again after it was released, and leaves no file', async () => {
    verifies('files.home-lock');
    await using home = await temporaryFolder();
    const lock = await acquireHomeLock(home.path, { kind });
    await lock[Symbol.asyncDispose]();
    await expect(readFile(`${home.path}/runtime/lock`)).rejects.toMatchObject({ code: 'ENOENT' });
    await using again = await acquireHomeLock(home.path, { kind });
    expect(again.owner.pid).toBe(process.pid);
  });

  it('is refused while another process has it and taken over after that process was killed', async () => {
    verifies('files.home-lock-takeover');
    await using home = await temporaryFolder();
    await using other = await startHolder(home.path, kind);
    expect(other.line).toBe('held');
    await expect(acquireHomeLock(home.path, { kind })).rejects.toMatchObject({
      code: 'home_locked',
      details: { pid: other.process.pid },
    });
    await other[Symbol.asyncDispose]();
    await using lock = await acquireHomeLock(home.path, { kind });
    expect(lock.owner.pid).toBe(process.pid);
    expect(JSON.parse(await readFile(`${home.path}/runtime/lock`, 'utf8'))).toMatchObject({ pid: process.pid });
  });

  it('of another machine is refused with its name', async () => {
    verifies('files.home-lock-other-host');
    await using home = await temporaryFolder();
    await leaveLock(home.path, { host: 'node-7.cluster', bootId: 'b', pid: 4711, startTime: '1' });
    await expect(acquireHomeLock(home.path, { kind })).rejects.toMatchObject({
      code: 'home_locked',
      message: `the home ${home.path} is in use by process 4711 on node-7.cluster`,
      hint: `stop the daemon on node-7.cluster; when that machine is gone for good, remove ${home.path}/runtime/lock`,
    });
  });

  it('of a process whose id was reused, or from before a restart of the machine, is taken over', async () => {
    verifies('files.home-lock-takeover');
    await using home = await temporaryFolder();
    await leaveLock(home.path, { host: hostname(), bootId: bootId(), pid: process.ppid, startTime: '1' });
    await (await acquireHomeLock(home.path, { kind }))[Symbol.asyncDispose]();
    await leaveLock(home.path, { host: hostname(), bootId: 'an-earlier-boot', pid: process.pid, startTime: '1' });
    await using lock = await acquireHomeLock(home.path, { kind });
    expect(lock.owner.pid).toBe(process.pid);
  });

  it('tells two homes apart whose long paths differ only at the end', async () => {
    verifies('files.home-lock');
    await using folder = await temporaryFolder();
    const long = `${folder.path}/${'deep'.repeat(40)}`;
    await mkdir(`${long}-a`);
    await mkdir(`${long}-b`);
    await using first = await acquireHomeLock(`${long}-a`, { kind });
    await using second = await acquireHomeLock(`${long}-b`, { kind });
    expect([first.owner.pid, second.owner.pid]).toEqual([process.pid, process.pid]);
  });
});

it('replaces a lock file that holds no owner', async () => {
  verifies('files.home-lock-takeover');
  await using home = await temporaryFolder();
  await mkdir(`${home.path}/runtime`);
  await writeFile(`${home.path}/runtime/lock`, '');
  await using lock = await acquireHomeLock(home.path, { kind: 'file' });
  expect(JSON.parse(await readFile(`${home.path}/runtime/lock`, 'utf8'))).toMatchObject({ pid: lock.owner.pid });
});

async function leaveLock(home: string, owner: object): Promise<void> {
  await mkdir(`${home}/runtime`, { recursive: true });
  await writeFile(`${home}/runtime/lock`, JSON.stringify(owner));
}

async function startHolder(
  home: string,
  kind: string,
): Promise<AsyncDisposable & { line: string; process: ChildProcess }> {
  const child = spawn(process.execPath, [holder, home, kind], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    line,
    process: child,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
