import { isUtf8 } from 'node:buffer';
import type { BigIntStats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { throwIfAborted } from '@assay/foundation';

/** One entry below a root. Paths are bytes, because a file name need not be UTF-8. */
export interface TreeEntry {
  /** Relative to the root, with `/`. */
  readonly path: Buffer;
  readonly absolute: Buffer;
  readonly stat: BigIntStats;
}

export interface WalkOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called for every entry that is not the root; false leaves it, and what is below it, out. */
  readonly enter?: (entry: TreeEntry) => boolean | Promise<boolean>;
}

const SLASH = Buffer.from('/');

/**
 * Every entry below `root`, parents before children, siblings in byte order. Links are entries, never followed.
 * A directory that disappears on the way rejects with the file system's error.
 */
export async function* walkTree(root: string, options: WalkOptions = {}): AsyncGenerator<TreeEntry> {
  const stack: { path: Buffer; absolute: Buffer }[] = [{ path: Buffer.alloc(0), absolute: Buffer.from(root) }];
  for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
    const below: typeof stack = [];
    for (const name of (await readdir(folder.absolute, { encoding: 'buffer' })).sort((a, b) => a.compare(b))) {
      throwIfAborted(options.signal);
      const path = folder.path.length === 0 ? name : Buffer.concat([folder.path, SLASH, name]);
      const absolute = Buffer.concat([folder.absolute, SLASH, name]);
      const entry = { path, absolute, stat: await lstat(absolute, { bigint: true }) };
      if (options.enter !== undefined && !(await options.enter(entry))) continue;
      yield entry;
      if (entry.stat.isDirectory()) below.push({ path, absolute });
    }
    for (const next of below.toReversed()) stack.push(next);
  }
}

/** An entry's path for people: as it is when it is UTF-8, else with the bytes as Python writes them (`caf\\xe9.txt`). */
export function shownPath({ path }: TreeEntry): string {
  return isUtf8(path)
    ? path.toString('utf8')
    : path.toString('latin1').replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
}

/** The last component of an entry's path. */
export function entryName(entry: TreeEntry): string {
  return entry.path.subarray(entry.path.lastIndexOf(0x2f) + 1).toString('utf8');
}
