import { AssayError } from '@assay/foundation';
import { limits } from './limits.ts';
import { RowView } from './row-view.ts';

/** Behind every byte: text without quotes. */
const NO_QUOTE = 256;
const LF = 10;
const CR = 13;

export interface CsvOptions {
  /** The character around cells; `none` = quotes are characters like any other. */
  readonly quote?: '"' | "'" | 'none' | undefined;
  /** Lines that begin with it are no rows. */
  readonly comment?: string | undefined;
  /** Bytes of the first buffer. */
  readonly capacity?: number | undefined;
}

/**
 * Where the machine stands. `comment` is inside a line that is no row; `rowStart` waits for the first byte of a row; `fieldStart` for the first of a field;
 * `plain` and `quoted` are inside a field; `quoteSeen` is behind a quote inside a quoted field, which either ends the
 * field or, doubled, stands for one quote.
 */
type State = 'comment' | 'rowStart' | 'fieldStart' | 'plain' | 'quoted' | 'quoteSeen';

/**
 * Streaming state machine for delimiter-separated text (RFC 4180 with LF, CRLF or CR line ends). It owns one buffer, into
 * which chunks are copied, and rows are handed out as ranges of it. Blank lines are skipped and counted.
 * A quote inside an unquoted field is an ordinary character, as in Python's csv module.
 */
export class CsvMachine {
  readonly #delimiter: number;
  readonly #quote: number;
  readonly #comment: number;
  readonly #onRow: (row: RowView) => void;
  readonly #row = new RowView();
  #work: Buffer;
  #end = 0;
  #at = 0;
  #rowFrom = 0;
  #fieldFrom = 0;
  #state: State = 'rowStart';
  #escaped = false;
  #afterCr = false;
  #fields = 0;
  #line = 1;
  #rowLine = 1;
  blankLines = 0;
  commentLines = 0;
  rows = 0;

  constructor(delimiter: number, onRow: (row: RowView) => void, options: CsvOptions = {}) {
    const { quote = '"', comment, capacity = limits.chunkBytes * 2 } = options;
    this.#delimiter = delimiter;
    this.#quote = quote === 'none' ? NO_QUOTE : quote.charCodeAt(0);
    this.#comment = comment === undefined ? NO_QUOTE : comment.charCodeAt(0);
    this.#onRow = onRow;
    this.#work = Buffer.allocUnsafe(Math.max(capacity, 16));
    this.#row.bytes = this.#work;
  }

  /** The row that is handed out again and again; its reader may set how cells are read. */
  get row(): RowView {
    return this.#row;
  }

  /** The line (from 1) on which the row being delivered starts. */
  get line(): number {
    return this.#rowLine;
  }

