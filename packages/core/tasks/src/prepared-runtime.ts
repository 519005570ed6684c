import { delimiter, join } from 'node:path';
import * as z from 'zod';
import { AssayError } from '@assay/foundation';
import { sha256 } from '@assay/contracts';
import type { Mount, PythonInterpreter } from '@assay/sandbox';
import { valueOf } from './benchmark-values.ts';
import { inside } from './sandbox-specs.ts';
import type { TaskContext } from './task-type.ts';

export const interpreterValue = z.object({
  executable: z.string(),
  version: z.string(),
  prefix: z.string(),
  basePrefix: z.string(),
  mounts: z.array(z.string()),
});

/** The interpreter and how it was chosen: of the artifact `runtime_session`. */
export const runtimeSessionValue = z.object({ interpreter: interpreterValue, version: z.string(), why: z.string() });

/** What a benchmark runs in: the artifact `prepared_runtime`, and `validated_runtime` after the preflight. */
export const preparedRuntimeValue = z.object({
  /** Version of Python. */
  python: z.string(),
  /** On this machine, not that of the environment. */
  interpreter: interpreterValue.optional(),
  /** The environment of packages, or null when none are needed. */
  environment: z.object({ id: sha256, treeSha256: sha256 }).nullable(),
  /** What was asked for, as pip reads it. */
  requirements: z.array(z.string()),
  /** Folders of the repository that are on the module path. */
  pythonPath: z.array(z.string()).default([]),
});
export type PreparedRuntimeValue = z.infer<typeof preparedRuntimeValue>;

export interface OpenRuntime {
  readonly interpreter: PythonInterpreter;
  readonly mounts: readonly Mount[];
  readonly env: Readonly<Record<string, string>>;
}

/** The runtime that a task was given: the one that passed the preflight, where there is one. */
export async function preparedRuntime({ task, input }: TaskContext): Promise<PreparedRuntimeValue> {
  const key = task.requiredArtifacts.includes('validated_runtime') ? 'validated_runtime' : 'prepared_runtime';
  return valueOf(preparedRuntimeValue, await input(key));
}

/** The prepared runtime of a plan, its environment confirmed by hash. Rejects with `output_missing` when it is gone. */
export async function openRuntime(context: TaskContext, given?: PreparedRuntimeValue): Promise<OpenRuntime> {
  const runtime = given ?? (await preparedRuntime(context));
  const base = runtime.interpreter ?? (await context.python());
  const env = moduleEnvironment(runtime.pythonPath);
  if (runtime.environment === null) return { interpreter: base, mounts: [], env };
  const { id, treeSha256 } = runtime.environment;
  const environment = await context.environments.open(id, base, context.signal);
  if (environment === undefined || environment.treeSha256 !== treeSha256)
    throw new AssayError('output_missing', 'the environment of packages is no longer there', {
      why: `${id.slice(0, 12)} was removed from the cache, or its files were changed`,
      hint: 'build it again: assay plan retry <plan> install_dependencies',
    });
  return { interpreter: environment.interpreter, mounts: [environment.mount], env };
}

/** PYTHONPATH for packages of the repository itself that its requirements list. */
export function moduleEnvironment(pythonPath: readonly string[]): Readonly<Record<string, string>> {
  if (pythonPath.length === 0) return {};
  return { PYTHONPATH: pythonPath.map((folder) => join(inside.workspace, folder)).join(delimiter) };
}
