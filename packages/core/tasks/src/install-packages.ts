import { arch } from 'node:process';
import { join } from 'node:path';
import {
  requirementText,
  type DependencySpec,
  type FailedStep,
  type InstallState,
  type MarkerEnvironment,
} from '@assay/dependencies';
import type { EnvironmentOutcome, PythonEnvironment } from '@assay/python-environments';
import type { PythonInterpreter } from '@assay/sandbox';
import { valueOf, workspaceValue } from './benchmark-values.ts';
import { lockText } from './install-report.ts';
import { installWithRepair, type BuildRequest, type Installed } from './install-with-repair.ts';
import { markerValues } from './marker-values.ts';
import { moduleEnvironment, type PreparedRuntimeValue } from './prepared-runtime.ts';
import { repairMemory } from './repair-memory.ts';
import { benchmarkSpec, inside } from './sandbox-specs.ts';
import { requireSuccess } from './session-failure.ts';
import type { TaskContext } from './task-type.ts';

/** Of one command of an installation. */
const STEP_SECONDS = 900;
const OUTPUT = 64 * 1024;

export interface InstallRequest {
  readonly spec: DependencySpec;
  readonly interpreter: PythonInterpreter;
  /** What must be importable afterwards. */
  readonly modules: readonly string[];
  /** Before the names of its commands, where a task installs more than once. */
  readonly prefix?: string;
}

/** Installs what a specification asks for, mends what rules can mend, and proves that the modules can be imported. */
export async function installPackages(context: TaskContext, request: InstallRequest): Promise<Installed> {
  const { spec, interpreter, modules, prefix = '' } = request;
  // An interpreter that a person named is never replaced by another one.
  const found = context.plan.inputs.python === undefined ? await context.pythons() : [];
  const interpreters = [interpreter, ...found.filter(({ version }) => version !== interpreter.version)];
  const { markers } = await markerValues(context, interpreter);
  const state = startState(spec, { imports: modules, markers, interpreters });
  if (spec.projectBuild !== null)
    context.log('warn', `${spec.projectBuild.why}: it is not built, and its code is imported as it lies`);
  if (spec.lock !== null) context.log(spec.lock.whyNot === null ? 'info' : 'warn', lockText(spec.lock));
  context.log('info', `needs ${spec.requirements.map(placeText).join(', ')}`.slice(0, 2000));
  return installWithRepair(state, {
    interpreters,
    build: (one) => build(context, { ...one, name: prefix + one.name }),
    check: (environment, name) => importCheck(context, { environment, name: prefix + name, modules, spec }),
    markers: async (python) => (await markerValues(context, python)).markers,
    tell: (message) => context.log('info', message),
    ...repairMemory(context.settings.cacheDir),
  });
}

function placeText(one: DependencySpec['requirements'][number]): string {
  return `${requirementText({ ...one, hashes: [] })} (${one.origin.file}:${one.origin.line})`;
}

function startState(
  spec: DependencySpec,
  known: {
    readonly imports: readonly string[];
    readonly markers: MarkerEnvironment;
    readonly interpreters: readonly PythonInterpreter[];
  },
): InstallState {
  return {
    requirements: spec.requirements,
    constraints: spec.constraints,
    lockFile: spec.lock?.whyNot === null ? spec.lock.file : null,
    python: known.interpreters[0]?.version ?? '',
    pythons: known.interpreters.map(({ version }) => version),
    demands: spec.requiresPython,
    machine: known.markers.platform_machine === '' ? arch : known.markers.platform_machine,
    // pip wants a hash for all or for none.
    checksHashes: spec.requirements.every(({ hashes }) => hashes.length > 0),
    buildConstraints: [],
    buildEnv: {},
    imports: known.imports,
    declared: spec.notNeeded,
    unavailable: spec.unavailable,
    answers: {},
    attempts: [],
  };
}

function build(context: TaskContext, { name, ...request }: BuildRequest): Promise<EnvironmentOutcome> {
  const { cpus, memoryBytes, pids, diskBytes } = context.settings;
  return context.environments.ensure({
    ...request,
    key: `${context.plan.id}/${context.task.id}/${context.attempt}/${name}`,
    limits: { cpus, memoryBytes, pids, diskBytes, timeoutSeconds: STEP_SECONDS },
    run: (step, make) => context.session(`${name}-${step}`, make),
    signal: context.signal,
    log: (level, message) => context.log(level, message),
  });
}

/** Imports the modules in a sandbox like that of the run; what it printed when that fails. */
async function importCheck(
  context: TaskContext,
  about: {
    readonly environment: PythonEnvironment;
    readonly name: string;
    readonly modules: readonly string[];
    readonly spec: DependencySpec;
  },
): Promise<FailedStep | undefined> {
  const { environment } = about;
  const workspace = valueOf(workspaceValue, await context.input('workspace_path'));
  const session = await context.session(about.name, async () => ({
    spec: await benchmarkSpec(context, {
      interpreter: environment.interpreter,
      env: moduleEnvironment(about.spec.pythonPath),
      mounts: [
        environment.mount,
        { source: join(context.paths.root, workspace.path), target: inside.workspace, mode: 'ro' },
      ],
      timeoutSeconds: 300,
    }),
    argv: [environment.interpreter.executable, '-c', `import ${['sys', ...about.modules].join(', ')}`],
    cwd: '/tmp',
  }));
  const { end, exitCode } = session.exit;
  if (end === 'exited' && exitCode === 0) return undefined;
  const output = await session.tail(OUTPUT);
  if (end === 'exited') return { step: 'run', output };
  if (end === 'timed_out' || end === 'out_of_memory' || end === 'output_limit') return { step: 'run', output, end };
  await requireSuccess(session, 'importing the packages');
  return undefined;
}

/** What a benchmark runs in once it is installed. */
export function runtimeOf(installed: Installed, pythonPath: readonly string[]): PreparedRuntimeValue {
  const { environment, interpreter, requirements } = installed;
  return {
    python: interpreter.version,
    interpreter: { ...interpreter, mounts: [...interpreter.mounts] },
    environment: { id: environment.id, treeSha256: environment.treeSha256 },
    requirements: [...requirements],
    pythonPath: [...pythonPath],
  };
}
