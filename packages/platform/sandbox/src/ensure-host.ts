import { spawn } from 'node:child_process';
import { closeSync, openSync, statSync, truncateSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { AssayError } from '@assay/foundation';
import { entryPath } from '@assay/entries';
import { hostAddress, type HostAddress } from './host-address.ts';
import { HostClient, HostGone } from './host-client.ts';
import type { LimitKind } from './sandbox.ts';

const START_TIMEOUT_MS = 30_000;
const POLL_MS = 4;
const MAX_LOG_BYTES = 1024 * 1024;
/** Keeps an idle host small: what it runs often is native, and optimised code would take 4 MB. */
const NODE_OPTIONS = ['--max-old-space-size=64', '--max-semi-space-size=1', '--no-opt'];

export interface HostOptions {
  readonly home: string;
  /** How long a host stays without sessions and clients. */
  readonly idleSeconds?: number;
  /** One rung of the ladder instead of the best. */
  readonly limits?: LimitKind;
}

/** A connection to the home's session host, which is started when none lives. Two callers at once get the same host. */
export async function ensureHost(options: HostOptions): Promise<HostClient> {
  const address = hostAddress(options.home);
  const until = performance.now() + START_TIMEOUT_MS;
  let started: { readonly ended: () => boolean } | undefined;
  for (;;) {
    const client = await tryConnect(address);
    if (client !== undefined) return client;
    // One that has ended lost the race to another, which may itself be on its way out: try again.
    if (started === undefined || started.ended()) started = startHost(options, address);
    if (performance.now() > until) throw startFailed(address);
    await pause(POLL_MS);
  }
}

/** A connection to the host that lives, or undefined. */
export async function connectHost(home: string): Promise<HostClient | undefined> {
  return tryConnect(hostAddress(home));
}

/** Ends all sessions of the home and its host, if one lives. */
export async function stopSessionHost(home: string): Promise<void> {
  using client = await connectHost(home);
  try {
    await client?.call('stop', {});
  } catch (error) {
    if (!(error instanceof HostGone)) throw error; // it was leaving already: what was asked for is done
  }
}

async function tryConnect(address: HostAddress): Promise<HostClient | undefined> {
  try {
    return await HostClient.connect(address.socket);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ECONNRESET') return undefined;
    throw error;
  }
}

function startHost(options: HostOptions, address: HostAddress): { readonly ended: () => boolean } {
  const log = openLog(address.log);
  const args = [
    options.home,
    String(options.idleSeconds ?? 30),
    ...(options.limits === undefined ? [] : [options.limits]),
  ];
  try {
    // Detached: it leads a session of its own, so that neither the end of this process nor its terminal reaches it.
    const host = spawn(process.execPath, [...NODE_OPTIONS, entryPath('session-host'), ...args], {
      detached: true,
      stdio: ['ignore', 'ignore', log],
      cwd: '/',
      env: hostEnvironment(),
    });
    host.on('error', () => undefined); // Seen as a host that never answers.
    host.unref();
    return { ended: () => host.exitCode !== null || host.signalCode !== null || host.pid === undefined };
  } finally {
    closeSync(log);
  }
}

/** Keys and tokens of whoever starts the host have no business in it; systemd-run needs the way to the user's systemd. */
function hostEnvironment(): Record<string, string> {
  const kept = ['PATH', 'TMPDIR', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

function openLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) truncateSync(path, 0);
  return openSync(path, 'a', 0o600);
}

function startFailed(address: HostAddress): AssayError {
  return new AssayError('sandbox_unavailable', 'the session host does not answer', {
    why: `no process listens on ${address.socket} after ${START_TIMEOUT_MS / 1000} s`,
    hint: `read ${address.log}`,
  });
}
