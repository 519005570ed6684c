import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';
import { assetPath } from '@assay/entries';
import { AssayError, errorText } from '@assay/foundation';
import type { PythonInterpreter } from '@assay/sandbox';

const run = promisify(execFile);
const TIMEOUT_MS = 30_000;
const MAX_OUTPUT = 1 << 20;

const pipSchema = z.object({
  version: z.string(),
  /** The folder, or the wheel, that holds the package `pip`. */
  location: z.string(),
});

const factsSchema = z.object({
  platform: z.string(),
  abi: z.string(),
  /** As installed for this interpreter, and as shipped for `ensurepip`. */
  installed: pipSchema.nullable(),
  bundled: pipSchema.nullable(),
  /** pip's own constants: the index used when none is configured, and the host that its files come from. */
  defaultIndex: z.string().nullable(),
  defaultFileHost: z.string().nullable(),
  /** `pip config list`: names such as `global.index-url`, `install.no-binary`, `:env:.find-links`. */
  settings: z.record(z.string(), z.string()),
});
export type PipFacts = z.infer<typeof factsSchema>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What pip itself says on this machine, asked outside the sandbox in the person's own environment, because the answer is
 * their configuration. Rejects with `installer_missing` when the interpreter cannot answer.
 */
export async function readPipFacts(
  interpreter: Pick<PythonInterpreter, 'executable'>,
  env: Environment,
  signal?: AbortSignal,
): Promise<PipFacts> {
  try {
    const { stdout } = await run(interpreter.executable, [assetPath('python/pip_facts.py')], {
      timeout: TIMEOUT_MS,
      maxBuffer: MAX_OUTPUT,
      encoding: 'utf8',
      cwd: '/',
      env: { ...env },
      ...(signal === undefined ? {} : { signal }),
    });
    return factsSchema.parse(JSON.parse(stdout));
  } catch (error) {
    signal?.throwIfAborted();
    throw new AssayError('installer_missing', `pip's settings cannot be read with ${interpreter.executable}`, {
      why: errorText(error).slice(0, 500),
      hint: 'run "python3 -m pip config list" to see what is wrong',
    });
  }
}
