import { AssayError } from '@assay/foundation';
import type { DataEncoding } from '@assay/contracts';
import { BAD_BYTE, type ByteDecoder } from './decode/byte-decoder.ts';
import type { RowView } from './row-view.ts';

/** What is done with rows whose bytes cannot be decoded: the first ends the reading, or all are left out and counted. */
export class BadRows {
  readonly #decoder: ByteDecoder;
  readonly #about: { readonly name: string; readonly encoding: DataEncoding; readonly drop: boolean };
  dropped = 0;

  constructor(
    decoder: ByteDecoder,
    about: { readonly name: string; readonly encoding: DataEncoding; readonly drop: boolean },
  ) {
    this.#decoder = decoder;
    this.#about = about;
  }

  /** Whether the decoder met such bytes so far, perhaps in rows that are still to come. */
  get seen(): boolean {
    return this.#decoder.bad > 0;
  }

  get drops(): boolean {
    return this.#about.drop;
  }

  holds(row: RowView): boolean {
    return row.holds(BAD_BYTE);
  }

  /** Counts a row that is left out, or throws `dataset_encoding` or, for a zero byte, `dataset_format`. */
  add(row: number, line: number): void {
    if (!this.#about.drop) throw this.#refusal(`row ${row} (line ${line})`, { row, line });
    this.dropped += 1;
  }

  inHeader(line: number): AssayError {
    return this.#refusal(`the header (line ${line})`, { line });
  }

  /** For formats in which rows cannot be told apart once bytes are broken. */
  anywhere(row: number): AssayError {
    return this.#refusal(`row ${row} or one shortly behind it`, { row });
  }

  #refusal(where: string, details: Readonly<Record<string, unknown>>): AssayError {
    const { name, encoding } = this.#about;
    const { offset, kind, hex } = this.#decoder.firstBad!;
    const drop = 'leave such rows out with --on-bad-bytes drop-rows';
    if (kind === 'nul')
      return new AssayError('dataset_format', `${where} of ${name} holds a zero byte`, {
        why: `It is byte ${offset} of the file; text holds no zero bytes.`,
        hint: `Repair the row, or ${drop}.`,
        details: { ...details, offset },
      });
    return new AssayError('dataset_encoding', `${where} of ${name} holds bytes that are not ${encoding}`, {
      why: `Byte ${offset} of the file (hexadecimal ${hex}) cannot be decoded.`,
      hint: `Repair the row, say which encoding it is with --encoding, or ${drop}.`,
      details: { ...details, offset, bytes: hex, encoding },
    });
  }
}
