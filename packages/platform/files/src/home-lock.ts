import { createHash } from 'node:crypto';
import { link, mkdir, readFile, realpath, rename, unlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { AssayError, errorCode } from '@assay/foundation';
import { syncDirectory, writeFileDurable } from './durable-file.ts';
import { isSameProcess, thisProcess } from './process-identity.ts';

/** Who holds a home: the content of `runtime/lock`. */
export interface HomeLockOwner {
  readonly host: string;
  readonly bootId: string;
  readonly pid: number;
  readonly startTime: string;
}

export interface HomeLock extends AsyncDisposable {
  readonly owner: HomeLockOwner;
}

export interface HomeLockOptions {
  /** `socket` (Linux): the kernel holds the lock and frees it when the process dies. `file`: everywhere else. */
  readonly kind?: 'socket' | 'file';
  /** Default: this machine's name. */
  readonly host?: string;
}

/**
 * Takes the home for this process until it is disposed or the process dies. Rejects with `home_locked`, which names
 * the process and the machine that hold it. The lock of a dead process of this machine is taken over; whether a
 * process of another machine lives cannot be known, so its lock is refused.
 */
export async function acquireHomeLock(home: string, options: HomeLockOptions = {}): Promise<HomeLock> {
  const path = await realpath(home);
  const owner = ownIdentity(options.host ?? hostname());
  const runtime = join(path, 'runtime');
  await mkdir(runtime, { recursive: true, mode: 0o700 });
  const file = join(runtime, 'lock');
  const kind = options.kind ?? (process.platform === 'linux' ? 'socket' : 'file');
  return kind === 'socket' ? lockWithSocket(path, file, owner) : lockWithFile(path, file, owner);
}

async function lockWithSocket(home: string, file: string, owner: HomeLockOwner): Promise<HomeLock> {
  const server = await listen(socketName(home));
  if (server === undefined) throw locked(home, await readOwner(file));
  try {
    const before = await readOwner(file);
    // The socket is seen by this machine only; a home on shared storage or in a container has others.
    if (before !== undefined && isHeld(before, owner)) throw locked(home, before);
    await writeFileDurable(file, `${JSON.stringify(owner)}\n`);
  } catch (error) {
    await closed(server);
    throw error;
  }
  return {
    owner,
    [Symbol.asyncDispose]: async () => {
      await removeOwn(file, owner);
      await closed(server);
    },
  };
}

async function lockWithFile(home: string, file: string, owner: HomeLockOwner): Promise<HomeLock> {
  // Twice: once more after a dead owner's file was moved away.
  for (let attempt = 0; attempt < 2; attempt++) {
    if (await createLock(file, owner)) return { owner, [Symbol.asyncDispose]: () => removeOwn(file, owner) };
    const before = await readOwner(file);
    if (before !== undefined && isHeld(before, owner)) throw locked(home, before);
    await moveAway(file, before);
  }
  throw locked(home, await readOwner(file));
}

/** The name fits every kernel: a path may be longer than the about 107 bytes at which Node cuts socket names. */
export function socketName(realHome: string): string {
  return `\0assay-${createHash('sha256').update(realHome).digest('hex')}`;
}

/** Undefined when another process listens on that name. The socket holds no process open and answers nobody. */
function listen(name: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => {
      if (errorCode(error) === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(name, () => resolve(server.unref()));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function ownIdentity(host: string): HomeLockOwner {
  if (process.platform !== 'linux') return { host, bootId: '', pid: process.pid, startTime: '' };
  const { bootId, pid, startTime } = thisProcess();
  return { host, bootId, pid, startTime };
}

/** True when that process lives, or when it cannot be known because it belongs to another machine. */
function isHeld(before: HomeLockOwner, own: HomeLockOwner): boolean {
  if (before.host !== own.host) return true;
  return process.platform === 'linux' ? isSameProcess(before) : isAlive(before.pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** The file appears with its content, so nobody ever reads a half of it. False when it exists. */
async function createLock(file: string, owner: HomeLockOwner): Promise<boolean> {
  const temporary = `${file}.${owner.pid}.tmp`;
  await writeFileDurable(temporary, `${JSON.stringify(owner)}\n`);
  try {
    await link(temporary, file);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(temporary);
  }
  await syncDirectory(dirname(file));
  return true;
}

/** Two processes may find the same dead owner: only what was read is thrown away, another lock is put back. */
async function moveAway(file: string, before: HomeLockOwner | undefined): Promise<void> {
  const aside = `${file}.${process.pid}.stale`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const moved = await readOwner(aside);
  if (JSON.stringify(moved) !== JSON.stringify(before)) await link(aside, file).catch(() => undefined);
  await unlink(aside);
}

async function removeOwn(file: string, owner: HomeLockOwner): Promise<void> {
  const current = await readOwner(file);
  if (JSON.stringify(current) === JSON.stringify(owner)) await unlink(file);
}

function locked(home: string, by: HomeLockOwner | undefined): AssayError {
  const who = by === undefined ? 'another process' : `process ${by.pid} on ${by.host}`;
  return new AssayError('home_locked', `the home ${home} is in use by ${who}`, {
    why: 'one daemon writes to a home at a time',
    hint: hintFor(home, by),
    details: { home, ...(by === undefined ? {} : { pid: by.pid, host: by.host }) },
  });
}

function hintFor(home: string, by: HomeLockOwner | undefined): string {
  if (by === undefined || by.host === hostname())
    return 'use the daemon that runs ("assay status"), stop it with "assay down", or set ASSAY_HOME to another folder';
  return `stop the daemon on ${by.host}; when that machine is gone for good, remove ${join(home, 'runtime', 'lock')}`;
}

/** Undefined when there is no lock file or it holds no owner: a process died before it was complete. */
async function readOwner(file: string): Promise<HomeLockOwner | undefined> {
  try {
    const stored = JSON.parse(await readFile(file, 'utf8')) as Partial<HomeLockOwner> | null;
    const { host, bootId, pid, startTime } = stored ?? {};
    if (typeof host !== 'string' || typeof pid !== 'number') return undefined;
    return { host, bootId: bootId ?? '', pid, startTime: startTime ?? '' };
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
