import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { throwIfAborted } from '@assay/foundation';

export interface RepositoryFile {
  readonly path: string;
  readonly size: number;
  /** Its content, when it is small and was read already. */
  readonly bytes?: Buffer | undefined;
}

export interface RepositoryFiles {
  readonly files: RepositoryFile[];
  readonly beyond: { readonly first: string[]; count: number };
}

/** How many files are taken, and how many of the others are named. */
export interface FileLimits {
  readonly most: number;
  readonly mostNamed: number;
}

/** As many regular files as are taken, in the order of their paths, and the first and number of those beyond. */
export async function regularFiles(folder: string, limits: FileLimits, signal: AbortSignal): Promise<RepositoryFiles> {
  const files: RepositoryFile[] = [];
  const beyond = { first: [] as string[], count: 0 };
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    throwIfAborted(signal);
    const entries = (await readdir(at, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isFile()) continue;
      if (files.length < limits.most) files.push({ path, size: (await lstat(path)).size });
      else if (++beyond.count <= limits.mostNamed) beyond.first.push(path);
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, beyond };
}
