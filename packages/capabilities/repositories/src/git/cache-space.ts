import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@assay/foundation';

/** Its time of change is the time of the last use of a cache. */
export const USED_MARK = 'assay-used';

const ENTRIES = 10_000;

/**
 * Removes bare repositories that were not used for the longest time until the rest holds at most `maxBytes`. One that
 * is used now stays. Gives the names of those that went.
 */
export async function trimCache(
  cacheDir: string,
  options: { readonly maxBytes: number; readonly isUsed: (path: string) => boolean },
): Promise<string[]> {
  const found = await Promise.all((await gitFolders(cacheDir)).map((name) => measured(join(cacheDir, name), name)));
  const oldestFirst = found.sort((a, b) => a.usedAt - b.usedAt);
  let total = oldestFirst.reduce((sum, { bytes }) => sum + bytes, 0);
  const gone: string[] = [];
  for (const { path, name, bytes } of oldestFirst) {
    if (total <= options.maxBytes) break;
    if (options.isUsed(path)) continue;
    // A name that nothing looks for: from here on a new fetch makes a new cache.
    const aside = join(cacheDir, `${name}.gone-${process.pid}-${gone.length}`);
    if (!(await moved(path, aside))) continue;
    await rm(aside, { recursive: true, force: true });
    total -= bytes;
    gone.push(name);
  }
  return gone;
}

async function gitFolders(cacheDir: string): Promise<string[]> {
  const names = await readdir(cacheDir);
  // What a process that was killed in the middle of a removal left.
  for (const name of names.filter((one) => /\.git\.gone-/.test(one)).slice(0, ENTRIES))
    if (!name.includes(`.gone-${process.pid}-`)) await rm(join(cacheDir, name), { recursive: true, force: true });
  return names.filter((name) => name.endsWith('.git')).slice(0, ENTRIES);
}

async function measured(path: string, name: string) {
  const mark = await stat(join(path, USED_MARK)).catch(() => undefined);
  return { path, name, usedAt: mark?.mtimeMs ?? 0, bytes: await bytesBelow(path) };
}

/** What fetches leave there are packs and refs; a bound keeps a strange folder from costing more than a look. */
async function bytesBelow(path: string): Promise<number> {
  let bytes = 0;
  let seen = 0;
  const stack = [path];
  for (let folder = stack.pop(); folder !== undefined && seen < ENTRIES; folder = stack.pop())
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      seen += 1;
      const inner = join(folder, entry.name);
      if (entry.isDirectory()) stack.push(inner);
      else bytes += (await stat(inner).catch(() => undefined))?.size ?? 0;
    }
  return bytes;
}

async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false; // gone already
    throw error;
  }
}
