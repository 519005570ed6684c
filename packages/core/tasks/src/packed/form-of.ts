import { constants, inflateSync } from 'node:zlib';

/** What a file is by its first bytes; its name does not count. */
export type Form = 'gzip' | 'zip' | 'tar' | 'zlib' | 'text' | { readonly closed: string };

const HEX = 'hex';
/** Kinds whose content is packed in a way that is not undone here, by their first bytes. */
const closed: readonly (readonly [magic: string, name: string])[] = [
  ['425a68', 'a bzip2 file'],
  ['fd377a585a00', 'an xz file'],
  ['28b52ffd', 'a zstd file'],
  ['04224d18', 'an lz4 file'],
  ['377abcaf271c', 'a 7z archive'],
  ['526172211a07', 'a RAR archive'],
  ['50415231', 'a Parquet file'],
  ['894844460d0a1a0a', 'an HDF5 file'],
  ['4152524f5731', 'an Arrow file'],
  ['4f626a01', 'an Avro file'],
  ['d0cf11e0a1b11ae1', 'an old office document'],
];
const zlib = ['7801', '785e', '789c', '78da'];
const TAR_MARK = 257;

export function formOf(head: Buffer): Form {
  const start = head.toString(HEX, 0, 8);
  if (start.startsWith('1f8b08')) return 'gzip';
  if (start.startsWith('504b0304') || start.startsWith('504b0506')) return 'zip';
  if (head.toString('latin1', TAR_MARK, TAR_MARK + 5) === 'ustar') return 'tar';
  const found = closed.find(([magic]) => start.startsWith(magic));
  // "BZh" alone could begin a text: the level and the first block's mark follow.
  if (found !== undefined && (found[1] !== 'a bzip2 file' || /^425a683[1-9](31|17)/.test(start)))
    return { closed: found[1] };
  return zlib.some((magic) => start.startsWith(magic)) && inflates(head) ? 'zlib' : 'text';
}

/** "x^" could begin a formula. */
function inflates(head: Buffer): boolean {
  try {
    return inflateSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).length > 0;
  } catch {
    return false;
  }
}
