import { createHash } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { open, readlink } from 'node:fs/promises';
import { AssayError, errorCode } from '@assay/foundation';
import { walkTree, type TreeEntry } from './tree-walk.ts';

export interface Fingerprint {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Files and links. */
  readonly files: number;
  /** Of regular files. */
  readonly bytes: number;
}

export interface FingerprintOptions {
  /** Names directly below the root that do not take part. */
  readonly exclude?: readonly string[];
  readonly signal?: AbortSignal;
}

/** The folders beside the repository's own content: version control, and where a benchmark writes. */
export const unprintedFolders: readonly string[] = ['.git', '.scholar'];

const PARALLEL = 8;

/**
 * The identity of a tree's content: SHA-256 over one line per file in byte order of the paths, each with type,
 * permission bits, path and the SHA-256 of the content (for a link: of its target). Times, owners, folders without
 * files and the locale do not count. Throws `repository_changed` when a file changes while it is read.
 */
export async function fingerprintTree(root: string, options: FingerprintOptions = {}): Promise<Fingerprint> {
  const excluded = new Set(options.exclude ?? unprintedFolders);
  const entries: TreeEntry[] = [];
  try {
    const enter = (entry: TreeEntry) => !excluded.has(entry.path.toString('utf8'));
    for await (const entry of walkTree(root, { signal: options.signal, enter }))
      if (!entry.stat.isDirectory()) entries.push(entry);
  } catch (error) {
    throw asChanged(error, root);
  }
  entries.sort((a, b) => Buffer.compare(a.path, b.path));
  const lines = await mapBounded(entries, (entry) => printEntry(entry, options.signal));
  const hash = createHash('sha256').update('assay.tree/1\n');
  for (const line of lines) hash.update(line);
  const bytes = entries.reduce((sum, entry) => sum + (entry.stat.isFile() ? Number(entry.stat.size) : 0), 0);
  return { sha256: hash.digest('hex'), files: entries.length, bytes };
}

async function printEntry(entry: TreeEntry, signal: AbortSignal | undefined): Promise<Buffer> {
  signal?.throwIfAborted();
  const [type, content] = await contentHash(entry).catch((error: unknown) => {
    throw asChanged(error, entry.path.toString('utf8'));
  });
  const mode = (Number(entry.stat.mode) & 0o7777).toString(8);
  return Buffer.concat([Buffer.from(`${type} ${mode} ${content} `), entry.path, Buffer.from([0, 0x0a])]);
}

async function contentHash(entry: TreeEntry): Promise<readonly [type: string, sha256: string]> {
  if (entry.stat.isSymbolicLink()) {
    const target = await readlink(entry.absolute, { encoding: 'buffer' });
    return ['link', createHash('sha256').update(target).digest('hex')];
  }
  if (entry.stat.isFile()) return ['file', await hashRegularFile(entry.absolute, entry.stat)];
  return ['special', '-'];
}

async function hashRegularFile(path: Buffer, seen: BigIntStats): Promise<string> {
  // Without NONBLOCK a pipe that took the file's place would block for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const before = await file.stat({ bigint: true });
    if (!isSame(seen, before)) throw changed(path.toString('utf8'));
    const hash = createHash('sha256');
    for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 1 << 18 }))
      hash.update(chunk as Buffer);
    if (!isSame(seen, await file.stat({ bigint: true }))) throw changed(path.toString('utf8'));
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}

/** The same file with the same content as far as the file system tells. */
export function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeNs === b.mtimeNs && a.mode === b.mode;
}

function changed(path: string): AssayError {
  return new AssayError('repository_changed', `${path} changed while it was read`, {
    why: 'another program writes into the folder, so its content has no single fingerprint',
    hint: 'stop what writes there and try again',
    details: { path },
  });
}

function asChanged(error: unknown, path: string): unknown {
  return errorCode(error) === 'ENOENT' || errorCode(error) === 'ELOOP' ? changed(path) : error;
}

async function mapBounded<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = Array.from({ length: items.length });
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
  return results;
}
