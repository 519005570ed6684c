import { mkdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { newId, silentLogger, systemClock } from '@assay/foundation';
import {
  createBubblewrapSandbox,
  findPython,
  stopSessionHost,
  type PythonInterpreter,
  type Sandbox,
} from '@assay/sandbox';
import { temporaryFolder } from '@assay/testkit';
import {
  createPythonEnvironments,
  type EnvironmentRequest,
  type PythonEnvironmentsOptions,
  type RunStep,
} from '../../src/index.ts';

export const MIB = 1 << 20;

export interface Subject extends AsyncDisposable {
  readonly folder: string;
  readonly cacheDir: string;
  readonly sandbox: Sandbox;
  readonly python: PythonInterpreter;
  /** Names of the commands that were started. */
  readonly started: string[];
  /** The network that each of them had. */
  readonly networks: string[];
  /** What the commands of that name printed. */
  logs(name: string): Promise<string[]>;
  environments(options?: Partial<PythonEnvironmentsOptions>): ReturnType<typeof createPythonEnvironments>;
  request(requirements: readonly string[], changes?: Partial<EnvironmentRequest>): EnvironmentRequest;
}

/** A sandbox, a cache and an interpreter; pip is configured by `env` alone. */
export async function environmentSubject(env: Readonly<Record<string, string>> = {}): Promise<Subject> {
  const temporary = await temporaryFolder('assay-env');
  const folder = await realpath(temporary.path);
  const [home, cacheDir] = [join(folder, 'home'), join(folder, 'cache')];
  await mkdir(cacheDir);
  const sandbox = createBubblewrapSandbox({ home, logger: silentLogger, clock: systemClock });
  const python = await findPython();
  const started: string[] = [];
  const networks: string[] = [];
  const folders: { readonly name: string; readonly dir: string }[] = [];
  const run =
    (signal: AbortSignal): RunStep =>
    async (name, request) => {
      const { spec, argv, cwd } = await request();
      started.push(name);
      await using instance = await sandbox.create(spec);
      const sessionId = newId('session');
      const sessionDir = join(folder, 'sessions', sessionId);
      networks.push(instance.attestation.network);
      folders.push({ name, dir: sessionDir });
      const command = { argv, cwd, name, sessionId, sessionDir, separateStreams: true };
      const session = await instance.exec(command, { signal });
      const exit = await session.wait();
      signal.throwIfAborted();
      const read = (file: string) => readFile(join(sessionDir, file), 'utf8');
      return {
        id: sessionId,
        exit,
        attestation: instance.attestation,
        tail: async (bytes = 2000) => `${await read('output.log')}\n${await read('stderr.log')}`.slice(-bytes),
        output: () => read('output.log'),
      };
    };
  return {
    folder,
    cacheDir,
    sandbox,
    python,
    started,
    networks,
    logs: (name) =>
      Promise.all(
        folders.filter((entry) => entry.name === name).map(({ dir }) => readFile(join(dir, 'output.log'), 'utf8')),
      ),
    environments: (options = {}) =>
      createPythonEnvironments({
        cacheDir,
        env: { PATH: process.env['PATH'], PIP_CONFIG_FILE: '/dev/null', ...env },
        ...options,
      }),
    request: (requirements, changes = {}) => {
      const signal = changes.signal ?? new AbortController().signal;
      return {
        interpreter: python,
        requirements,
        sources: 'never',
        key: 'attempt-1',
        limits: { cpus: 2, memoryBytes: 1024 * MIB, pids: 128, diskBytes: 512 * MIB, timeoutSeconds: 60 },
        run: run(signal),
        signal,
        ...changes,
      };
    },
    [Symbol.asyncDispose]: async () => {
      await sandbox[Symbol.asyncDispose]();
      await stopSessionHost(home);
      await temporary[Symbol.asyncDispose]();
    },
  };
}
