import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AssayError, errorCode, errorText, systemFailure } from '@assay/foundation';
import { refuseNewerHome } from '@assay/engine/home-version';
import { findDaemon, type FoundDaemon } from './find-daemon.ts';
import { daemonLog } from './home-paths.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface StartOptions {
  readonly env: Environment;
  /** How long a start may take, in milliseconds. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const START_TIMEOUT_MS = 15_000;
const POLL_MS = 25;
const LOG_TAIL_BYTES = 16 * 1024;
const LOG_TAIL_LINES = 5;

/**
 * Starts a daemon on this home, detached from the terminal, and waits until it answers. When another one is being
 * started at the same time, waits for that one. Rejects with the daemon's own reason or `daemon_start_failed`.
 */
export async function startDaemon(home: string, options: StartOptions): Promise<FoundDaemon> {
  const { env, timeoutMs = START_TIMEOUT_MS, signal } = options;
  await refuseNewerHome(home);
  const logSize = await prepareLog(home);
  const child = await spawnDaemon(home, env);
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const found = await findDaemon(home);
    if (found !== undefined) return found;
    if (child.exit() !== undefined) {
      const failure = await failureIn(home, { from: logSize, exit: child.exit() ?? '' });
      // Somebody else was faster and holds the home: its daemon will answer soon.
      if (failure.code !== 'home_locked' || Date.now() + POLL_MS >= deadline) throw failure;
    }
    await sleep(POLL_MS, undefined, signal === undefined ? {} : { signal });
  }
  if (child.exit() === undefined) child.kill();
  throw await failureIn(home, { from: logSize, exit: child.exit() ?? `no answer within ${timeoutMs / 1000} s` });
}

interface Spawned {
  /** How the process ended, undefined while it lives. */
  exit(): string | undefined;
  kill(): void;
}

async function spawnDaemon(home: string, env: Environment): Promise<Spawned> {
  const log = await open(daemonLog(home), 'a', 0o600).catch((error: unknown) => {
    throw unwritable(home, error);
  });
  let exit: string | undefined;
  let child: ChildProcess;
  try {
    child = spawn(process.execPath, [daemonProgram(env)], {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      cwd: home,
      env: { ...env, ASSAY_HOME: home },
    });
  } finally {
    await log.close();
  }
  child.once('error', (error) => (exit = errorText(error)));
  child.once('exit', (code, signal) => (exit = signal === null ? `exit code ${code}` : `signal ${signal}`));
  child.unref();
  return { exit: () => exit, kill: () => child.kill('SIGTERM') };
}

/** The program file of the daemon: in the bundle that this command line runs from. */
export function daemonProgram(env: Environment): string {
  const own = dirname(fileURLToPath(import.meta.url));
  for (const folder of [env['ASSAY_BUNDLE_DIR'], own])
    if (folder !== undefined && existsSync(join(folder, 'daemon.mjs'))) return join(folder, 'daemon.mjs');
  throw new AssayError('not_configured', 'the program file of the daemon is missing', {
    why: `daemon.mjs is not in ${env['ASSAY_BUNDLE_DIR'] ?? own}`,
    hint: 'run "npm run build", or start through bin/assay.mjs',
  });
}

/** Makes the folder of the log and says how long the log is: what comes after is of this start. */
async function prepareLog(home: string): Promise<number> {
  try {
    await makeFolder(dirname(daemonLog(home)));
    return await sizeOf(daemonLog(home));
  } catch (error) {
    throw unwritable(home, error);
  }
}

function unwritable(home: string, error: unknown): AssayError {
  const known = systemFailure(error);
  return known?.code === 'disk_full'
    ? known
    : new AssayError('home_read_only', `the home ${home} cannot be written`, {
        why: errorText(error),
        hint: 'give the folder to this user, or choose another home with ASSAY_HOME',
        cause: error,
      });
}

/** Less than this, and a daemon can neither start nor say so in its log. */
const LEAST_FREE_BYTES = 64 * 1024;

async function isDiskFull(home: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(home);
  return bavail * bsize < LEAST_FREE_BYTES;
}

/** Like a recursive mkdir, which never returns for a folder that cannot be, such as one below /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 }).catch((late: unknown) => {
      if (errorCode(late) !== 'EEXIST') throw late; // another command was faster
    });
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** The reason that the daemon wrote as its last line of JSON, else the end of its log. */
async function failureIn(
  home: string,
  { from, exit }: { readonly from: number; readonly exit: string },
): Promise<AssayError> {
  const bytes = await readFile(daemonLog(home)).catch(() => Buffer.alloc(0));
  const text = bytes.subarray(Math.max(from, bytes.length - LOG_TAIL_BYTES)).toString();
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  for (const line of lines.toReversed()) {
    const told = toldError(line);
    if (told !== undefined) return told;
  }
  const tail = lines.slice(-LOG_TAIL_LINES).join(' | ');
  if (/ENOSPC|no space left on device/i.test(tail) || (await isDiskFull(home)))
    return new AssayError('disk_full', 'the disk is full', {
      why: `the daemon could not start: there is no space left on the disk of the home ${home}`,
      hint: 'free some space and try again; what was acknowledged is safe',
      details: { log: daemonLog(home), exit },
    });
  return new AssayError('daemon_start_failed', 'the daemon did not start', {
    why: tail === '' ? exit : `${exit}: ${tail}`,
    hint: `see ${daemonLog(home)}, or run "assay doctor"`,
    details: { log: daemonLog(home), exit },
  });
}

function toldError(line: string): AssayError | undefined {
  if (!line.startsWith('{"error":')) return undefined;
  try {
    const { error } = JSON.parse(line) as { error: Record<string, unknown> };
    const { code, message, why, hint, details } = error;
    if (typeof code !== 'string' || typeof message !== 'string') return undefined;
    return new AssayError(code, message, {
      ...(typeof why === 'string' ? { why } : {}),
      ...(typeof hint === 'string' ? { hint } : {}),
      ...(typeof details === 'object' && details !== null ? { details: details as Record<string, unknown> } : {}),
    });
  } catch {
    return undefined; // a log line that only looks like it
  }
}
