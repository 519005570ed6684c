import { arch } from 'node:process';
import { join } from 'node:path';
import * as z from 'zod';
import {
  dependencySpecSchema,
  requirementText,
  type DependencySpec,
  type FailedStep,
  type InstallState,
  type MarkerEnvironment,
} from '@assay/dependencies';
import type { EnvironmentOutcome, PythonEnvironment } from '@assay/python-environments';
import type { PythonInterpreter } from '@assay/sandbox';
import { adapterSpecValue, valueOf, workspaceValue } from '../benchmark-values.ts';
import { installReport, lockText } from '../install-report.ts';
import { installWithRepair, type BuildRequest, type Installed } from '../install-with-repair.ts';
import { markerValues } from '../marker-values.ts';
import { repairMemory } from '../repair-memory.ts';
import { interpreterValue, moduleEnvironment, type PreparedRuntimeValue } from '../prepared-runtime.ts';
import { benchmarkSpec, inside } from '../sandbox-specs.ts';
import { requireSuccess } from '../session-failure.ts';
import type { TaskContext, TaskType } from '../task-type.ts';

const runtimeSession = z.object({ interpreter: interpreterValue, version: z.string(), why: z.string() });
/** Of one command of an installation. */
const STEP_SECONDS = 900;
const OUTPUT = 64 * 1024;

/** Fills an environment with the packages that are needed, mends what rules can mend, and proves that they import. */
export const installDependencies: TaskType = {
  type: 'install_dependencies',
  codeVersion: 2,
  async run(context) {
    const spec = valueOf(dependencySpecSchema, await context.input('dependency_spec'));
    const { interpreter, version, why } = valueOf(runtimeSession, await context.input('runtime_session'));
    const workspace = valueOf(workspaceValue, await context.input('workspace_path'));
    const check = await repositoryCheck(context, join(context.paths.root, workspace.path), interpreter);
    if (spec.requirements.length === 0)
      return outcome(
        { python: version, interpreter, environment: null, requirements: [], pythonPath: spec.pythonPath },
        { spec, version, why, check },
      );
    const installed = await install(context, spec, interpreter);
    const { environment } = installed;
    const runtime: PreparedRuntimeValue = {
      python: installed.interpreter.version,
      interpreter: { ...installed.interpreter, mounts: [...installed.interpreter.mounts] },
      environment: { id: environment.id, treeSha256: environment.treeSha256 },
      requirements: [...installed.requirements],
      pythonPath: spec.pythonPath,
    };
    return outcome(runtime, { spec, version, why, check, installed });
  },
};

async function install(context: TaskContext, spec: DependencySpec, interpreter: PythonInterpreter): Promise<Installed> {
  const adapter = valueOf(adapterSpecValue, await context.input('benchmark_adapter_spec'));
  // An interpreter that a person named is never replaced by another one.
  const found = context.plan.inputs.python === undefined ? await context.pythons() : [];
  const interpreters = [interpreter, ...found.filter(({ version }) => version !== interpreter.version)];
  const { markers } = await markerValues(context, interpreter);
  const state = startState(spec, { imports: adapter.thirdPartyImports, markers, interpreters });
  if (spec.projectBuild !== null)
    context.log('warn', `${spec.projectBuild.why}: it is not built, and its code is imported as it lies`);
  if (spec.lock !== null) context.log(spec.lock.whyNot === null ? 'info' : 'warn', lockText(spec.lock));
  context.log('info', `needs ${spec.requirements.map(placeText).join(', ')}`.slice(0, 2000));
  return installWithRepair(state, {
    interpreters,
    build: (request) => build(context, request),
    check: (environment, name) => importCheck(context, { environment, name, modules: adapter.thirdPartyImports, spec }),
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

/** That the sandbox shows the repository and lets nothing be written. */
async function repositoryCheck(context: TaskContext, root: string, interpreter: PythonInterpreter): Promise<string> {
  const session = await context.session('import-check', async () => ({
    spec: await benchmarkSpec(context, {
      interpreter,
      mounts: [{ source: root, target: inside.workspace, mode: 'ro' }],
      timeoutSeconds: 60,
    }),
    argv: [interpreter.executable, '-I', '-c', CHECK],
    cwd: inside.workspace,
  }));
  await requireSuccess(session, 'the check of the prepared runtime');
  return (await session.output(10_000)).trim();
}

function outcome(
  runtime: PreparedRuntimeValue,
  found: {
    readonly spec: DependencySpec;
    readonly version: string;
    readonly why: string;
    readonly check: string;
    readonly installed?: Installed;
  },
) {
  const { spec, why, installed } = found;
  const environment = installed?.environment;
  const report = installReport(spec, { version: found.version, why }, found);
  return {
    outputs: {
      prepared_runtime: { type: 'json', value: runtime },
      dependency_install_report: { type: 'json', value: report },
    },
    summary:
      environment === undefined
        ? 'nothing to install'
        : `${installedSummary(environment, report.attempts)}, Python ${report.python.version}`,
  } as const;
}

function installedSummary(
  { lock, report, cached }: PythonEnvironment,
  attempts: readonly { readonly changed: string }[],
): string {
  const built = lock.filter(({ kind }) => kind === 'source').map(({ name }) => name);
  const from = [...new Set(lock.map((one) => one.from))].sort().join(', ');
  const how = cached ? 'ready from an earlier plan' : `installed from ${from} in ${report.seconds.toFixed(0)} s`;
  const sources = built.length === 0 ? '' : `; built from source: ${built.join(', ')}`;
  return `${lock.length} packages ${how}${sources}${attempts.length === 0 ? '' : `; mended: ${attempts.map(({ changed }) => changed).join(', ')}`}`;
}

const CHECK = `
import os
files = sum(len(names) for _, _, names in os.walk('.'))
assert files > 0, 'the repository is empty inside the sandbox'
try:
    open('written-by-check', 'w')
except OSError as error:
    print(f'{files} files are visible; writing is refused: {error.strerror}')
else:
    raise SystemExit('the repository can be written inside the sandbox')
`;
