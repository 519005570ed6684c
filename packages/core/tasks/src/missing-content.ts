import { basename } from 'node:path';
import { AssayError } from '@assay/foundation';
import { largeFilePointersIn } from '@assay/repositories';

/** What programs say that were given the text of a pointer in the place of a model, a table or an archive. */
const TELLING = /invalid load key, 'v'|version https:\/\/git-lfs|git-lfs\.github\.com/i;

/**
 * A failed run whose own words name a Git LFS pointer of the workspace, or tell that one was read, is explained by it:
 * the content was never fetched. Any other failure stays as it is.
 */
export async function explainMissingContent(
  error: AssayError,
  workspace: string,
  signal: AbortSignal,
): Promise<AssayError> {
  const said = error.why ?? '';
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
