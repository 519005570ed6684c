import { dirname } from 'node:path';
import { AssayError } from '@assay/foundation';
import type { SandboxSpec } from '../sandbox.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The whole environment of a command: nothing of ours passes; a command's values win over the specification's. */
export function innerEnvironment(
  spec: Pick<SandboxSpec, 'env' | 'interpreter'>,
  command: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const interpreterBin = spec.interpreter === undefined ? [] : [dirname(spec.interpreter.executable)];
  const env = {
    PATH: [...new Set([...interpreterBin, '/usr/local/bin', '/usr/bin', '/bin'])].join(':'),
    HOME: '/tmp',
    TMPDIR: '/tmp',
    USER: 'assay',
    LOGNAME: 'assay',
    LANG: 'C.UTF-8',
    ...spec.env,
    ...command,
  };
  for (const [name, value] of Object.entries(env))
    if (!NAME.test(name) || value.includes('\0'))
      throw new AssayError('sandbox_refused', `the environment variable ${JSON.stringify(name)} cannot be set`, {
        why: NAME.test(name) ? 'its value holds a zero byte' : 'its name is not one',
        hint: 'name variables with letters, digits and "_", and leave zero bytes out of their values',
      });
  return env;
}
