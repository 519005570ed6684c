import { join } from 'node:path';
import { dependencySpecSchema, type DependencySpec } from '@assay/dependencies';
import type { PythonEnvironment } from '@assay/python-environments';
import type { PythonInterpreter } from '@assay/sandbox';
import { adapterSpecValue, valueOf, workspaceValue } from '../benchmark-values.ts';
import { installPackages, runtimeOf } from '../install-packages.ts';
import { installReport } from '../install-report.ts';
import type { Installed } from '../install-with-repair.ts';
import { runtimeSessionValue, type PreparedRuntimeValue } from '../prepared-runtime.ts';
import { benchmarkSpec, inside } from '../sandbox-specs.ts';
import { requireSuccess } from '../session-failure.ts';
import type { TaskContext, TaskType } from '../task-type.ts';

/** Fills an environment with the packages that are needed, mends what rules can mend, and proves that they import. */
export const installDependencies: TaskType = {
  type: 'install_dependencies',
  codeVersion: 2,
  async run(context) {
    const spec = valueOf(dependencySpecSchema, await context.input('dependency_spec'));
    const { interpreter, version, why } = valueOf(runtimeSessionValue, await context.input('runtime_session'));
    const workspace = valueOf(workspaceValue, await context.input('workspace_path'));
    const check = await repositoryCheck(context, join(context.paths.root, workspace.path), interpreter);
    if (spec.requirements.length === 0)
      return outcome(
        { python: version, interpreter, environment: null, requirements: [], pythonPath: spec.pythonPath },
        { spec, version, why, check },
      );
    const { thirdPartyImports } = valueOf(adapterSpecValue, await context.input('benchmark_adapter_spec'));
    const installed = await installPackages(context, { spec, interpreter, modules: thirdPartyImports });
    return outcome(runtimeOf(installed, spec.pythonPath), { spec, version, why, check, installed });
  },
};

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
