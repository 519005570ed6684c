import { isUtf8 } from 'node:buffer';
import { BAD_BYTE, BadCount, type ByteDecoder } from './byte-decoder.ts';

/**
 * Checks that a stream is UTF-8 without NUL and hands it on as it is. A chunk that is not is copied, and each maximal
 * wrong part of it (as in the Encoding Standard) becomes one `BAD_BYTE`.
 */
export class Utf8Decoder extends BadCount implements ByteDecoder {
  #carry: Buffer = Buffer.alloc(0);
  #offset: number;

  /** `offset` = place of the first byte in the file, behind a byte order mark. */
  constructor(offset: number) {
    super();
    this.#offset = offset;
  }

  decode(chunk: Buffer): Buffer {
    const joined = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk]);
    const cut = completeLength(joined);
    const part = joined.subarray(0, cut);
    this.#carry = Buffer.from(joined.subarray(cut));
    const checked = isUtf8(part) && !part.includes(0) ? part : this.#marked(part);
    this.#offset += cut;
    return checked;
  }

  finish(): Buffer {
    const rest = this.#carry;
    this.#carry = Buffer.alloc(0);
    return rest.length === 0 ? rest : this.#marked(rest);
  }

  #marked(part: Buffer): Buffer {
    const out = Buffer.allocUnsafe(part.length);
    let to = 0;
    for (let at = 0; at < part.length;) {
      const length = sequenceLength(part, at);
      if (length > 0) {
        to += part.copy(out, to, at, at + length);
        at += length;
        continue;
      }
      this.add(this.#offset + at, part.subarray(at, at - length));
      out[to] = BAD_BYTE;
      to += 1;
      at -= length;
    }
    return out.subarray(0, to);
  }
}

/** Bytes up to the last character that is complete. */
function completeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Length of the character at `at`; negative for a wrong part of that length. NUL counts as wrong. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return first === 0 ? -1 : 1;
  const needed = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return -1;
  for (let i = 1; i < needed; i += 1) {
    const byte = bytes[at + i];
    const low = i === 1 ? lowestSecond(first) : 0x80;
    const high = i === 1 ? highestSecond(first) : 0xbf;
    if (byte === undefined || byte < low || byte > high) return -i;
  }
  return needed;
}

/** Shorter forms of characters are not allowed (Unicode Standard, table 3-7). */
function lowestSecond(first: number): number {
  return first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
}

/** Nor are surrogates, nor anything beyond U+10FFFF. */
function highestSecond(first: number): number {
  return first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
}
