import type { Dirent } from 'node:fs';
import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, systemFailure } from '@assay/foundation';

/** What a disk was like when a command failed. */
export interface SpaceUse {
  readonly folder: string;
  readonly freeBytes: number;
  /** What the build had written. */
  readonly usedBytes: number;
  readonly boundBytes: number;
  /** True when it was ended because it wrote more than its bound. */
  readonly isBound: boolean;
}

const MOST_ENTRIES = 200_000;
const BLOCK = 512;
const MIB = 1 << 20;

export async function spaceUse(staging: string, bound: Pick<SpaceUse, 'boundBytes' | 'isBound'>): Promise<SpaceUse> {
  const { bavail, bsize } = await statfs(staging);
  return { folder: staging, freeBytes: bavail * bsize, usedBytes: await bytesBelow(staging), ...bound };
}

/** Runs `work`; a disk that is full meanwhile is told with its folder and how much is left. */
export async function tellFullDisk<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const known = systemFailure(error);
    if (known?.code !== 'disk_full') throw error;
    const { bavail, bsize } = await statfs(folder);
    throw new AssayError('disk_full', 'the disk is full', {
      why: `the disk of ${folder} has ${((bavail * bsize) / MIB).toFixed(1)} MiB left`,
      hint: 'free space on the disk of the home (assay doctor shows how much there is), then retry the task; nothing half installed is used',
      cause: error,
    });
  }
}

async function bytesBelow(folder: string): Promise<number> {
  let [bytes, entries] = [0, 0];
  const queue = [folder];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch((): Dirent[] => [])) {
      entries += 1;
      if (entries > MOST_ENTRIES) return bytes;
      const path = join(next, entry.name);
      bytes += ((await lstat(path).catch(() => undefined))?.blocks ?? 0) * BLOCK;
      if (entry.isDirectory()) queue.push(path);
    }
  }
  return bytes;
}
