import { readFile, realpath } from 'node:fs/promises';
import { createClient, type Client } from '@assay/client';
import { AssayError, errorCode, errorText } from '@assay/foundation';
import { daemonFile, tokenFile } from './home-paths.ts';

/** What a running daemon says of itself in its home. */
export interface DaemonFile {
  readonly pid: number;
  readonly url: string;
}

export interface FoundDaemon {
  readonly pid: number;
  readonly url: string;
  readonly client: Client;
}

const HEALTH_TIMEOUT_MS = 3000;

/**
 * The daemon that serves this home, or undefined when none answers. The token is only sent after the address has
 * proved, without it, to be the process and home that the file names.
 */
export async function findDaemon(home: string): Promise<FoundDaemon | undefined> {
  const file = await readDaemonFile(home);
  if (file === undefined || !isAlive(file.pid) || !(await answersFor(home, file))) return undefined;
  return { ...file, client: createClient({ baseUrl: file.url, token: await readToken(home) }) };
}

export async function readDaemonFile(home: string): Promise<DaemonFile | undefined> {
  let text: string;
  try {
    text = await readFile(daemonFile(home), 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw unreadable(daemonFile(home), error);
  }
  const value = parse(text);
  const { pid, url } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  // A file that is not whole was left by a crash: the next daemon writes a new one.
  if (typeof pid !== 'number' || typeof url !== 'string' || !/^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(url))
    return undefined;
  return { pid, url };
}

async function readToken(home: string): Promise<string> {
  try {
    return (await readFile(tokenFile(home), 'utf8')).trim();
  } catch (error) {
    throw unreadable(tokenFile(home), error);
  }
}

function unreadable(path: string, error: unknown): AssayError {
  return new AssayError('not_configured', 'the home of the daemon cannot be read', {
    why: `${path}: ${errorText(error)}`,
    hint: 'run the command as the user that owns the home, or choose another with ASSAY_HOME',
    cause: error,
  });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

async function answersFor(home: string, file: DaemonFile): Promise<boolean> {
  const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS);
  try {
    const response = await fetch(`${file.url}/api/health`, { signal, redirect: 'error' });
    const health = (await response.json()) as { readonly pid?: unknown; readonly home?: unknown };
    return health.pid === file.pid && health.home === (await realpath(home));
  } catch {
    return false; // nothing of ours answers there
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
