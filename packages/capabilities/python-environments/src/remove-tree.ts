import { chmod, opendir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@assay/foundation';

/** Removes a folder that other people's programs have written: also one that they closed to us. */
export async function removeTree(root: string): Promise<void> {
  try {
    await rm(root, { recursive: true, force: true });
  } catch (error) {
    if (errorCode(error) !== 'EACCES' && errorCode(error) !== 'EPERM') throw error;
    await openFolders(root);
    await rm(root, { recursive: true, force: true });
  }
}

async function openFolders(root: string): Promise<void> {
  const queue = [root];
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    await chmod(folder, 0o700);
    for await (const entry of await opendir(folder)) if (entry.isDirectory()) queue.push(join(folder, entry.name));
  }
}
