import { chmod, lstat, opendir, readlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { PythonInterpreter } from '@assay/sandbox';
import { ENVIRONMENT_INSIDE } from './environment.ts';

/** What the walk through a new environment found. */
export interface TreeCheck {
  readonly files: number;
  readonly bytes: number;
  readonly startupFiles: readonly string[];
  /** Why it must not be used; empty for a harmless one. At most 20. */
  readonly problems: readonly string[];
}

/** Set-user-id and set-group-id. */
const SET_ID = 0o6000;
const MAX_ENTRIES = 400_000;
const MAX_PROBLEMS = 20;
const MAX_STARTUP = 100;
const STARTUP = /(?:\.pth|^(?:site|user)customize(?:\.py|\.so|\.pyc)?)$/;

/**
 * Walks an environment that third-party programs may have written: links must stay inside or lead to the interpreter,
 * no file may carry more rights than its user, and nothing but files, folders and links may be there.
 */
export async function checkTree(
  root: string,
  interpreter: PythonInterpreter,
  signal?: AbortSignal,
): Promise<TreeCheck> {
  const problems: string[] = [];
  const startupFiles: string[] = [];
  let [files, bytes, entries] = [0, 0, 0];
  const queue = [root];
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    signal?.throwIfAborted();
    for await (const { name } of await opendir(folder)) {
      entries += 1;
      if (entries > MAX_ENTRIES)
        return { files, bytes, startupFiles, problems: [`it holds more than ${MAX_ENTRIES} files`] };
      const path = join(folder, name);
      const shown = relative(root, path);
      const stat = await lstat(path);
      const complain = (text: string) => problems.length < MAX_PROBLEMS && problems.push(`${shown} ${text}`);
      if (stat.isDirectory()) {
        await chmod(path, 0o755); // A build may have closed it to us.
        queue.push(path);
      } else if (stat.isSymbolicLink()) {
        if (!staysInside(root, path, { target: await readlink(path), interpreter }))
          complain('is a link that leads out');
      } else if (!stat.isFile()) complain('is neither a file nor a folder');
      if (stat.isFile() && (stat.mode & SET_ID) !== 0) complain('would run with other rights');
      if (!stat.isFile()) continue;
      files += 1;
      bytes += stat.size;
      if (STARTUP.test(name) && startupFiles.length < MAX_STARTUP) startupFiles.push(shown);
    }
  }
  return { files, bytes, startupFiles: startupFiles.sort(), problems };
}

/** Links count as they are read inside the sandbox, where the tree stands at its place there. */
function staysInside(
  root: string,
  path: string,
  link: { readonly target: string; readonly interpreter: PythonInterpreter },
): boolean {
  const inside = join(ENVIRONMENT_INSIDE, relative(root, path));
  const leads = resolve(dirname(inside), link.target);
  const allowed = [ENVIRONMENT_INSIDE, '/usr', '/bin', ...link.interpreter.mounts];
  return allowed.some((folder) => leads === folder || leads.startsWith(`${folder}/`));
}
