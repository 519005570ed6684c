import { dirname } from 'node:path';
import { assetPath } from '@assay/entries';
import { usualHint } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import type { Mount } from '@assay/sandbox';
import { benchmarkSpec, inside } from './sandbox-specs.ts';
import { requireSuccess } from './session-failure.ts';
import type { TaskContext } from './task-type.ts';

const OUTPUT_LIMIT = 32 * (1 << 20);

export interface PythonToolRequest {
  /** Names the session in this attempt. */
  readonly session: string;
  /** A file of our own under `assets/python/`. */
  readonly script: string;
  readonly args: readonly string[];
  /** What the tool may read. */
  readonly mounts: readonly Mount[];
}

/** Runs one of our Python tools in the sandbox and resolves with the JSON that it prints. */
export async function runPythonTool(context: TaskContext, request: PythonToolRequest): Promise<unknown> {
  const script = assetPath(`python/${request.script}`);
  const tools = dirname(script);
  const session = await context.session(request.session, async () => {
    const spec = await benchmarkSpec(context, {
      mounts: [...request.mounts, { source: tools, target: inside.tools, mode: 'ro' }],
      timeoutSeconds: 120,
    });
    const { executable } = await context.python();
    return {
      spec: { ...spec, dataRoots: [...spec.dataRoots, tools] },
      argv: [executable, '-I', '-B', `${inside.tools}/${request.script}`, ...request.args],
      cwd: '/tmp',
    };
  });
  await requireSuccess(session, `the tool ${request.script}`);
  const text = await session.output(OUTPUT_LIMIT);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AssayError('internal', `the tool ${request.script} did not answer in JSON`, {
      hint: usualHint('internal'),
      cause: error,
    });
  }
}
