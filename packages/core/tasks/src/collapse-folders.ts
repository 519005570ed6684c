import { dirname } from 'node:path/posix';
import type { DataCopy } from './find-data-copies.ts';

/** Fewer files are hidden one by one. */
const FEWEST = 50;
const NEARLY_ALL = 0.8;

/** Of a folder in which nearly all of many files are copies, the folder itself: a run has not room for so many names. */
export function collapseFolders(copies: readonly DataCopy[], files: readonly string[]): DataCopy[] {
  const inFolder = countBy(files);
  const copied = countBy(copies.map(({ path }) => path));
  const whole = new Set<string>();
  for (const [folder, count] of copied)
    if (folder !== '.' && count >= FEWEST && count >= NEARLY_ALL * inFolder.get(folder)!) whole.add(folder);
  const outer = (path: string) => foldersOf(path).find((folder) => whole.has(folder));
  const kept = copies.filter(({ path }) => outer(path) === undefined);
  const folders = [...whole].filter((folder) => foldersOf(folder).every((above) => !whole.has(above)));
  const reasonOf = (folder: string) => copies.find(({ path }) => path.startsWith(`${folder}/`))!.reason;
  return [
    ...kept,
    ...folders.map((path) => ({ path, reason: `${reasonOf(path)} (${copied.get(path)} files of this folder)` })),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Files of each folder, those of its folders included. */
function countBy(files: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const file of files) for (const folder of foldersOf(file)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return counts;
}

/** The folders that a path lies in, the outermost first. */
function foldersOf(path: string): string[] {
  const parts = dirname(path).split('/');
  return dirname(path) === '.' ? [] : parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
