import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Control groups of this machine that one session host made, wherever they are mounted. */
export async function groupsOf(host: number, top = '/sys/fs/cgroup', depth = 4): Promise<readonly string[]> {
  if (depth === 0) return [];
  const entries = await readdir(top, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory());
  const own = folders.filter(({ name }) => new RegExp(`^assay-[0-9a-f]{12}-${host}-`).test(name));
  const inner = await Promise.all(folders.map(({ name }) => groupsOf(host, join(top, name), depth - 1)));
  return [...own.map(({ name }) => join(top, name)), ...inner.flat()];
}

/** Lines of a file of the kernel that name a folder. */
export async function linesNaming(file: string, folder: string): Promise<readonly string[]> {
  return (await readFile(file, 'utf8')).split('\n').filter((line) => line.includes(folder));
}
