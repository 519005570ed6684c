import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstallState, Requirement } from '@assay/dependencies';
import { newId, silentLogger, systemClock } from '@assay/foundation';
import { createPythonEnvironments, type RunStep } from '@assay/python-environments';
import { createBubblewrapSandbox, findPython, stopSessionHost, type PythonInterpreter } from '@assay/sandbox';
import { temporaryFolder } from '@assay/testkit';
import type { BuildRequest, InstallDriver } from '../../src/install-with-repair.ts';

const MIB = 1 << 20;

export interface Installer extends AsyncDisposable {
  readonly python: PythonInterpreter;
  /** A driver that builds real environments; the check imports `modules` in one. */
  driver(modules: readonly string[], told: string[]): InstallDriver;
  start(requirements: readonly string[], parts?: Partial<InstallState>): InstallState;
}

/** Installs through a real sandbox from the index at `url`. */
export async function installer(url: string): Promise<Installer> {
  const temporary = await temporaryFolder('assay-repair');
  const folder = await realpath(temporary.path);
  const home = join(folder, 'home');
  const sandbox = createBubblewrapSandbox({ home, logger: silentLogger, clock: systemClock });
  const python = await findPython();
  const env = { PATH: process.env['PATH'], PIP_CONFIG_FILE: '/dev/null', PIP_INDEX_URL: url };
  const environments = createPythonEnvironments({ cacheDir: join(folder, 'cache'), env });
  const run: RunStep = async (name, request) => {
    const { spec, argv, cwd } = await request();
    await using instance = await sandbox.create(spec);
    const sessionId = newId('session');
    const sessionDir = join(folder, 'sessions', sessionId);
    const session = await instance.exec({ argv, cwd, name, sessionId, sessionDir, separateStreams: true });
    const exit = await session.wait();
    const read = (file: string) => readFile(join(sessionDir, file), 'utf8').catch(() => '');
    return {
      id: sessionId,
      exit,
      attestation: instance.attestation,
      tail: async (bytes = 2000) => `${await read('output.log')}\n${await read('stderr.log')}`.slice(-bytes),
      output: () => read('output.log'),
    };
  };
  const limits = { cpus: 2, memoryBytes: 1024 * MIB, pids: 128, diskBytes: 512 * MIB, timeoutSeconds: 60 };
  return {
    python,
    driver: (modules, told) => ({
      interpreters: [python],
      build: (request: BuildRequest) =>
        environments.ensure({ ...request, key: newId('exec'), limits, run, signal: new AbortController().signal }),
      markers: () => Promise.resolve(markers),
      tell: (message) => told.push(message),
      check: async ({ interpreter, mount }, name) => {
        const done = await run(name, () =>
          Promise.resolve({
            spec: {
              ...limits,
              interpreter,
              mounts: [mount],
              network: 'none',
              env: { HOME: '/tmp' },
              readOnlyRoot: true,
              outputLimitBytes: MIB,
              allowedRoots: [folder],
              dataRoots: [],
            },
            argv: [interpreter.executable, '-c', `import ${['sys', ...modules].join(', ')}`],
            cwd: '/tmp',
          }),
        );
        return done.exit.exitCode === 0 ? undefined : { step: 'run', output: await done.tail(10_000) };
      },
    }),
    start: (requirements, parts = {}) => stateOf(requirements, python.version, parts),
    [Symbol.asyncDispose]: async () => {
      await sandbox[Symbol.asyncDispose]();
      await stopSessionHost(home);
      await temporary[Symbol.asyncDispose]();
    },
  };
}

const markers: Awaited<ReturnType<InstallDriver['markers']>> = {
  implementation_name: 'cpython',
  implementation_version: '3.11.0',
  os_name: 'posix',
  platform_machine: 'x86_64',
  platform_python_implementation: 'CPython',
  platform_release: '6',
  platform_system: 'Linux',
  platform_version: '1',
  python_full_version: '3.11.0',
  python_version: '3.11',
  sys_platform: 'linux',
};

function stateOf(requirements: readonly string[], python: string, parts: Partial<InstallState>): InstallState {
  return {
    requirements: requirements.map(requirement),
    constraints: [],
    lockFile: null,
    python,
    pythons: [python],
    demands: [],
    machine: 'x86_64',
    checksHashes: requirements.every((line) => line.includes('--hash=')),
    buildConstraints: [],
    buildEnv: {},
    imports: [],
    declared: [],
    unavailable: [],
    answers: {},
    attempts: [],
    ...parts,
  };
}

function requirement(text: string, index: number): Requirement {
  const [line = '', ...hashes] = text.split(' --hash=');
  const [, name = '', specifier = '', marker] = /^([\w.-]+)([^;]*)(?:;(.*))?$/.exec(line) ?? [];
  return {
    name,
    extras: [],
    specifier: specifier.trim(),
    marker: marker?.trim() ?? null,
    place: { kind: 'index' },
    editable: false,
    hashes,
    origin: { file: 'requirements.txt', line: index + 1 },
  };
}
