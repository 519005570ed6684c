import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '@assay/foundation';

/** Kept small against what it watches: a walk starts only after ten times the last one's duration. */
const REST_FACTOR = 10;
const MIN_REST_MS = 250;
/** A folder with more entries than this is as full as one with too many bytes. */
const MAX_ENTRIES = 500_000;
const STAT_BLOCK_BYTES = 512;

/** Sums what the writable folders of a session hold, without following links. */
export class DiskWatch {
  readonly #folders: readonly string[];
  readonly #limitBytes: number;
  #nextAt = 0;
  #walking = false;

  constructor(folders: readonly string[], limitBytes: number) {
    this.#folders = folders;
    this.#limitBytes = limitBytes;
  }

  /** Walks when it is time; calls `exceeded` with the reason when the bound was passed. */
  tick(now: number, exceeded: (reason: string) => void): void {
    if (this.#folders.length === 0 || this.#walking || now < this.#nextAt) return;
    this.#walking = true;
    void this.#walk(now, exceeded);
  }

  async #walk(now: number, exceeded: (reason: string) => void): Promise<void> {
    const startedAt = performance.now();
    try {
      const reason = await measureFolders(this.#folders, this.#limitBytes);
      if (reason !== undefined) exceeded(reason);
    } catch (error) {
      // Everything in these folders belongs to the session; an unreadable one is its own doing.
      exceeded(`the writable folders cannot be measured: ${errorText(error)}`);
    } finally {
      const took = performance.now() - startedAt;
      this.#nextAt = now + took + Math.max(MIN_REST_MS, took * REST_FACTOR);
      this.#walking = false;
    }
  }
}

/** The reason why the folders hold too much, or undefined. A file with several names counts once. */
export async function measureFolders(folders: readonly string[], limitBytes: number): Promise<string | undefined> {
  const seen = new Set<string>();
  const queue = [...folders];
  let bytes = 0;
  let entries = 0;
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    for await (const path of entriesOf(folder)) {
      entries += 1;
      if (entries > MAX_ENTRIES) return `the writable folders hold more than ${MAX_ENTRIES} files`;
      const stat = await lstat(path, { bigint: true }).catch(() => undefined);
      if (stat === undefined) continue; // It went away during the walk.
      if (stat.isDirectory()) queue.push(path);
      else if (stat.nlink > 1n && seen.has(`${stat.dev}:${stat.ino}`)) continue;
      else if (stat.nlink > 1n) seen.add(`${stat.dev}:${stat.ino}`);
      bytes += Number(stat.blocks) * STAT_BLOCK_BYTES;
      if (bytes > limitBytes) return `the writable folders hold more than ${limitBytes} bytes`;
    }
  }
  return undefined;
}

async function* entriesOf(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) yield join(folder, entry.name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
