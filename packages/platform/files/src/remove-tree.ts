import { chmod, opendir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@assay/foundation';

/** Bytes of a path that every call still takes (Linux: PATH_MAX 4,096), with room for one more name of 255. */
const LONGEST_PATH = 3_500;
/** Each move shortens what is left by thousands of bytes; more moves than this are no tree that a limit on disk allows. */
const MOST_MOVES = 10_000;

/**
 * Removes a file or a folder with all that it holds, also what a hostile program left: folders deeper than a path can
 * say, and folders without permissions. Nothing there is fine.
 */
export async function removeTree(path: string): Promise<void> {
  for (let move = 0; move < MOST_MOVES; move += 1) {
    try {
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      return;
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENAMETOOLONG') await liftDeepest(path, `.deep-${move}`);
      else if (code === 'EACCES' || code === 'EPERM') {
        if (!(await openFolders(path))) throw error;
      } else throw error;
    }
  }
  throw new Error(`${path} could not be removed in ${MOST_MOVES} moves`);
}

/** Moves the first folder whose path is about to become too long up to the top. */
async function liftDeepest(top: string, name: string): Promise<void> {
  for await (const folder of foldersOf(top))
    if (Buffer.byteLength(folder) > LONGEST_PATH) {
      await rename(folder, join(top, name));
      return;
    }
}

/** Gives the owner access to folders that have none; false when there was nothing to change. */
async function openFolders(top: string): Promise<boolean> {
  let changed = false;
  await chmod(top, 0o700);
  for await (const folder of foldersOf(top)) {
    if (Buffer.byteLength(folder) > LONGEST_PATH) continue;
    await chmod(folder, 0o700);
    changed = true;
  }
  return changed;
}

/** Folders below a folder, depth first, none below one whose path is about to become too long. */
async function* foldersOf(top: string): AsyncGenerator<string> {
  const waiting = [top];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (folder !== top) yield folder;
    if (Buffer.byteLength(folder) > LONGEST_PATH) continue;
    const entries = await opendir(folder).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    });
    for await (const entry of entries) if (entry.isDirectory()) waiting.push(join(folder, entry.name));
  }
}
