import { constants } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, open, readlink, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AssayError, errorCode } from '@assay/foundation';
import { isSame } from './fingerprint.ts';
import { tooLarge, type TreeLimits } from './limits.ts';
import type { SkippedEntry, SkipReason } from './repository.ts';
import { entryName, walkTree, type TreeEntry } from './tree-walk.ts';

export interface CopyOptions extends TreeLimits {
  readonly signal: AbortSignal;
  /** Throws when the time is over. */
  readonly checkTime: () => void;
}

/**
 * Copies a folder as it stands into an empty one: regular files and folders, links as links. Pipes, sockets, devices,
 * version-control data, virtual environments and bytecode stay behind and are reported. A file that changes while it
 * is copied is `repository_changed`.
 */
export async function copyFolder(source: string, target: string, options: CopyOptions): Promise<SkippedEntry[]> {
  const skipped: SkippedEntry[] = [];
  let files = 0;
  let bytes = 0;
  const enter = async (entry: TreeEntry) => {
    const reason = await reasonToSkip(entry);
    if (reason !== undefined) skipped.push({ path: entry.path.toString('utf8'), reason });
    return reason === undefined;
  };
  const targetRoot = Buffer.from(`${target}/`);
  for await (const entry of walkTree(source, { signal: options.signal, enter })) {
    options.checkTime();
    if (!entry.stat.isDirectory()) files += 1;
    if (entry.stat.isFile()) bytes += Number(entry.stat.size);
    if (files > options.maxFiles || bytes > options.maxBytes) throw tooLarge(source, options);
    const reason = await copyEntry(entry, { source, to: Buffer.concat([targetRoot, entry.path]) });
    if (reason !== undefined) skipped.push({ path: entry.path.toString('utf8'), reason });
  }
  return skipped;
}

async function reasonToSkip(entry: TreeEntry): Promise<SkipReason | undefined> {
  const name = entryName(entry);
  if (name === '.git') return 'git_data';
  if (entry.stat.isDirectory()) {
    if (name === '__pycache__') return 'bytecode';
    const marker = Buffer.concat([entry.absolute, Buffer.from('/pyvenv.cfg')]);
    return (await lstat(marker).catch(() => undefined)) === undefined ? undefined : 'virtual_environment';
  }
  return entry.stat.isFile() || entry.stat.isSymbolicLink() ? undefined : 'special_file';
}

async function copyEntry(
  entry: TreeEntry,
  place: { readonly source: string; readonly to: Buffer },
): Promise<SkipReason | undefined> {
  try {
    if (entry.stat.isDirectory()) await mkdir(place.to);
    else if (entry.stat.isSymbolicLink())
      await symlink(await readlink(entry.absolute, { encoding: 'buffer' }), place.to);
    else await copyRegularFile(entry, place);
    return undefined;
  } catch (error) {
    if (errorCode(error) === 'EACCES') return 'unreadable';
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ELOOP') throw changed(entry);
    throw error;
  }
}

async function copyRegularFile(
  entry: TreeEntry,
  place: { readonly source: string; readonly to: Buffer },
): Promise<void> {
  const file = await open(entry.absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!isSame(entry.stat, await file.stat({ bigint: true }))) throw changed(entry);
    const opened = `/proc/self/fd/${file.fd}`;
    // A folder on the way may have become a link since it was listed: what was opened must still lie inside.
    const real = await readlink(opened, { encoding: 'buffer' });
    if (!real.equals(entry.absolute)) throw changed(entry);
    await copyFile(opened, place.to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    if (!isSame(entry.stat, await file.stat({ bigint: true }))) throw changed(entry);
  } finally {
    await file.close();
  }
  await chmod(place.to, (Number(entry.stat.mode) & 0o100) === 0 ? 0o644 : 0o755);
}

function changed(entry: TreeEntry): AssayError {
  const path = entry.path.toString('utf8');
  return new AssayError('repository_changed', `${path} changed while the repository was copied`, {
    why: `another program writes into ${dirname(entry.absolute.toString('utf8'))}`,
    hint: 'stop what writes there and try again',
    details: { path },
  });
}
