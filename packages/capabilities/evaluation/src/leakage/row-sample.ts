import { hashBytes } from '../data/byte-view.ts';
import { cellKind, isValue } from '../data/cell-kind.ts';
import type { RowView } from '../data/row-view.ts';

const MOST_ROWS = 20_000;
const MOST_CELLS = 2_000_000;
/** Longer texts are no names of something. */
const LONGEST_STEM = 256;
/** The stem of an object or array that is written as JSON. */
const STRUCTURED = -1;

/**
 * Rows from all over a file, in its order, each cell as one number: its value when it is a number, a hash of its text
 * else, NaN when it is absent. Every n-th row is kept; when there are too many, every second is let go and n is doubled.
 */
export class RowSample {
  /** Cells of all kept rows, one row behind another. */
  #cells = new Float64Array(1024);
  /** What is left of each cell without its number: see `stemOf`. */
  #stems = new Float64Array(1024);
  #used = 0;
  /** Where each kept row begins. */
  #starts: number[] = [];
  #seen = 0;
  #every = 1;

  add(row: RowView): void {
    const wanted = this.#seen % this.#every === 0;
    this.#seen += 1;
    if (!wanted) return;
    this.#makeRoom(row.count);
    this.#starts.push(this.#used);
    for (let column = 0; column < row.count; column += 1) {
      this.#cells[this.#used + column] = cellOf(row, column);
      this.#stems[this.#used + column] = stemOf(row, column);
    }
    this.#used += row.count;
    if (this.#starts.length > MOST_ROWS || this.#used > MOST_CELLS) this.#thin();
  }

  get rows(): number {
    return this.#starts.length;
  }

  /** Rows of the file from one sampled row to the next. */
  get every(): number {
    return this.#every;
  }

  column(position: number): Float64Array {
    return this.#columnOf(this.#cells, position);
  }

  /** Of each cell a hash of its text without digits, and of a whole number its last digit. */
  stems(position: number): Float64Array {
    return this.#columnOf(this.#stems, position).map((stem) => (stem === STRUCTURED ? Number.NaN : stem));
  }

  /** True when every value of the column is an object or array, written as JSON. */
  isStructured(position: number): boolean {
    const values = this.column(position);
    const stems = this.#columnOf(this.#stems, position);
    return stems.includes(STRUCTURED) && values.every((value, row) => Number.isNaN(value) || stems[row] === STRUCTURED);
  }

  #columnOf(cells: Float64Array, position: number): Float64Array {
    return Float64Array.from(this.#starts, (start, row) => {
      const end = this.#starts[row + 1] ?? this.#used;
      return start + position < end ? cells[start + position]! : Number.NaN;
    });
  }

  /** Lets every second row go. */
  #thin(): void {
    const starts = this.#starts;
    const kept: number[] = [];
    let used = 0;
    for (let row = 0; row < starts.length; row += 2) {
      const end = starts[row + 1] ?? this.#used;
      this.#cells.copyWithin(used, starts[row]!, end);
      this.#stems.copyWithin(used, starts[row]!, end);
      kept.push(used);
      used += end - starts[row]!;
    }
    this.#starts = kept;
    this.#used = used;
    this.#every *= 2;
  }

  #makeRoom(cells: number): void {
    if (this.#used + cells <= this.#cells.length) return;
    const room = Math.max(this.#cells.length * 2, this.#used + cells);
    this.#cells = enlarged(this.#cells, room);
    this.#stems = enlarged(this.#stems, room);
  }
}

function enlarged(cells: Float64Array, room: number) {
  const larger = new Float64Array(room);
  larger.set(cells);
  return larger;
}

function cellOf(row: RowView, column: number): number {
  const kind = row.kind(column);
  if (!isValue(kind)) return Number.NaN;
  if (kind === cellKind.integer || kind === cellKind.number) return Number(row.text(column));
  const start = row.starts[column]!;
  // Beyond every number that a sampled column holds beside texts, and apart for texts of other length.
  return 2 ** 40 + hashBytes(row.view, start, row.ends[column]! - start);
}

/** What a cell says beside its number: `cat_001` and `cat_002` have one stem, as 11 and 21 have. NaN where there is none. */
function stemOf(row: RowView, column: number): number {
  const kind = row.kind(column);
  if (!isValue(kind) || kind === cellKind.number) return Number.NaN;
  const { bytes } = row.view;
  const [start, end] = [row.starts[column]!, row.ends[column]!];
  if (kind === cellKind.integer) return isDigit(bytes[end - 1]!) ? bytes[end - 1]! - DIGIT_ZERO : Number.NaN;
  if (isBracketed(bytes[start]!, bytes[end - 1]!)) return STRUCTURED;
  if (end - start > LONGEST_STEM) return Number.NaN;
  let hash = 0x811c9dc5; // FNV-1a
  for (let at = start; at < end; at += 1) if (!isDigit(bytes[at]!)) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash >>> 0;
}

const DIGIT_ZERO = 48;

function isDigit(byte: number): boolean {
  return byte >= DIGIT_ZERO && byte < DIGIT_ZERO + 10;
}

/** `{…}` or `[…]`. */
function isBracketed(first: number, last: number): boolean {
  return (first === 123 && last === 125) || (first === 91 && last === 93);
}
