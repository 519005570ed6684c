/**
 * Stands in decoded text for every sequence that the encoding does not have, and for every NUL: a byte that valid UTF-8
 * never holds, so a row that holds it can be named.
 */
export const BAD_BYTE = 0xff;

export interface BadBytes {
  /** Of the first such byte, from the start of the (unpacked) file. */
  readonly offset: number;
  /** `nul` = a zero byte; else bytes that the encoding does not have. */
  readonly kind: 'nul' | 'undecodable';
  /** Those bytes in hexadecimal, at most four. */
  readonly hex: string;
}

/** Turns a stream of bytes in one encoding into UTF-8. Characters may lie across chunks. */
export interface ByteDecoder {
  /** UTF-8 of what is complete so far; it stays as it is until the next call. */
  decode(chunk: Buffer): Buffer;
  /** What was held back; the file has ended. */
  finish(): Buffer;
  /** Sequences that could not be decoded, and NULs. */
  readonly bad: number;
  readonly firstBad: BadBytes | undefined;
}

/** Counts bad sequences and remembers the first. */
export class BadCount {
  bad = 0;
  firstBad: BadBytes | undefined;

  add(offset: number, bytes: Uint8Array): void {
    this.bad += 1;
    this.firstBad ??= {
      offset,
      kind: bytes.every((byte) => byte === 0) ? 'nul' : 'undecodable',
      hex: Buffer.from(bytes.subarray(0, 4)).toString('hex'),
    };
  }
}
