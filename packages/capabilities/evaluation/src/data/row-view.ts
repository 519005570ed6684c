import { ByteView } from './byte-view.ts';
import { cellKind, classifyBytes, classifyText, isValue, type CellKind } from './cell-kind.ts';
import { limits } from './limits.ts';
import type { NumberStyle } from './number-style.ts';

/** How cells are read when not as usual. */
export interface CellReading {
  /** For numbers that are written in another form. */
  readonly numbers?: NumberStyle | undefined;
  /** Texts that mean that there is no value, besides the usual ones. */
  readonly missing?: ReadonlySet<string> | undefined;
}

/** Undefined when no texts are named. */
export function missingTextsOf(texts: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return texts === undefined ? undefined : new Set(texts);
}

/**
 * One row as it lies in the reader's buffer. It is valid only during the callback it is handed to: the reader reuses
 * every array. Cells are byte ranges, so a pass over a large file makes no string that nobody asked for.
 */
export class RowView {
  /** Zero-based row of the original file. */
  index = 0;
  /** Cells in this row. JSON rows can have fewer cells than later rows: what is absent is missing. */
  count = 0;
  starts = new Int32Array(64);
  ends = new Int32Array(64);
  /** Set by readers of typed formats; CSV cells are classified from their text. */
  kinds: Uint8Array | undefined;
  /**
   * Columns in which a placeholder is an absent value; in others it is a text. Undefined while that is not known yet:
   * the kind says `placeholder` then.
   */
  placeholdersAbsent: readonly boolean[] | undefined;
  #reading: CellReading | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  #view = new ByteView(this.#bytes);

  /** The buffer that the cells lie in. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  set bytes(bytes: Buffer) {
    this.#bytes = bytes;
    this.#view = new ByteView(bytes);
  }

  get view(): ByteView {
    return this.#view;
  }

  kind(column: number): CellKind {
    if (column >= this.count) return cellKind.empty;
    const kinds = this.kinds;
    const kind =
      this.#reading !== undefined
        ? this.#readSo(column, this.#reading)
        : kinds === undefined
          ? classifyBytes(this.#bytes, this.starts[column]!, this.ends[column]!)
          : (kinds[column] as CellKind);
    if (kind !== cellKind.placeholder || this.placeholdersAbsent === undefined) return kind;
    return this.placeholdersAbsent[column] === true ? cellKind.missing : cellKind.text;
  }

  /** Cells are read in another way than the usual one. */
  readAs(reading: CellReading): void {
    this.#reading = reading.numbers === undefined && reading.missing === undefined ? undefined : reading;
  }

  #readSo(column: number, { numbers, missing }: CellReading): CellKind {
    const text = this.#rawText(column);
    if (missing?.has(text.trim()) === true) return cellKind.missing;
    if (this.kinds !== undefined) return this.kinds[column] as CellKind;
    return numbers === undefined ? classifyText(text) : numbers.kind(text);
  }

  #rawText(column: number): string {
    return this.#bytes.toString('utf8', this.starts[column], this.ends[column]);
  }

  /** The cell's text, or null when the value is absent; numbers in the usual form. */
  text(column: number): string | null {
    if (!isValue(this.kind(column))) return null;
    const text = this.#rawText(column);
    return this.kinds === undefined ? (this.#reading?.numbers?.plain(text) ?? text) : text;
  }

  /** Whether any cell holds this byte. */
  holds(byte: number): boolean {
    if (this.count === 0) return false;
    return this.#bytes.subarray(this.starts[0], this.ends[this.count - 1]).includes(byte);
  }

  /** Makes room for at least `columns` cells, which are not more than a row may have; cells already set are kept. */
  reserve(columns: number): void {
    if (this.starts.length >= columns) return;
    const size = Math.min(limits.columns, Math.max(columns, this.starts.length * 2));
    this.starts = grown(this.starts, size);
    this.ends = grown(this.ends, size);
    if (this.kinds !== undefined) {
      const kinds = new Uint8Array(size);
      kinds.set(this.kinds);
      this.kinds = kinds;
    }
  }
}

function grown(array: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(size);
  larger.set(array);
  return larger;
}
