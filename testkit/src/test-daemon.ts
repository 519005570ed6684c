import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Client } from '@assay/client';
import { entryPath } from '@assay/entries';
import { errorCode } from '@assay/foundation';
import { processStartTime, readJson } from '@assay/files';
import { stopSessionHost } from '@assay/sandbox';
import { leakGuard } from './leak-guard.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface TestDaemonOptions {
  /** A home that outlives this daemon; without it a temporary one is made and removed. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A program and its first arguments that the daemon runs under, such as strace. */
  readonly under?: readonly string[];
  /** Another program file than the daemon of the bundle. */
  readonly entry?: string;
}

export interface TestDaemon extends AsyncDisposable {
  readonly home: string;
  readonly url: string;
  readonly pid: number;
  readonly token: string;
  readonly client: Client;
  /** Exit code or signal, once it has ended; of the program that it runs under, if there is one. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** True while the daemon itself lives. */
  alive(): boolean;
  readonly stderr: () => string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

interface DaemonFile {
  readonly pid: number;
  readonly url: string;
}

const START_LIMIT_MS = 20_000;

/** Starts the real daemon as a process of its own. Disposal ends it and its session host, fails when anything of them is left, and removes a temporary home. */
export async function startTestDaemon(options: TestDaemonOptions = {}): Promise<TestDaemon> {
  const folder = options.home === undefined ? await temporaryFolder('assay-home') : undefined;
  const home = options.home ?? folder!.path;
  const [program, ...first] = [...(options.under ?? []), process.execPath, options.entry ?? entryPath('daemon')];
  const child = spawn(program, first, {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ASSAY_BUNDLE_DIR: process.env['ASSAY_BUNDLE_DIR'],
      ...options.env,
      ASSAY_HOME: home,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed = (printed + text).slice(-20_000)));
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  try {
    const file = await started(child, home, () => printed);
    const token = (await readFile(join(home, 'runtime', 'token'), 'utf8')).trim();
    const startTime = processStartTime(file.pid);
    const alive = () => startTime !== undefined && processStartTime(file.pid) === startTime;
    const kill = async (signal: NodeJS.Signals) => {
      if (alive()) send(file.pid, signal);
      while (alive()) await sleep(10);
      // A tracer goes on as long as anything that the daemon started.
      if (options.under !== undefined) child.kill('SIGKILL');
      await exited;
    };
    return {
      home,
      url: file.url,
      pid: file.pid,
      token,
      client: createClient({ baseUrl: file.url, token }),
      exited,
      alive,
      stderr: () => printed,
      kill,
      async [Symbol.asyncDispose]() {
        await kill('SIGTERM');
        await stopSessionHost(home);
        await leakGuard(home)[Symbol.asyncDispose]();
        await folder?.[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    child.kill('SIGKILL');
    await folder?.[Symbol.asyncDispose]();
    throw error;
  }
}

/** A process that has just died is left in peace. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** Waits until the daemon has said where it listens. */
async function started(child: ChildProcess, home: string, printed: () => string): Promise<DaemonFile> {
  const before = (await readJson(join(home, 'runtime', 'daemon.json')).catch(() => undefined)) as
    DaemonFile | undefined;
  for (let waited = 0; waited < START_LIMIT_MS; waited += 20) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the daemon ended at its start (${child.exitCode ?? child.signalCode}): ${printed()}`);
    const file = (await readJson(join(home, 'runtime', 'daemon.json')).catch(() => undefined)) as
      DaemonFile | undefined;
    if (file !== undefined && file.pid !== before?.pid) return file;
    if (file !== undefined && file.pid === child.pid) return file;
    await sleep(20);
  }
  throw new Error(`the daemon did not start within ${START_LIMIT_MS / 1000} s: ${printed()}`);
}
