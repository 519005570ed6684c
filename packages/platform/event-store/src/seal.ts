import { crc32 } from 'node:zlib';
import { NEWLINE, SEAL_BYTES, SEAL_START } from './line.ts';

const KEPT = 4 * 1024 * 1024;
const HEX = Buffer.from('0123456789abcdef');

/** Turns lines with open seals into sealed ones. Owns the buffer that every batch of a thread reuses. */
export class Sealer {
  #bytes = Buffer.alloc(0);

  /** The UTF-8 bytes of `text`, whose lines all end with an open seal, with the checksums in; valid until the next call. */
  seal(text: string): Buffer {
    const bytes = this.#encode(text);
    sealInPlace(bytes);
    return bytes;
  }

  #encode(text: string): Buffer {
    // Three bytes is the most that one character of a JavaScript string takes in UTF-8.
    if (text.length * 3 > this.#bytes.length) {
      if (text.length * 3 > KEPT) return Buffer.from(text, 'utf8');
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(text.length * 3, 512 * 1024));
    }
    return this.#bytes.subarray(0, this.#bytes.write(text, 0, 'utf8'));
  }
}

/** Writes the checksums of whole lines with open seals. */
export function sealInPlace(bytes: Buffer): void {
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, start);
    const seal = end - SEAL_BYTES;
    writeHex(bytes, seal + SEAL_START.length, crc32(bytes.subarray(start, seal)));
    start = end + 1;
  }
}

function writeHex(bytes: Buffer, at: number, crc: number): void {
  let out = at;
  for (let shift = 28; shift >= 0; shift -= 4) bytes[out++] = HEX[(crc >>> shift) & 15]!;
}
