import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { AssayError } from '@assay/foundation';
import { runPythonTool } from './python-tool.ts';
import type { TaskContext } from './task-type.ts';

const verdictSchema = z.object({
  ok: z.boolean(),
  problems: z.array(z.object({ line: z.number().nullable(), rule: z.string(), message: z.string() })),
});

/**
 * Parses an adapter in the sandbox and refuses one that starts processes, opens sockets, deletes or installs. Defence in
 * depth: the proof is isolation, hashes and recomputation.
 */
export async function checkAdapterPolicy(context: TaskContext, name: string, code: string): Promise<void> {
  const folder = join(context.attemptDir, `${name}-input`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'adapter.py'), code);
  const verdict = verdictSchema.parse(
    await runPythonTool(context, {
      session: name,
      script: 'policy.py',
      args: ['/input/adapter.py'],
      mounts: [{ source: folder, target: '/input', mode: 'ro' }],
    }),
  );
  if (verdict.ok) return;
  throw new AssayError('adapter_refused', 'the adapter does what an adapter must not do', {
    why: verdict.problems.map(({ line, message }) => (line === null ? message : `line ${line}: ${message}`)).join('; '),
    hint: verdict.problems.some(({ rule }) => rule === 'size')
      ? 'it names every column that the code may see: name fewer with --input'
      : 'an adapter only calls the repository and writes its predictions',
    details: { problems: verdict.problems },
  });
}
