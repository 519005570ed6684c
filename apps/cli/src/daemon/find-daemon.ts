import { createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createClient, type Client } from '@assay/client';
import { AssayError, errorCode, errorText } from '@assay/foundation';
import { daemonFile, tokenFile } from './home-paths.ts';

/** What a running daemon says of itself in its home. */
export interface DaemonFile {
  readonly pid: number;
  readonly url: string;
  /** The program file that it runs. */
  readonly program?: string;
}

export interface FoundDaemon extends DaemonFile {
  readonly client: Client;
}

const HEALTH_TIMEOUT_MS = 3000;
/** A daemon that dies again and again is left for dead. */
const MOST_REVIVALS = 3;

export interface FindOptions {
  /** Starts the daemon again when a request finds that it was killed. Without it such a request fails. */
  readonly revive?: () => Promise<unknown>;
}

/**
 * The daemon that serves this home, or undefined when none answers. The token is only sent after the address has
 * proved that it knows the token itself.
 */
export async function findDaemon(home: string, options: FindOptions = {}): Promise<FoundDaemon | undefined> {
  const file = await answeringDaemon(home);
  if (file === undefined) return undefined;
  const client = createClient({
    baseUrl: file.url,
    token: await readToken(home),
    fetch: followingFetch(home, file.url, revivedBy(home, options)),
  });
  return { ...file, client };
}

async function answeringDaemon(home: string): Promise<DaemonFile | undefined> {
  const file = await readDaemonFile(home);
  return file !== undefined && isAlive(file.pid) && (await answersFor(home, file)) ? file : undefined;
}

type Revived = () => Promise<DaemonFile | undefined>;

/**
 * Starts a killed daemon again, for all requests at once. One that was stopped on purpose has removed its file and
 * stays stopped, and one whose process lives may only be slow.
 */
function revivedBy(home: string, { revive }: FindOptions): Revived {
  let reviving: Promise<unknown> | undefined;
  let revivals = 0;
  return async () => {
    const file = await readDaemonFile(home);
    if (revive === undefined || file === undefined || isAlive(file.pid)) return undefined;
    if (reviving === undefined && revivals++ >= MOST_REVIVALS) return undefined;
    reviving ??= revive().finally(() => (reviving = undefined));
    await reviving;
    return answeringDaemon(home);
  };
}

/**
 * A restarted daemon may listen at another port: a request that finds nobody looks once where it is now. Nothing of such
 * a request has been sent.
 */
function followingFetch(
  home: string,
  firstUrl: string,
  revived: Revived,
): (url: string, init: RequestInit) => Promise<Response> {
  let current = firstUrl;
  const send = (url: string, init: RequestInit) => fetch(`${current}${url.slice(firstUrl.length)}`, init);
  return async (url, init) => {
    try {
      return await send(url, init);
    } catch (error) {
      if (init.signal?.aborted === true || errorCode((error as Error).cause) !== 'ECONNREFUSED') throw error;
      const moved = (await answeringDaemon(home)) ?? (await revived());
      if (moved === undefined) throw error;
      current = moved.url;
      return send(url, init);
    }
  };
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
  const { pid, url, program } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  // A file that is not whole was left by a crash: the next daemon writes a new one.
  if (typeof pid !== 'number' || typeof url !== 'string' || !/^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(url))
    return undefined;
  return { pid, url, ...(typeof program === 'string' ? { program } : {}) };
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
  const token = await readToken(home);
  try {
    const challenge = randomBytes(16).toString('hex');
    const proof = createHmac('sha256', token).update(`assay-health:${challenge}`).digest('hex');
    const response = await fetch(`${file.url}/api/health?challenge=${challenge}`, { signal, redirect: 'error' });
    return ((await response.json()) as { readonly proof?: unknown }).proof === proof;
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