  /** Copies a chunk in and scans it. */
  feed(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length;) {
      this.#makeSpace();
      const take = Math.min(this.#work.length - this.#end, chunk.length - from);
      this.#work.set(chunk.subarray(from, from + take), this.#end);
      this.#end += take;
      from += take;
      this.#scan();
      if (this.#at - this.#rowFrom > limits.rowBytes) throw this.#tooLong();
    }
  }

  /** The file ended: delivers a last row without a line end. */
  finish(): void {
    if (this.#state === 'quoted')
      throw new AssayError('dataset_format', `line ${this.#rowLine} opens a quote that is never closed`, {
        why: 'The file ends inside the quoted cell.',
        hint: 'Close the quote, or double every quote that is part of a text.',
        details: { line: this.#rowLine },
      });
    if (this.#state === 'rowStart' || this.#state === 'comment') return;
    this.#endField();
    this.#endRow();
  }

  /** Moves what is left of an unfinished row to the front, and makes at least half of the buffer free. */
  #makeSpace(): void {
    this.#dropConsumed();
    if (this.#work.length - this.#end < this.#work.length / 2) this.#grow();
  }

  #scan(): void {
    while (this.#at < this.#end) {
      switch (this.#state) {
        case 'comment':
          this.#skipComment();
          break;
        case 'rowStart':
          this.#startRow();
          break;
        case 'fieldStart':
          this.#startField();
          break;
        case 'plain':
          this.#scanPlain();
          break;
        case 'quoted':
          this.#scanQuoted();
          break;
        case 'quoteSeen':
          this.#afterQuote();
          break;
      }
    }
  }

  #startRow(): void {
    const byte = this.#work[this.#at]!;
    if (byte === LF && this.#afterCr) {
      this.#at += 1;
      this.#rowFrom = this.#at;
      this.#afterCr = false;
      return;
    }
    this.#afterCr = byte === CR;
    if (byte === LF || byte === CR) {
      this.#at += 1;
      this.#line += 1;
      this.blankLines += 1;
      this.#rowFrom = this.#at;
      return;
    }
    this.#rowFrom = this.#at;
    this.#rowLine = this.#line;
    this.#fields = 0;
    this.#state = byte === this.#comment ? 'comment' : 'fieldStart';
  }

  #skipComment(): void {
    const work = this.#work;
    let at = this.#at;
    while (at < this.#end && work[at] !== LF && work[at] !== CR) at += 1;
    this.#rowFrom = this.#at = at; // nothing of the line is kept
    if (at === this.#end) return;
    this.commentLines += 1;
    this.#lineEndSeen(work[at]!);
    this.#at += 1;
    this.#rowFrom = this.#at;
    this.#state = 'rowStart';
  }

  #startField(): void {
    this.#escaped = false;
    if (this.#work[this.#at] === this.#quote) {
      this.#at += 1;
      this.#state = 'quoted';
    } else this.#state = 'plain';
    this.#fieldFrom = this.#at;
  }

  #scanPlain(): void {
    const work = this.#work;
    const end = this.#end;
    const delimiter = this.#delimiter;
    // Most characters are behind every one that ends a field: one comparison each.
    const highest = Math.max(delimiter, CR);
    const quote = this.#quote;
    let at = this.#at;
    for (;;) {
      let byte = 0;
      while (at < end) {
        byte = work[at]!;
        if (byte <= highest && (byte === delimiter || byte === LF || byte === CR)) break;
        at += 1;
      }
      this.#at = at;
      if (at === end) return;
      this.#pushField(this.#fieldFrom, at);
      at += 1;
      if (byte !== delimiter) {
        this.#at = at;
        this.#lineEnd(byte);
        return;
      }
      // The common case, one plain field behind another, stays in this loop.
      this.#fieldFrom = at;
      if (at === end || work[at] === quote) {
        this.#at = at;
        this.#state = 'fieldStart';
        return;
      }
    }
  }

  #scanQuoted(): void {
    const work = this.#work;
    const quote = this.#quote;
    let at = this.#at;
    while (at < this.#end && work[at] !== quote) {
      if (work[at] === LF) this.#line += 1;
      at += 1;
    }
    this.#at = at;
    if (at === this.#end) return;
    this.#at += 1;
    this.#state = 'quoteSeen';
  }

  #afterQuote(): void {
    const byte = this.#work[this.#at]!;
    if (byte === this.#quote) {
      this.#escaped = true;
      this.#at += 1;
      this.#state = 'quoted';
      return;
    }
    if (byte !== this.#delimiter && byte !== LF && byte !== CR)
      throw new AssayError('dataset_format', `line ${this.#rowLine} has text behind a closing quote`, {
        why: `Its cell ${this.#fields + 1} is quoted and followed by something other than a delimiter or a line end.`,
        hint: 'Quote the whole cell, and double every quote that is part of its text.',
        details: { line: this.#rowLine, column: this.#fields },
      });
    this.#endField();
    this.#at += 1;
    if (byte === this.#delimiter) this.#state = 'fieldStart';
    else this.#lineEnd(byte);
  }

  #lineEnd(byte: number): void {
    this.#endRow();
    this.#lineEndSeen(byte);
  }

  #lineEndSeen(byte: number): void {
    this.#line += 1;
    this.#afterCr = byte === CR;
  }

  /** Closes the field that ends before `#at`, in whatever state it is. */
  #endField(): void {
    if (this.#state === 'quoteSeen') this.#pushField(this.#fieldFrom, this.#unescape(this.#at - 1));
    else this.#pushField(this.#state === 'fieldStart' ? this.#at : this.#fieldFrom, this.#at);
  }

  #pushField(from: number, to: number): void {
    const row = this.#row;
    const field = this.#fields;
    if (field >= row.starts.length) this.#makeCells(field + 1);
    row.starts[field] = from;
    row.ends[field] = to;
    this.#fields = field + 1;
  }

  #makeCells(count: number): void {
    if (count > limits.columns)
      throw new AssayError('dataset_format', `line ${this.#rowLine} has more than ${limits.columns} cells`, {
        why: 'Wider tables are not read.',
        hint: 'Check the delimiter and the quotes.',
        details: { line: this.#rowLine },
      });
    this.#row.reserve(count);
  }

  #endRow(): void {
    if (this.#at - this.#rowFrom > limits.rowBytes) throw this.#tooLong();
    const row = this.#row;
    row.index = this.rows;
    row.count = this.#fields;
    this.#state = 'rowStart';
    this.#onRow(row);
    this.rows += 1;
    this.#rowFrom = this.#at;
  }

  /** Turns doubled quotes of the current field into single ones, in place; returns the field's new end. */
  #unescape(to: number): number {
    if (!this.#escaped) return to;
    const work = this.#work;
    const quote = this.#quote;
    let out = this.#fieldFrom;
    for (let at = this.#fieldFrom; at < to; at += 1) {
      const byte = work[at]!;
      work[out] = byte;
      out += 1;
      if (byte === quote) at += 1;
    }
    return out;
  }

  #dropConsumed(): void {
    const from = this.#state === 'rowStart' ? this.#at : this.#rowFrom;
    if (from === 0) return;
    this.#work.copyWithin(0, from, this.#end);
    this.#end -= from;
    this.#at -= from;
    this.#rowFrom -= from;
    this.#fieldFrom -= from;
    for (let i = 0; i < this.#fields; i += 1) {
      this.#row.starts[i]! -= from;
      this.#row.ends[i]! -= from;
    }
  }

  #grow(): void {
    const larger = Buffer.allocUnsafe(this.#work.length * 2);
    this.#work.copy(larger, 0, 0, this.#end);
    this.#work = larger;
    this.#row.bytes = larger;
  }

  #tooLong(): AssayError {
    return new AssayError(
      'dataset_format',
      `the row on line ${this.#rowLine} is longer than ${limits.rowBytes / 1024 / 1024} MiB`,
      {
        why: 'Most often a quote was opened and never closed.',
        hint: 'Look for a stray quote on that line.',
        details: { line: this.#rowLine },
      },
    );
  }
}
