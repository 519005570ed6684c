import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { newId, silentLogger, systemClock } from '@assay/foundation';
import { temporaryFolder } from '@assay/testkit';
import { MIB } from './sizes.ts';
import {
  createBubblewrapSandbox,
  stopSessionHost,
  type BubblewrapOptions,
  type ExecOptions,
  type Instance,
  type Sandbox,
  type SandboxCommand,
  type SandboxSpec,
  type Session,
  type SessionExit,
} from '../src/index.ts';

export { MIB } from './sizes.ts';

/** A sandbox with a folder of its own: `work` is writable as /work in the default specification. */
export interface Subject extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly home: string;
  readonly folder: string;
  readonly work: string;
}

export interface Ran {
  readonly exit: SessionExit;
  readonly output: string;
  readonly session: Session;
}

/** bubblewrap in a home of its own; disposal ends the session host and everything it runs. */
export async function bubblewrapSubject(options: Partial<BubblewrapOptions> = {}): Promise<Subject> {
  const temporary = await temporaryFolder('assay-sandbox');
  const folder = await realpath(temporary.path);
  const [home, work] = [join(folder, 'home'), join(folder, 'work')];
  await mkdir(work);
  const sandbox = createBubblewrapSandbox({ home, logger: silentLogger, clock: systemClock, ...options });
  return {
    sandbox,
    home,
    folder,
    work,
    [Symbol.asyncDispose]: async () => {
      await sandbox[Symbol.asyncDispose]();
      await stopSessionHost(home);
      await temporary[Symbol.asyncDispose]();
    },
  };
}

export function specFor(subject: Subject, changes: Partial<SandboxSpec> = {}): SandboxSpec {
  return {
    mounts: [{ source: subject.work, target: '/work', mode: 'rw' }],
    network: 'none',
    cpus: 2,
    memoryBytes: 512 * MIB,
    pids: 64,
    env: {},
    readOnlyRoot: true,
    timeoutSeconds: 30,
    outputLimitBytes: 16 * MIB,
    diskBytes: 256 * MIB,
    allowedRoots: [subject.work],
    dataRoots: [],
    ...changes,
  };
}

export function start(
  subject: Subject,
  instance: Instance,
  command: Partial<SandboxCommand> & { readonly argv: readonly string[] },
  options?: ExecOptions,
): Promise<Session> {
  const sessionId = newId('session');
  const sessionDir = join(subject.folder, 'sessions', sessionId);
  return instance.exec({ cwd: '/work', name: 'test', sessionId, sessionDir, ...command }, options);
}

export async function run(
  subject: Subject,
  instance: Instance,
  command: Partial<SandboxCommand> & { readonly argv: readonly string[] },
): Promise<Ran> {
  const session = await start(subject, instance, command);
  const exit = await session.wait();
  return { exit, session, output: (await session.read(0, 4 * MIB)).toString('utf8') };
}

export function shell(script: string): { readonly argv: readonly string[] } {
  return { argv: ['/bin/sh', '-c', script] };
}

/** Waits until `done` says so; fails after `ms`. */
export async function eventually(done: () => boolean | Promise<boolean>, ms = 5000): Promise<void> {
  const until = performance.now() + ms;
  while (!(await done())) {
    if (performance.now() > until) throw new Error(`not so within ${ms} ms: ${done.toString()}`);
    await systemClock.sleep(10);
  }
}
