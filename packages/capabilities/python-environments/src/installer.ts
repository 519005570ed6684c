import { AssayError } from '@assay/foundation';
import type { Mount, PythonInterpreter } from '@assay/sandbox';
import { ENVIRONMENT_INSIDE } from './environment.ts';
import type { PipFacts } from './pip-facts.ts';

/** The pip that fills an environment: how it is called inside the sandbox, and what it needs there. */
export interface Installer {
  /** Such as `pip 23.2.1`. */
  readonly name: string;
  readonly command: readonly string[];
  readonly mounts: readonly Mount[];
}

/** `--python` and `--report` exist from here on. */
const LEAST = [22, 3] as const;
const WHEEL_INSIDE = '/pip/installer';

/**
 * Prefers the pip that is installed for the interpreter, from outside the environment; else the wheel that came with it
 * for `ensurepip`, run by the environment's own interpreter. Throws `installer_missing` when neither serves.
 */
export function chooseInstaller(interpreter: PythonInterpreter, facts: PipFacts): Installer {
  const target = `${ENVIRONMENT_INSIDE}/bin/python`;
  const { installed, bundled } = facts;
  if (installed !== null && serves(installed.version) && isVisible(installed.location, interpreter))
    return {
      name: `pip ${installed.version}`,
      command: [interpreter.executable, '-I', '-m', 'pip', '--python', target],
      mounts: [],
    };
  if (bundled !== null && serves(bundled.version)) {
    const file = `${WHEEL_INSIDE}/${bundled.location.split('/').at(-1)!}`;
    return {
      name: `pip ${bundled.version} (bundled)`,
      command: [target, '-I', `${file}/pip`],
      mounts: [{ source: bundled.location, target: file, mode: 'ro' }],
    };
  }
  const had = [installed, bundled].flatMap((pip) => (pip === null ? [] : [pip.version]));
  throw new AssayError('installer_missing', `there is no usable pip for Python ${interpreter.version}`, {
    why:
      had.length === 0
        ? 'neither pip nor ensurepip is installed'
        : `pip ${had.join(', ')} is older than ${LEAST.join('.')}`,
    hint: 'install it (sudo apt-get install python3-pip python3-venv), or choose another interpreter with --python',
  });
}

function serves(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1]);
}

/** Of a person's home only the interpreter's own folders are shown inside. */
function isVisible(location: string, interpreter: PythonInterpreter): boolean {
  return ['/usr', ...interpreter.mounts].some((folder) => location.startsWith(`${folder}/`));
}
