import { BAD_BYTE, BadCount, type ByteDecoder } from './byte-decoder.ts';
import { writeUtf8 } from './wide-decoder.ts';

export type SingleByteEncoding = 'windows-1252' | 'windows-1250' | 'windows-1251' | 'iso-8859-2' | 'koi8-r';

/** 0x80 to 0x9f of Windows-1252; 0 = not assigned. Node 20 reads these bytes as control characters. */
const WINDOWS_1252 = [
  0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0, 0,
  0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178,
] as const;

/** The code point of every byte; 0 where there is none. */
function tableOf(encoding: SingleByteEncoding): Uint32Array {
  const decoder = new TextDecoder(encoding === 'windows-1252' ? 'iso-8859-15' : encoding);
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    if (byte < 0x80) return byte;
    if (encoding === 'windows-1252') return byte < 0xa0 ? WINDOWS_1252[byte - 0x80]! : byte;
    const code = decoder.decode(Uint8Array.of(byte)).codePointAt(0)!;
    const control = encoding.startsWith('windows') && code >= 0x80 && code < 0xa0;
    return code === 0xfffd || control ? 0 : code;
  });
}

/** Encodings in which every byte is a character. */
export class SingleByteDecoder extends BadCount implements ByteDecoder {
  readonly #table: Uint32Array;
  #offset: number;

  constructor(encoding: SingleByteEncoding, offset: number) {
    super();
    this.#table = tableOf(encoding);
    this.#offset = offset;
  }

  decode(chunk: Buffer): Buffer {
    const table = this.#table;
    const out = Buffer.allocUnsafe(chunk.length * 3);
    let to = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const code = table[chunk[at]!]!;
      if (code === 0) {
        this.add(this.#offset + at, chunk.subarray(at, at + 1));
        out[to] = BAD_BYTE;
        to += 1;
      } else to = writeUtf8(out, to, code);
    }
    this.#offset += chunk.length;
    return out.subarray(0, to);
  }

  finish(): Buffer {
    return Buffer.alloc(0);
  }
}
