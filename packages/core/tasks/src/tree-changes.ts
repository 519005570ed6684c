import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, throwIfAborted } from '@assay/foundation';

const NAMED = 10;
const MOST_ENTRIES = 200_000;

/**
 * Files of `copy` that are new or have another size or time than in `original`, in order of their paths: the first ten,
 * and a line that counts the rest. Links are not followed.
 */
export async function treeChanges(original: string, copy: string, signal: AbortSignal): Promise<string[]> {
  const changed: string[] = [];
  const waiting = [''];
  let seen = 0;
  for (let folder = waiting.pop(); folder !== undefined && seen < MOST_ENTRIES; folder = waiting.pop()) {
    throwIfAborted(signal);
    for (const entry of await entriesOf(join(copy, folder))) {
      seen += 1;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (path === '.scholar') continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (!(await isSame(join(original, path), join(copy, path)))) changed.push(path);
    }
  }
  changed.sort();
  const rest = changed.length - NAMED;
  return rest > 0 ? [...changed.slice(0, NAMED), `and ${rest} more`] : changed;
}

/** A name that is not UTF-8 leads nowhere once it is text: what is below it stays unlisted, the folder itself is new. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function isSame(before: string, after: string): Promise<boolean> {
  try {
    const [a, b] = [await lstat(before), await lstat(after)];
    return a.size === b.size && Math.abs(a.mtimeMs - b.mtimeMs) < 2;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
