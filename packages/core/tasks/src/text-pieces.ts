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

export interface Unpacked {
  readonly pieces: AsyncGenerator<Buffer>;
  /** Whether more than the limit was there, once the pieces are read. */
  readonly cut: () => boolean;
}

/** What a gzip file holds, a piece at a time and up to a limit. Damaged files throw: see `isDamaged`. */
export function unpackedPiecesOf(path: string, most: number, signal: AbortSignal): Unpacked {
  let cut = false;
  const onCut = () => {
    cut = true;
  };
  return { pieces: unpack(path, { most, onCut }, signal), cut: () => cut };
}

async function* unpack(
  path: string,
  { most, onCut }: { readonly most: number; readonly onCut: () => void },
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const unpacked: Readable = pipeline(createReadStream(path, { signal }), createGunzip({ chunkSize: PIECE }), () => {
    // the reader below hears of every failure
  });
  let left = most;
  for await (const piece of unpacked) {
    throwIfAborted(signal);
    left -= (piece as Buffer).length;
    if (left < 0) {
      onCut();
      return;
    }
    yield piece as Buffer;
  }
}

/** Whether an error says that a file is no gzip file, or a cut or broken one. */
export function isDamaged(error: unknown): boolean {
  return errorCode(error)?.startsWith('Z_') === true;
}
