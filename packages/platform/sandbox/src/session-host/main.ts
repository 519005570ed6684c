import { createServer } from 'node:net';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorText, jsonLineLogger } from '@assay/foundation';
import { seccompArchitecture, seccompProgram } from '../bubblewrap/seccomp-program.ts';
import { hostAddress, type HostAddress } from '../host-address.ts';
import { chooseLimiter } from '../limits/choose-limiter.ts';
import type { LimitKind } from '../sandbox.ts';
import { closeInherited } from './close-inherited.ts';
import { hostServer } from './host-server.ts';
import { SessionHost } from './session-host.ts';

/**
 * The session host: `session-host <home> [idle seconds] [limits]`. At most one per home; a second one leaves at once.
 * It ends after `idle seconds` without a session and without a client.
 */
const [home, idleSeconds = '30', limits] = process.argv.slice(2);
const IDLE_CHECKS = 10;
const logger = jsonLineLogger((line) => process.stderr.write(`${line}\n`), Date.now);

async function main(): Promise<void> {
  closeInherited();
  if (home === undefined) throw new Error('usage: session-host <home> [idle seconds] [limits]');
  // A signal meant for the client's terminal must not end the sessions.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const address = hostAddress(home);
  if (!(await takeLock(address.lock))) return;
  const limiter = await chooseLimiter(address.groupPrefix, limits as LimitKind | undefined);
  await limiter.sweep();
  const host = new SessionHost({ limiter, seccompFile: writeFilter(address), socket: address.socket, logger });
  const stop = async (reason: string) => {
    // Nobody may connect to a host that is about to end: who comes now starts the next one.
    server.close();
    rmSync(address.socket, { force: true });
    await host.stop(reason);
  };
  const leave = () => process.exit(0);
  const { server, clients } = hostServer(host, { stop: () => stop('the session host was stopped'), leave });
  process.on('SIGTERM', () => void stop('the session host was told to end').then(leave));
  leaveWhenIdle(
    () => host.busy || clients.size > 0,
    () => void stop('the session host is idle').then(leave),
  );
  // Only the holder of the lock comes here: socket files that exist are a dead host's.
  rmSync(join(dirname(address.socket), 'net'), { recursive: true, force: true });
  rmSync(address.socket, { force: true });
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(address.socket, resolve));
  chmodSync(address.socket, 0o600);
  leaveWhenLost(address.socket, host, leave);
}

/** False when another host of this home lives. */
function takeLock(name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const lock = createServer((socket) => socket.destroy());
    lock.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    lock.listen(name, () => resolve(true));
    lock.unref();
  });
}

function leaveWhenIdle(busy: () => boolean, leave: () => void): void {
  let idleChecks = 0;
  const timer = setInterval(
    () => {
      idleChecks = busy() ? 0 : idleChecks + 1;
      if (idleChecks < IDLE_CHECKS) return;
      clearInterval(timer);
      leave();
    },
    (Number(idleSeconds) * 1000) / IDLE_CHECKS,
  );
}

const LOST_CHECK_MS = 1000;

/** Nobody can reach a host whose socket was deleted with its home, and no other may start while this one holds the lock. */
function leaveWhenLost(socket: string, host: SessionHost, leave: () => void): void {
  const timer = setInterval(() => {
    if (existsSync(socket) || host.busy) return;
    clearInterval(timer);
    void host.stop('the home of the session host is gone').then(leave);
  }, LOST_CHECK_MS);
}

function writeFilter(address: HostAddress): string | undefined {
  const architecture = seccompArchitecture(process.arch);
  if (architecture === undefined) return undefined;
  const file = join(address.runtimeDir, `seccomp-${architecture}.bpf`);
  writeFileSync(file, seccompProgram(architecture), { mode: 0o600 });
  return file;
}

main().catch((error: unknown) => {
  logger.log('error', errorText(error));
  process.exitCode = 1;
});
