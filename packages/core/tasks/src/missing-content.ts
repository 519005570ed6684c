import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AssayError, errorCode } from '@assay/foundation';
import { largeFilePointersIn } from '@assay/repositories';

/** What programs say that were given the text of a pointer in the place of a model, a table or an archive. */
const TELLING = /invalid load key, 'v'|version https:\/\/git-lfs|git-lfs\.github\.com/i;

/**
 * A failed run whose own words name a Git LFS pointer of the workspace, or tell that one was read, or that miss a module
 * with the name of an empty submodule, is explained by it: the content was never fetched. Any other failure stays as it is.
 */
export async function explainMissingContent(
  error: AssayError,
  workspace: string,
  signal: AbortSignal,
): Promise<AssayError> {
  const said = error.why ?? '';
  const submodule = await missingSubmodule(said, workspace);
  if (submodule !== undefined)
    return new AssayError('repository_content_missing', `the submodule ${submodule} is not part of the copy`, {
      why: `submodules are not fetched, and the code needs it; ${said}`,
      hint: 'clone it, run "git submodule update --init --recursive" there, copy the files without .git to a plain folder, and give that folder',
      details: { submodule },
      cause: error,
    });
  const pointers = await largeFilePointersIn(workspace, signal);
  const named = pointers.filter((path) => said.includes(basename(path)));
  const guilty = named.length > 0 ? named : TELLING.test(said) ? pointers : [];
  if (guilty.length === 0) return error;
  const listed = guilty.slice(0, 5).join(', ');
  return new AssayError('repository_content_missing', `the repository holds only a pointer in the place of ${listed}`, {
    why: `its content is kept in Git LFS, which is not fetched; ${said}`,
    hint: 'clone it, run "git lfs pull" there, copy the files without .git to a plain folder, and give that folder',
    details: { pointers: guilty.slice(0, 20) },
    cause: error,
  });
}

const LONGEST_LIST = 1 << 20;

/** The submodule without files whose folder has the name of the module that Python did not find. */
async function missingSubmodule(said: string, workspace: string): Promise<string | undefined> {
  const parts = /No module named '([\w.]+)'/.exec(said)?.[1]?.split('.') ?? [];
  if (parts.length === 0) return undefined;
  const list = await orNothing(readFile(join(workspace, '.gitmodules'), 'utf8'), '');
  if (list.length > LONGEST_LIST) return undefined;
  for (const [, path = ''] of list.matchAll(/^\s*path\s*=\s*(\S.*?)\s*$/gm)) {
    if (path.split('/').includes('..') || !parts.includes(basename(path).replaceAll('-', '_'))) continue;
    if ((await orNothing(readdir(join(workspace, path)), [])).length === 0) return path;
  }
  return undefined;
}

async function orNothing<T>(work: Promise<T>, nothing: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return nothing;
    throw error;
  }
}
