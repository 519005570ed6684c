import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCode, throwIfAborted } from '@assay/foundation';

/** No piece is longer, in bytes. */
export const PIECE = 256 * 1024;

/** The bytes of a file, a piece at a time; a piece is valid until the next is asked for. */
export async function* piecesOf(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  await using file = await open(path, 'r');
  const buffer = Buffer.allocUnsafe(PIECE);
  for (;;) {
    throwIfAborted(signal);
    const { bytesRead } = await file.read(buffer, 0, PIECE);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** What a gzip file holds, a piece at a time and up to a limit. Damaged files throw: see `isDamaged`. */
export async function* unpackedPiecesOf(path: string, most: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const unpacked: Readable = pipeline(createReadStream(path, { signal }), createGunzip({ chunkSize: PIECE }), () => {
    // the reader below hears of every failure
  });
  let left = most;
  for await (const piece of unpacked) {
    throwIfAborted(signal);
    left -= (piece as Buffer).length;
    if (left < 0) return;
    yield piece as Buffer;
  }
}

/** Whether an error says that a file is no gzip file, or a cut or broken one. */
export function isDamaged(error: unknown): boolean {
  return errorCode(error)?.startsWith('Z_') === true;
}
