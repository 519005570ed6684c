import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@assay/foundation';

/** Every regular file below a folder, or the file itself; nothing when it is not there. Links are not followed. */
export async function filesIn(path: string): Promise<string[]> {
  try {
    const found = await lstat(path);
    if (found.isFile()) return [path];
    if (!found.isDirectory()) return [];
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
