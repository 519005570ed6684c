import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * As `writeJsonDurable`, without its eight trips through the thread pool: they cost more than the two syncs, and every
 * command pays for them. Throws the file system's error and leaves no part behind.
 */
export function writeJsonDurableSync(path: string, value: unknown): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    synced(temporary, 'wx', (fd) => writeFileSync(fd, `${JSON.stringify(value, null, 2)}\n`));
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  // Makes the rename survive a power cut.
  synced(dirname(path), 'r', () => undefined);
}

function synced(path: string, flags: string, work: (fd: number) => unknown): void {
  const fd = openSync(path, flags, 0o600);
  try {
    work(fd);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
