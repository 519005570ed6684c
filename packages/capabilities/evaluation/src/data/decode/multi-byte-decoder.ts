import { AssayError } from '@assay/foundation';
import { limits } from '../limits.ts';
import { BAD_BYTE, BadCount, type ByteDecoder } from './byte-decoder.ts';

export type MultiByteEncoding = 'gb18030' | 'big5' | 'shift_jis' | 'euc-jp' | 'euc-kr';

/** Control characters beyond ASCII: what the platform makes of a lead byte that it does not know, such as CP949's in EUC-KR. */
const strays = /[\u0080-\u009f]/;

/** In none of these encodings is a byte below this one part of a longer character: text can be cut behind it. */
const LOWEST_PART = 0x30;

/**
 * East Asian encodings, by the decoder of the platform. Text is decoded in pieces that end behind a byte that is no part
 * of a character; the stretch between two such bytes that cannot be decoded becomes one `BAD_BYTE`.
 */
export class MultiByteDecoder extends BadCount implements ByteDecoder {
  readonly #decoder: InstanceType<typeof TextDecoder>;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #offset: number;

  constructor(encoding: MultiByteEncoding, offset: number) {
    super();
    this.#decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
    this.#offset = offset;
  }

  decode(chunk: Buffer): Buffer {
    const cut = lastCut(chunk);
    if (cut === 0) {
      this.#hold(chunk);
      return Buffer.alloc(0);
    }
    const part = Buffer.concat([...this.#held, chunk.subarray(0, cut)]);
    this.#held = [];
    this.#heldBytes = 0;
    this.#hold(chunk.subarray(cut));
    return this.#text(part);
  }

  finish(): Buffer {
    const rest = Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return this.#text(rest);
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > limits.rowBytes)
      throw new AssayError('dataset_format', `byte ${this.#offset} begins a text longer than 16 MiB`, {
        why: 'No line end, separator or blank stands in it.',
        hint: 'Check that the file is a table, and its encoding.',
        details: { offset: this.#offset },
      });
    this.#held.push(Buffer.from(bytes));
  }

  #text(part: Buffer): Buffer {
    const whole = this.#tryDecode(part);
    const text = whole ?? this.#marked(part);
    this.#offset += part.length;
    return text;
  }

  /** Undefined when a byte cannot be decoded, or is NUL. */
  #tryDecode(part: Buffer): Buffer | undefined {
    if (part.includes(0)) return undefined;
    try {
      const text = this.#decoder.decode(part);
      return strays.test(text) ? undefined : Buffer.from(text);
    } catch {
      return undefined;
    }
  }

  #marked(part: Buffer): Buffer {
    const out: Buffer[] = [];
    for (let at = 0; at < part.length;) {
      let end = at;
      const isPart = part[at]! >= LOWEST_PART;
      while (end < part.length && part[end]! >= LOWEST_PART === isPart && part[end] !== 0) end += 1;
      if (end === at) end += 1; // a NUL stands alone
      const piece = part.subarray(at, end);
      const text = this.#tryDecode(piece);
      if (text === undefined) {
        this.add(this.#offset + at + this.#firstWrong(piece), piece.subarray(this.#firstWrong(piece)));
        out.push(Buffer.of(BAD_BYTE));
      } else out.push(text);
      at = end;
    }
    return Buffer.concat(out);
  }

  /** How many bytes of the piece can be decoded; found by halving, as every longer part fails too. */
  #firstWrong(piece: Buffer): number {
    let good = 0;
    let wrong = piece.length;
    while (wrong - good > 1) {
      const middle = (good + wrong) >> 1;
      if (this.#startsWell(piece.subarray(0, middle))) good = middle;
      else wrong = middle;
    }
    return good;
  }

  #startsWell(piece: Buffer): boolean {
    try {
      return !strays.test(new TextDecoder(this.#decoder.encoding, { fatal: true }).decode(piece, { stream: true }));
    } catch {
      return false;
    }
  }
}

/** Behind the last byte that is no part of a longer character; 0 when there is none. */
function lastCut(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= 0; at -= 1) if (bytes[at]! < LOWEST_PART) return at + 1;
  return 0;
}
