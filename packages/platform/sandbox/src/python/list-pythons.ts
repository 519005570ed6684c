import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findPython } from './find-python.ts';
import type { PythonInterpreter } from './python-interpreter.ts';

const MOST = 40;
const AT_ONCE = 2;
/** The programs that run inside need this. */
const OLDEST_MINOR = 8;

export interface ListPythonsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/**
 * The interpreters of this machine from Python 3.8 on: those of PATH, of pyenv and of uv, each once. What cannot be
 * asked is left out.
 */
export async function listPythons({ env, signal }: ListPythonsOptions): Promise<PythonInterpreter[]> {
  const found = new Map<string, PythonInterpreter>();
  const queue = (await candidates(env)).slice(0, MOST);
  const ask = async () => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      signal?.throwIfAborted();
      const python = await findPython(path).catch(() => undefined);
      if (python !== undefined && isRecent(python.version)) found.set(python.executable, python);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return [...found.values()].sort((a, b) => (a.executable < b.executable ? -1 : 1));
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 3 && minor >= OLDEST_MINOR;
}

/** Real paths of files that are named like a Python 3. Shims of pyenv are skipped: each is slow, and the real one is listed. */
async function candidates(env: ListPythonsOptions['env']): Promise<string[]> {
  const home = env['HOME'] ?? homedir();
  const pyenv = join(env['PYENV_ROOT'] ?? join(home, '.pyenv'), 'versions');
  const uv = env['UV_PYTHON_INSTALL_DIR'] ?? join(home, '.local/share/uv/python');
  const path = (env['PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/') && !folder.endsWith('/shims'));
  const managed = await Promise.all(
    [pyenv, uv].map(async (root) => (await namesIn(root)).map((name) => join(root, name, 'bin'))),
  );
  const real = new Set<string>();
  for (const folder of [...path, ...managed.flat()])
    for (const name of await namesIn(folder))
      if (/^python3(\.\d+)?$/.test(name)) real.add(await realpath(join(folder, name)).catch(() => ''));
  real.delete('');
  return [...real];
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
