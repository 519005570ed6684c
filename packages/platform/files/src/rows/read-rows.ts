import { open, type FileHandle } from 'node:fs/promises';
import { errorCode, throwIfAborted } from '@assay/foundation';
import { rowEnds } from './row-ends.ts';

const CHUNK_BYTES = 256 * 1024;

/** Some rows that follow each other. */
export interface RowChunk {
  readonly bytes: Buffer;
  /** Where the rows end in `bytes`. */
  readonly ends: readonly number[];
  /** Place of the first row in the file. */
  readonly offset: number;
  /** False for the last row of a file when no newline ends it: it may still grow. */
  readonly closed: boolean;
}

/** The rows of a file from a place where one begins; nothing when there is no such file. */
export async function* readRows(path: string, offset: number, signal?: AbortSignal): AsyncGenerator<RowChunk> {
  const handle = await openIfThere(path);
  if (handle === undefined) return;
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (let at = offset; ;) {
      throwIfAborted(signal);
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, at);
      if (bytesRead === 0) return;
      const bytes = buffer.subarray(0, bytesRead);
      const ends = rowEnds(bytes);
      const end = ends.at(-1) ?? 0;
      if (end === 0) {
        yield { bytes, ends: [bytesRead], offset: at, closed: false };
        return;
      }
      yield { bytes: bytes.subarray(0, end), ends, offset: at, closed: true };
      at += end;
    }
  } finally {
    await handle.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
