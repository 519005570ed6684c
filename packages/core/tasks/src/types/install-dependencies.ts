import { join } from 'node:path';
import { workspaceValue, valueOf } from '../benchmark-values.ts';
import { benchmarkSpec, inside } from '../sandbox-specs.ts';
import { requireSuccess } from '../session-failure.ts';
import type { TaskType } from '../task-type.ts';

/** With no packages to install, what is left is to prove that the sandbox shows the repository and lets nothing be written. */
export const installDependencies: TaskType = {
  type: 'install_dependencies',
  codeVersion: 1,
  async run(context) {
    const workspace = valueOf(workspaceValue, await context.input('workspace_path'));
    const runtime = (await context.input('runtime_session')).value as { readonly version: string };
    const python = await context.python();
    const session = await context.session('import-check', async () => ({
      spec: await benchmarkSpec(context, {
        mounts: [{ source: join(context.paths.root, workspace.path), target: inside.workspace, mode: 'ro' }],
        timeoutSeconds: 60,
      }),
      argv: [python.executable, '-I', '-c', CHECK],
      cwd: inside.workspace,
    }));
    await requireSuccess(session, 'the check of the prepared runtime');
    return {
      outputs: {
        prepared_runtime: { type: 'json', value: { python: runtime.version, environment: null, requirements: [] } },
        dependency_install_report: {
          type: 'json',
          value: { attempts: [], installed: [], check: (await session.output(10_000)).trim() },
        },
      },
      summary: 'nothing to install',
    };
  },
};

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
