import { crc32 } from 'node:zlib';
import { NEWLINE, SEAL_BYTES, SEAL_START } from './line.ts';

const KEPT = 4 * 1024 * 1024;
const HEX = Buffer.from('0123456789abcdef');
const QUOTE = 0x22;
const BRACE = 0x7d;

/** Turns JSON objects, one a line, into sealed lines. Owns the buffers that every batch of a thread reuses. */
export class Sealer {
  #plain = Buffer.allocUnsafeSlow(256 * 1024);
  #sealed = Buffer.allocUnsafeSlow(512 * 1024);

  /** The UTF-8 bytes of `text` (every line ends with a line end) with a checksum in each line; valid until the next call. */
  seal(text: string, lines: number): Buffer {
    const plain = this.#encode(text);
    const length = plain.length + lines * SEAL_BYTES;
    const sealed = this.#room(length);
    let out = 0;
    for (let start = 0; start < plain.length;) {
      const end = plain.indexOf(NEWLINE, start);
      // The closing brace of the object comes after the checksum.
      out += plain.copy(sealed, out, start, end - 1);
      out = writeSeal(sealed, out, crc32(plain.subarray(start, end - 1)));
      start = end + 1;
    }
    return sealed.subarray(0, out);
  }

  #encode(text: string): Buffer {
    // Three bytes is the most that one character of a JavaScript string takes in UTF-8.
    if (text.length * 3 > this.#plain.length) {
      if (text.length * 3 > KEPT) return Buffer.from(text, 'utf8');
      this.#plain = Buffer.allocUnsafeSlow(text.length * 3);
    }
    return this.#plain.subarray(0, this.#plain.write(text, 0, 'utf8'));
  }

  #room(length: number): Buffer {
    if (length <= this.#sealed.length) return this.#sealed;
    const larger = Buffer.allocUnsafeSlow(length);
    if (length <= KEPT) this.#sealed = larger;
    return larger;
  }
}

function writeSeal(bytes: Buffer, at: number, crc: number): number {
  let out = at + SEAL_START.copy(bytes, at);
  for (let shift = 28; shift >= 0; shift -= 4) bytes[out++] = HEX[(crc >>> shift) & 15]!;
  bytes[out++] = QUOTE;
  bytes[out++] = BRACE;
  bytes[out++] = NEWLINE;
  return out;
}
