import { open, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { ColumnFinder, ColumnReason } from './columns/column-finder.ts';
import { LARGEST_RAW, rawColumns } from './columns/raw-columns.ts';
import { LARGEST_ARRAYS, searchArrays } from './columns/search-arrays.ts';
import type { RepositoryFile } from './repository-files.ts';

/** What a look at a binary file came to: how the data was found, or why the file could not be searched. */
export type BinaryFound = { readonly reason: ColumnReason } | { readonly hindrance: string } | undefined;

const arrayFiles = new Set(['.npy', '.npz']);
const pickles = new Set(['.pkl', '.pickle', '.joblib']);
const LOOKED_AT = 4096;

/** First bytes of compressed files: gzip, zlib, bzip2, xz, zstd, zip. */
const compressed = ['1f8b', '789c', '78da', '7801', '785e', '425a68', 'fd377a', '28b52ffd', '504b0304'];

/** Looks for columns in NumPy files, pickles and whatever else is no text. */
export async function searchBinary(
  { path, size, bytes }: RepositoryFile,
  finder: ColumnFinder,
  signal: AbortSignal,
): Promise<BinaryFound> {
  const type = extname(path).toLowerCase();
  if (arrayFiles.has(type)) {
    if (size > LARGEST_ARRAYS) return { hindrance: 'it is a NumPy file larger than 64 MiB' };
    const found = await searchArrays(path, finder, signal);
    if (found === 'unreadable') return { hindrance: 'its arrays cannot be read' };
    return found === undefined ? undefined : { reason: found };
  }
  const head = bytes?.subarray(0, LOOKED_AT) ?? (await firstBytes(path));
  const isPickle = pickles.has(type);
  if (isPickle && compressed.some((magic) => head.toString('hex', 0, 4).startsWith(magic)))
    return { hindrance: 'it is compressed' };
  if (!isPickle && !head.includes(0)) return undefined;
  if (size > LARGEST_RAW) return { hindrance: 'it is binary and larger than 16 MiB' };
  const reason = await rawColumns(bytes ?? (await readFile(path, { signal })), finder, signal);
  return reason === undefined ? undefined : { reason };
}

async function firstBytes(path: string): Promise<Buffer> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, 0);
  return buffer.subarray(0, bytesRead);
}
