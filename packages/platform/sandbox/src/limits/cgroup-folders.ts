import { existsSync, readFileSync, readdirSync, rmdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const REMOVE_ATTEMPTS = 60;
const REMOVE_PAUSE_MS = 50;

/** Controller to path of this process, from the text of /proc/self/cgroup; the key of cgroup v2 is the empty string. */
export function parseOwnCgroups(text: string): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, controllers, ...rest] = line.split(':');
    if (controllers === undefined || rest.length === 0) continue;
    for (const controller of controllers.split(',')) paths.set(controller, rest.join(':'));
  }
  return paths;
}

export function ownCgroups(): ReadonlyMap<string, string> {
  return parseOwnCgroups(readFileSync('/proc/self/cgroup', 'utf8'));
}

/** Moves a process into the groups, one after another: only the first waits for the kernel. */
export async function joinGroups(folders: readonly string[], pid: number): Promise<void> {
  for (const folder of folders) await writeFile(join(folder, 'cgroup.procs'), String(pid));
}

/** Ends every process in the folder. */
export function killGroup(folder: string): void {
  for (const pid of membersOf(folder)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended in between.
    }
  }
}

/** Removes folders; the kernel answers EBUSY for a while after the last process has gone. Returns what is left. */
export async function removeGroups(folders: readonly string[]): Promise<readonly string[]> {
  let left = folders.filter((folder) => existsSync(folder));
  for (let attempt = 0; attempt < REMOVE_ATTEMPTS; attempt += 1) {
    left = left.filter((folder) => !removed(folder));
    if (left.length === 0) break;
    for (const folder of left) killGroup(folder);
    await pause(REMOVE_PAUSE_MS);
  }
  return left;
}

/** Names of groups of any home, as `<prefix><pid of the host>-…`. */
const GROUP_NAME = /^assay-[0-9a-f]{12}-(\d+)-/;

/** Removes what dead hosts of other homes left: empty groups named after a process that is no more. */
export function removeDeadGroups(parent: string): void {
  for (const folder of groupsBelow(parent, 'assay-')) {
    const host = GROUP_NAME.exec(basename(folder))?.[1];
    if (host !== undefined && !existsSync(`/proc/${host}`)) removed(folder);
  }
}

/** Folders below `parent` whose names start with `prefix`. */
export function groupsBelow(parent: string, prefix: string): string[] {
  try {
    return readdirSync(parent)
      .filter((name) => name.startsWith(prefix))
      .map((name) => join(parent, name));
  } catch {
    return [];
  }
}

/** The number in a one-line file, or undefined when it cannot be read. */
export function readNumber(file: string): number | undefined {
  const value = Number(readText(file));
  return Number.isFinite(value) ? value : undefined;
}

/** The value of `key` in a file of `key value` lines. */
export function readKeyed(file: string, key: string): number | undefined {
  for (const line of readText(file).split('\n')) {
    const [name, value] = line.split(' ');
    if (name === key) return Number(value);
  }
  return undefined;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'NaN';
  }
}

function membersOf(folder: string): number[] {
  try {
    return readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function removed(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
