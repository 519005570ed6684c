import { hashBytes } from '../data/byte-view.ts';
import { cellKind, isValue } from '../data/cell-kind.ts';
import type { RowView } from '../data/row-view.ts';

const MOST_ROWS = 20_000;
const MOST_CELLS = 2_000_000;

/**
 * Rows from all over a file, in its order, each cell as one number: its value when it is a number, a hash of its text
 * else, NaN when it is absent. Every n-th row is kept; when there are too many, every second is let go and n is doubled.
 */
export class RowSample {
  /** Cells of all kept rows, one row behind another. */
  #cells = new Float64Array(1024);
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
    for (let column = 0; column < row.count; column += 1) this.#cells[this.#used + column] = cellOf(row, column);
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
    return Float64Array.from(this.#starts, (start, row) => {
      const end = this.#starts[row + 1] ?? this.#used;
      return start + position < end ? this.#cells[start + position]! : Number.NaN;
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
      kept.push(used);
      used += end - starts[row]!;
    }
    this.#starts = kept;
    this.#used = used;
    this.#every *= 2;
  }

  #makeRoom(cells: number): void {
    if (this.#used + cells <= this.#cells.length) return;
    const larger = new Float64Array(Math.max(this.#cells.length * 2, this.#used + cells));
    larger.set(this.#cells.subarray(0, this.#used));
    this.#cells = larger;
  }
}

function cellOf(row: RowView, column: number): number {
  const kind = row.kind(column);
  if (!isValue(kind)) return Number.NaN;
  if (kind === cellKind.integer || kind === cellKind.number) return Number(row.text(column));
  const start = row.starts[column]!;
  // Beyond every number that a sampled column holds beside texts, and apart for texts of other length.
  return 2 ** 40 + hashBytes(row.view, start, row.ends[column]! - start);
}
