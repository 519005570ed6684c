import { isUtf8 } from 'node:buffer';
import { chmod, readFile, realpath, rm } from 'node:fs/promises';
import { canBeRun } from './languages.ts';
import type { SkippedEntry } from './repository.ts';
import { entryName, shownPath, walkTree, type TreeEntry } from './tree-walk.ts';

export interface TidyResult {
  readonly files: number;
  readonly bytes: number;
  readonly codeFiles: number;
  /** Paths of files that stand for content kept in Git LFS. */
  readonly largeFilePointers: readonly string[];
  readonly skipped: readonly SkippedEntry[];
  /** At most 20 paths of what is there. */
  readonly examples: readonly string[];
}

const RESERVED = '.scholar';
const POINTER = 'version https://git-lfs.github.com/spec/';
const EXAMPLES = 20;
const MOST_POINTERS = 1_000;

/**
 * Makes a freshly written tree safe to read and to mount: links that leave it (or lead nowhere) and a `.scholar` that
 * the repository ships are taken out, so is what has a name that is not UTF-8 (no record could name it), permissions become 0644 or 0755 whatever the umask was. Counts what remains.
 */
export async function tidyTree(root: string, signal: AbortSignal): Promise<TidyResult> {
  const skipped: SkippedEntry[] = [];
  const links: TreeEntry[] = [];
  const pointers: string[] = [];
  const examples: string[] = [];
  const count = { files: 0, bytes: 0, codeFiles: 0 };
  const unnamable: TreeEntry[] = [];
  const enter = (entry: TreeEntry) => {
    if (!isUtf8(entry.path)) unnamable.push(entry);
    return isUtf8(entry.path) && entry.path.toString('utf8') !== RESERVED;
  };
  for await (const entry of walkTree(root, { signal, enter })) {
    if (entry.stat.isSymbolicLink()) links.push(entry);
    else await normaliseMode(entry);
    if (!entry.stat.isFile()) continue;
    count.files += 1;
    count.bytes += Number(entry.stat.size);
    if (canBeRun(entryName(entry))) count.codeFiles += 1;
    if (examples.length < EXAMPLES) examples.push(entry.path.toString('utf8'));
    if (await isPointer(entry)) pointers.push(entry.path.toString('utf8'));
  }
  // Before the links are judged: one that leads to what is taken out is broken.
  skipped.push(...(await removeUnnamable(unnamable)), ...(await removeReserved(root)));
  skipped.push(...(await removeEscapingLinks(root, links)));
  count.files += links.length - skipped.filter((entry) => entry.reason.startsWith('link_')).length;
  return { ...count, largeFilePointers: pointers, skipped, examples };
}

async function normaliseMode(entry: TreeEntry): Promise<void> {
  const executable = entry.stat.isDirectory() || (Number(entry.stat.mode) & 0o100) !== 0;
  const wanted = executable ? 0o755 : 0o644;
  if ((Number(entry.stat.mode) & 0o7777) !== wanted) await chmod(entry.absolute, wanted);
}

/** Files of a tree that stand for content in Git LFS, at most 1,000. */
export async function largeFilePointersIn(root: string, signal: AbortSignal): Promise<string[]> {
  const pointers: string[] = [];
  for await (const entry of walkTree(root, { signal }))
    if (pointers.length < MOST_POINTERS && entry.stat.isFile() && (await isPointer(entry)))
      pointers.push(entry.path.toString('utf8'));
  return pointers;
}

async function isPointer(entry: TreeEntry): Promise<boolean> {
  if (entry.stat.size < POINTER.length || entry.stat.size > 1024n) return false;
  return (await readFile(entry.absolute)).subarray(0, POINTER.length).toString('latin1') === POINTER;
}

async function removeUnnamable(entries: readonly TreeEntry[]): Promise<SkippedEntry[]> {
  for (const entry of entries) await rm(entry.absolute, { recursive: true, force: true });
  return entries.map((entry) => ({ path: shownPath(entry), reason: 'name_not_utf8' }));
}

async function removeReserved(root: string): Promise<SkippedEntry[]> {
  const path = `${root}/${RESERVED}`;
  const isThere = await realpath(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
  await rm(path, { recursive: true, force: true });
  return isThere ? [{ path: RESERVED, reason: 'reserved_name' }] : [];
}

/** All links are judged before any is removed, so that the order does not matter. */
async function removeEscapingLinks(root: string, links: readonly TreeEntry[]): Promise<SkippedEntry[]> {
  const inside = Buffer.from(`${await realpath(root)}/`);
  const judged: { link: TreeEntry; reason: SkippedEntry['reason'] }[] = [];
  for (const link of links) {
    const real = await realpath(link.absolute, { encoding: 'buffer' }).catch(() => undefined);
    if (real === undefined) judged.push({ link, reason: 'link_broken' });
    else if (!real.subarray(0, inside.length).equals(inside)) judged.push({ link, reason: 'link_outside' });
  }
  for (const { link } of judged) await rm(link.absolute);
  return judged.map(({ link, reason }) => ({ path: link.path.toString('utf8'), reason }));
}
