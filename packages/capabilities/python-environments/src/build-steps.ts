import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assetPath } from '@assay/entries';
import type { EgressPolicy, Mount, PythonInterpreter, SandboxSpec } from '@assay/sandbox';
import { ENVIRONMENT_INSIDE, type EnvironmentRequest, type StepRequest } from './environment.ts';
import type { IndexAccess } from './index-access.ts';
import type { Installer } from './installer.ts';
import { removeTree } from './remove-tree.ts';

const OUTPUT_BYTES = 64 * (1 << 20);
const TOOLS_INSIDE = '/pip/tools';

/** Everything that the commands of one build are made of. */
export interface BuildPlan {
  readonly request: EnvironmentRequest;
  readonly access: IndexAccess;
  readonly installer: Installer;
  /** The build's folder: `environment`, `in`, `out` and `scratch`. */
  readonly staging: string;
}

/** Makes the folders of a build anew. */
export async function prepareStaging({ staging, request }: BuildPlan): Promise<void> {
  await removeTree(staging);
  for (const name of ['environment', 'in', 'out', 'scratch'])
    await mkdir(join(staging, name), { recursive: true, mode: 0o700 });
  await writeFile(join(staging, 'in', 'requirements.txt'), lines(request.requirements));
  await writeFile(join(staging, 'in', 'constraints.txt'), lines(request.constraints ?? []));
  await writeFile(join(staging, 'in', 'build-constraints.txt'), lines(request.buildConstraints ?? []));
}

/** `venv --without-pip`: ensurepip would cost seconds, and the installer stays outside. */
export function createStep(plan: BuildPlan): StepRequest {
  const { executable } = plan.request.interpreter;
  return {
    spec: spec(plan, { network: 'none', mounts: [] }),
    argv: [executable, '-I', '-m', 'venv', '--without-pip', ENVIRONMENT_INSIDE],
    cwd: '/tmp',
  };
}

/** Asks the configured indexes which hosts their pages point to, for the first few requirements. */
export function fileHostsStep(plan: BuildPlan, names: readonly string[]): StepRequest {
  const tools = dirname(assetPath('python/file_hosts.py'));
  const base = spec(plan, {
    network: plan.access.policy ?? 'none',
    mounts: [...plan.access.mounts, { source: tools, target: TOOLS_INSIDE, mode: 'ro' }],
  });
  return {
    spec: { ...base, env: { ...base.env, ...plan.access.env } },
    argv: [plan.request.interpreter.executable, '-I', '-B', `${TOOLS_INSIDE}/file_hosts.py`, ...names],
    cwd: '/tmp',
  };
}

/** The installation itself, with wheels only or with source distributions too. */
export function installStep(
  plan: BuildPlan,
  kind: 'wheels' | 'sources',
  policy: EgressPolicy | undefined,
): StepRequest {
  const { access, installer, request, staging } = plan;
  const mounts: Mount[] = [
    ...access.mounts,
    ...installer.mounts,
    { source: join(staging, 'in'), target: '/pip/in', mode: 'ro' },
    { source: join(staging, 'out'), target: '/pip/out', mode: 'rw' },
    { source: join(staging, 'scratch'), target: '/pip/scratch', mode: 'rw' },
  ];
  const base = spec(plan, { network: policy ?? 'none', mounts });
  return {
    spec: {
      ...base,
      env: {
        ...base.env,
        ...access.env,
        ...(kind === 'sources' ? buildEnvironment(plan) : {}),
        TMPDIR: '/pip/scratch',
      },
    },
    argv: [
      ...installer.command,
      'install',
      ...(request.verbose === true ? ['-vv'] : []),
      ...(kind === 'wheels' ? ['--only-binary', ':all:'] : ['--prefer-binary']),
      '--no-warn-script-location',
      '--report',
      '/pip/out/report.json',
      '--requirement',
      '/pip/in/requirements.txt',
      '--constraint',
      '/pip/in/constraints.txt',
    ],
    cwd: '/tmp',
  };
}

/** pip hands constraints on to its builds by variables: older versions by the first, newer ones by the second. */
function buildEnvironment({ request, access }: BuildPlan): Readonly<Record<string, string>> {
  if ((request.buildConstraints ?? []).length === 0) return request.buildEnv ?? {};
  const own = '/pip/in/build-constraints.txt';
  const configured = access.env['PIP_CONSTRAINT'];
  return {
    ...request.buildEnv,
    PIP_CONSTRAINT: configured === undefined ? own : `${configured} ${own}`,
    PIP_BUILD_CONSTRAINT: own,
  };
}

function spec(plan: BuildPlan, parts: Pick<SandboxSpec, 'network' | 'mounts'>): SandboxSpec {
  const { limits, interpreter } = plan.request;
  return {
    ...limits,
    network: parts.network,
    mounts: [{ source: join(plan.staging, 'environment'), target: ENVIRONMENT_INSIDE, mode: 'rw' }, ...parts.mounts],
    env: { HOME: '/tmp', LANG: 'C.UTF-8', PYTHONUNBUFFERED: '1', PYTHONHASHSEED: '0' },
    readOnlyRoot: true,
    outputLimitBytes: OUTPUT_BYTES,
    interpreter: interpreter satisfies PythonInterpreter,
    allowedRoots: [plan.staging],
    dataRoots: parts.mounts.filter(({ mode }) => mode === 'ro').map(({ source }) => source),
  };
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
