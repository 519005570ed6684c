import { lstat, readdir } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { join, relative } from 'node:path';
import { throwIfAborted } from '@assay/foundation';
import { sha256File } from '@assay/files';

/** A sampled row of the data set with its target, as the texts that a copy of the row would hold. */
export type SampledRow = readonly string[];

export interface DataCopyQuery {
  readonly datasetSha256: string;
  readonly datasetSize: number;
  readonly rows: readonly SampledRow[];
  readonly signal: AbortSignal;
}

export interface DataCopy {
  /** Relative to the searched folder, with `/`. */
  readonly path: string;
  readonly reason: string;
}

const MOST_FILES = 20_000;
const LARGEST_SEARCHED = 64 * (1 << 20);
/** So many of the sampled rows in one file make it a copy of the data. */
const ROWS_THAT_PROVE = 5;

/**
 * Files of a repository that hold the data set itself: the same bytes, or lines in which all cells of at least five
 * sampled rows stand together with their target. An adapter must not find the answers there.
 */
export async function findDataCopies(folder: string, query: DataCopyQuery): Promise<DataCopy[]> {
  const copies: DataCopy[] = [];
  for (const file of await regularFiles(folder)) {
    throwIfAborted(query.signal);
    const reason = await copyReason(file.path, file.size, query);
    if (reason !== undefined) copies.push({ path: relative(folder, file.path), reason });
  }
  return copies;
}

async function copyReason(path: string, size: number, query: DataCopyQuery): Promise<string | undefined> {
  if (size === query.datasetSize && (await sha256File(path, query.signal)) === query.datasetSha256)
    return 'it is the data set itself';
  if (size === 0 || size > LARGEST_SEARCHED) return undefined;
  const found = await rowsFoundIn(path, query);
  return found >= ROWS_THAT_PROVE
    ? `${found} of ${query.rows.length} sampled rows stand in it with their target`
    : undefined;
}

/** How many sampled rows have a line that holds all their cells. Stops at the number that proves a copy. */
async function rowsFoundIn(path: string, query: DataCopyQuery): Promise<number> {
  const missing = new Set(query.rows.filter((row) => row.length >= 2));
  const sampled = missing.size;
  const stream = createReadStream(path, { encoding: 'utf8', signal: query.signal });
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
      if (line.length > 1 << 20) break; // not a table
      const cells = new Set(line.split(/[,;\t|]|":\s*|"/).map((cell) => cell.trim()));
      for (const row of missing) if (row.every((cell) => cells.has(cell))) missing.delete(row);
      if (sampled - missing.size >= ROWS_THAT_PROVE) break;
    }
  } finally {
    stream.destroy();
  }
  return sampled - missing.size;
}

async function regularFiles(folder: string): Promise<{ path: string; size: number }[]> {
  const found: { path: string; size: number }[] = [];
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop())
    for (const entry of await readdir(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && found.length < MOST_FILES) found.push({ path, size: (await lstat(path)).size });
    }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
