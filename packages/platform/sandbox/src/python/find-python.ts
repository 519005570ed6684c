import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { AssayError, errorText } from '@assay/foundation';
import * as z from 'zod';
import type { PythonInterpreter } from './python-interpreter.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 15_000;

/** Isolated, so that nothing of the current folder or the user's settings answers instead. */
const QUESTION = `import json, sys
version = "%d.%d.%d" % sys.version_info[:3]
try:
    with open("/proc/self/maps") as maps:
        loaded = sorted({line.split(None, 5)[5].strip() for line in maps if ".so" in line and "/" in line})
except OSError:
    loaded = []
print(json.dumps([sys.executable, sys.prefix, sys.base_prefix, version, loaded]))`;

const answerSchema = z.tuple([
  z.string().min(1),
  z.string().min(1),
  z.string().min(1),
  z.string(),
  z.array(z.string()).max(10_000),
]);

/**
 * The interpreter behind a name or path: of pyenv, conda, uv, a virtual environment or the system. Without a candidate
 * `python3`, then `python`, of this process's PATH. Rejects with `interpreter_missing`.
 */
export async function findPython(candidate?: string): Promise<PythonInterpreter> {
  const failures: string[] = [];
  for (const name of candidate === undefined ? ['python3', 'python', '/usr/bin/python3'] : [candidate]) {
    try {
      return await askPython(name);
    } catch (error) {
      failures.push(`${name}: ${errorText(error).split('\n')[0]}`);
    }
  }
  throw new AssayError(
    'interpreter_missing',
    candidate === undefined ? 'no Python 3 was found' : `${candidate} is not a Python 3`,
    {
      why: failures.join('; '),
      hint: 'install Python 3 (sudo apt-get install python3), or name another interpreter',
    },
  );
}

async function askPython(name: string): Promise<PythonInterpreter> {
  const { stdout } = await run(name, ['-I', '-c', QUESTION], { timeout: TIMEOUT_MS, encoding: 'utf8' });
  const [executable, prefix, basePrefix, version, loaded] = answerSchema.parse(JSON.parse(stdout));
  if (!version.startsWith('3.')) throw new Error(`it is Python ${version}`);
  const real = await realpath(executable);
  const own = [prefix, basePrefix, await realpath(prefix), await realpath(basePrefix), dirname(dirname(real))];
  const folders = [...own, ...libraryFolders(loaded)];
  return {
    // The real file of a virtual environment is its base interpreter, which does not see the environment.
    executable: prefix === basePrefix ? real : executable,
    version,
    prefix,
    basePrefix,
    mounts: outermost(folders.filter((folder) => !isSystem(folder))),
  };
}

/** Library folders beside the interpreter's own, of one that was built to find its shared library elsewhere. */
function libraryFolders(loaded: readonly string[]): string[] {
  return loaded
    .map((file) => dirname(file))
    .filter((folder) => /^lib(32|64)?$/.test(basename(folder)) && !isSystem(folder));
}

function isSystem(folder: string): boolean {
  return ['/usr', '/lib', '/lib32', '/lib64'].some((top) => isUnder(folder, top));
}

/** Each folder once, without those that another one holds. */
function outermost(folders: readonly string[]): string[] {
  const unique = [...new Set(folders)];
  return unique.filter((folder) => !unique.some((other) => other !== folder && isUnder(folder, other))).sort();
}

function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
