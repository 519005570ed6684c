import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AssayError, errorText, systemClock, systemFailure } from '@assay/foundation';
import { exitCodeOf } from '@assay/contracts';
import { lowerThreadPoolPriority } from '@assay/event-store';
import { giveBackMemory } from './give-back-memory.ts';
import { logFile } from './log-file.ts';
import { startDaemon } from './start-daemon.ts';

/** The daemon as a program: serves one home until it is told to stop. Why it cannot start is one JSON line on stderr. */
async function main(): Promise<number> {
  const home = resolve(process.env['ASSAY_HOME'] || join(homedir(), '.assay'));
  const logger = logFile({
    path: join(home, 'logs', 'daemon.jsonl'),
    clock: systemClock,
    debug: process.env['ASSAY_LOG_LEVEL'] === 'debug',
    fallback: (line) => void process.stderr.write(`${line}\n`),
  });
  try {
    await using daemon = await startDaemon({ home, env: process.env, logger });
    logger.log('info', 'the daemon listens', { url: daemon.url, pid: process.pid });
    void lowerThreadPoolPriority().then((pool) => logger.log('info', 'the priority of the thread pool', { ...pool }));
    giveBackMemory();
    daemon.recovered.catch((error: unknown) => logger.log('error', 'recovery failed', { error: errorText(error) }));
    await Promise.race([daemon.shutdownRequested, signaled(), homeGone(daemon.home.daemonFile)]);
    logger.log('info', 'the daemon stops');
    return 0;
  } catch (error) {
    process.stderr.write(`${JSON.stringify({ error: startError(error) })}\n`);
    return error instanceof AssayError ? exitCodeOf(error.code) : 1;
  }
}

function signaled(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => done());
  });
}

const LOOK_MS = 2000;

/** Resolves when the home was removed or given to another daemon: nobody can find this one any more. */
function homeGone(daemonFile: string): Promise<void> {
  return new Promise((done) => {
    const timer = setInterval(() => {
      if (ownerOf(daemonFile) === process.pid) return;
      clearInterval(timer);
      done();
    }, LOOK_MS);
    timer.unref();
  });
}

function ownerOf(daemonFile: string): number | undefined {
  try {
    return (JSON.parse(readFileSync(daemonFile, 'utf8')) as { pid: number }).pid;
  } catch {
    return undefined; // gone, or no longer ours to read
  }
}

function startError(error: unknown) {
  const known = error instanceof AssayError ? error : systemFailure(error);
  if (known === undefined)
    return { code: 'daemon_start_failed', message: 'the daemon could not start', why: errorText(error), details: {} };
  const { code, message, why, hint, details } = known;
  return { code, message, why, hint, details };
}

process.exitCode = await main();
