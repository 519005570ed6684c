import { AssayError } from '@assay/foundation';
import type { PythonInterpreter } from '../python/python-interpreter.ts';
import { readHostFacts } from './host-facts.ts';
import { isInside, realPath } from './resolve-mounts.ts';

/**
 * The file or folder of this machine that every session sees whole and that holds `path`, links followed: a part of the
 * built root, or a folder of the interpreter. Undefined when no session sees `path` that way.
 */
export function shownFolder(path: string, interpreter?: Pick<PythonInterpreter, 'mounts'>): string | undefined {
  const { top, etc } = readHostFacts();
  const shown = [...top.map((entry) => entry.path), ...etc, ...(interpreter?.mounts ?? [])];
  const real = realPath(path);
  if (real === undefined) return undefined;
  return shown.find((folder) => {
    const source = realPath(folder);
    return source !== undefined && isInside(real, source);
  });
}

/** Throws `sandbox_refused` when sessions see the file whatever is mounted: what must stay hidden cannot lie there. */
export function refuseShown(path: string, interpreter?: Pick<PythonInterpreter, 'mounts'>): void {
  const folder = shownFolder(path, interpreter);
  if (folder === undefined) return;
  throw new AssayError('sandbox_refused', 'the data file lies in a folder that the code can see', {
    why: `${path} is inside ${folder}, which every run may read: the labels would stand open beside the code`,
    hint: 'copy the file elsewhere, such as into your home folder, and name the copy: --data FILE',
    details: { path, folder },
  });
}
