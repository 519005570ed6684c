/** Bytes with a view of the same memory, by which four of them are read at once. */
export class ByteView {
  readonly bytes: Uint8Array;
  readonly words: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

/** Values of up to so many bytes and of one length have different hashes: every step is one-to-one. */
export const ONE_TO_ONE_BYTES = 4;

/**
 * Spreads values over the slots of a table; the equality of longer values never rests on it. Multiplies and folds word by word (Knuth, The Art
 * of Computer Programming 6.4, multiplicative hashing): four bytes each, the last four again for a rest, and up to three
 * bytes as one word that holds them all.
 */
export function hashBytes(view: ByteView, start: number, length: number): number {
  let hash = length << 24;
  if (length < 4) {
    if (length > 0) hash = mix(hash, shortWord(view.bytes, start, length));
  } else {
    const words = view.words;
    const last = start + length - 4;
    for (let at = start; at < last; at += 4) hash = mix(hash, words.getInt32(at, true));
    hash = mix(hash, words.getInt32(last, true));
  }
  hash = Math.imul(hash, 0x85ebca6b);
  return hash ^ (hash >>> 16);
}

function mix(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x9e3779b1);
  return product ^ (product >>> 15);
}

/** One to three bytes as a number that no other bytes of the same length have. */
function shortWord(bytes: Uint8Array, start: number, length: number): number {
  return bytes[start]! | (bytes[start + (length >> 1)]! << 8) | (bytes[start + length - 1]! << 16);
}
