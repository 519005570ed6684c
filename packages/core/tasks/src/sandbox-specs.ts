import { refuseShown, type SandboxSpec } from '@assay/sandbox';
import type { TaskContext } from './task-type.ts';

/** Where things stand inside the sandbox. */
export const inside = {
  workspace: '/workspace',
  benchmark: '/workspace/.scholar/benchmark',
  uploads: '/workspace/.scholar/uploads',
  tools: '/tools',
} as const;

export type SpecParts = Pick<SandboxSpec, 'mounts'> &
  Partial<Pick<SandboxSpec, 'masks' | 'timeoutSeconds' | 'interpreter' | 'env'>>;

/**
 * The boundary of every command of a benchmark: no network, read-only root, the limits of the configuration. Rejects
 * with `sandbox_refused` when the interpreter's folders would show the data file, labels and all.
 */
export async function benchmarkSpec(context: TaskContext, parts: SpecParts): Promise<SandboxSpec> {
  const { settings } = context;
  const { env, ...others } = parts;
  const interpreter = parts.interpreter ?? (await context.python());
  if (context.plan.inputs.data !== undefined) refuseShown(context.plan.inputs.data, interpreter);
  return {
    masks: [],
    timeoutSeconds: context.task.timeoutSeconds,
    ...others,
    network: 'none',
    cpus: settings.cpus,
    memoryBytes: settings.memoryBytes,
    pids: settings.pids,
    diskBytes: settings.diskBytes,
    outputLimitBytes: 64 * (1 << 20),
    readOnlyRoot: true,
    interpreter,
    env: {
      HOME: '/tmp',
      LANG: 'C.UTF-8',
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONHASHSEED: '17',
      // Compiled files that a repository ships are not looked at: what runs is the source that was read and fingerprinted.
      PYTHONPYCACHEPREFIX: '/tmp/pycache',
      PYTHONUNBUFFERED: '1',
      ...env,
    },
    allowedRoots: settings.workspaceRoots,
    dataRoots: settings.dataRoots,
  };
}
