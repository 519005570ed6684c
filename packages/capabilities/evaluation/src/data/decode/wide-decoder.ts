import { BAD_BYTE, BadCount, type ByteDecoder } from './byte-decoder.ts';

/**
 * UTF-16 and UTF-32 in either byte order. Half surrogate pairs, NULs and values beyond U+10FFFF are bad; so is a rest at
 * the end that is no whole unit.
 */
export class WideDecoder extends BadCount implements ByteDecoder {
  readonly #unit: 2 | 4;
  readonly #littleEndian: boolean;
  #carry: Buffer = Buffer.alloc(0);
  #offset: number;

  constructor(encoding: 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be', offset: number) {
    super();
    this.#unit = encoding.startsWith('utf-16') ? 2 : 4;
    this.#littleEndian = encoding.endsWith('le');
    this.#offset = offset;
  }

  decode(chunk: Buffer): Buffer {
    const joined = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk]);
    const cut = this.#complete(joined);
    this.#carry = Buffer.from(joined.subarray(cut));
    return this.#text(joined.subarray(0, cut));
  }

  finish(): Buffer {
    const rest = this.#carry;
    this.#carry = Buffer.alloc(0);
    if (rest.length === 0) return rest;
    const whole = rest.length - (rest.length % this.#unit);
    const text = this.#text(rest.subarray(0, whole));
    if (whole === rest.length) return text;
    this.add(this.#offset, rest.subarray(whole));
    return Buffer.concat([text, Buffer.of(BAD_BYTE)]);
  }

  /** Whole units; in UTF-16 a first half at the end waits for the second. */
  #complete(bytes: Buffer): number {
    const whole = bytes.length - (bytes.length % this.#unit);
    if (this.#unit === 4 || whole === 0) return whole;
    return isHigh(this.#unitAt(bytes, whole - 2)) ? whole - 2 : whole;
  }

  #unitAt(bytes: Buffer, at: number): number {
    if (this.#unit === 2) return this.#littleEndian ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
    return this.#littleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
  }

  #text(bytes: Buffer): Buffer {
    const out = Buffer.allocUnsafe((bytes.length / this.#unit) * (this.#unit === 2 ? 3 : 4));
    let to = 0;
    for (let at = 0; at < bytes.length; at += this.#unit) {
      let code = this.#unitAt(bytes, at);
      if (this.#unit === 2 && isHigh(code) && at + 2 < bytes.length) {
        const low = this.#unitAt(bytes, at + 2);
        if (low >= 0xdc00 && low <= 0xdfff) {
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
          at += 2;
        }
      }
      if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
        this.add(this.#offset + at, bytes.subarray(at, at + this.#unit));
        out[to] = BAD_BYTE;
        to += 1;
      } else to = writeUtf8(out, to, code);
    }
    this.#offset += bytes.length;
    return out.subarray(0, to);
  }
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Writes one code point and returns where the next one goes. */
export function writeUtf8(out: Uint8Array, to: number, code: number): number {
  if (code < 0x80) {
    out[to] = code;
    return to + 1;
  }
  if (code < 0x800) {
    out[to] = 0xc0 | (code >> 6);
    out[to + 1] = 0x80 | (code & 0x3f);
    return to + 2;
  }
  if (code < 0x10000) {
    out[to] = 0xe0 | (code >> 12);
    out[to + 1] = 0x80 | ((code >> 6) & 0x3f);
    out[to + 2] = 0x80 | (code & 0x3f);
    return to + 3;
  }
  out[to] = 0xf0 | (code >> 18);
  out[to + 1] = 0x80 | ((code >> 12) & 0x3f);
  out[to + 2] = 0x80 | ((code >> 6) & 0x3f);
  out[to + 3] = 0x80 | (code & 0x3f);
  return to + 4;
}
