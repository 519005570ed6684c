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
  #rows: Float64Array[] = [];
  #cells = 0;
  #seen = 0;
  #every = 1;

  add(row: RowView): void {
    const wanted = this.#seen % this.#every === 0;
    this.#seen += 1;
    if (!wanted) return;
    this.#rows.push(cellsOf(row));
    this.#cells += row.count;
    if (this.#rows.length <= MOST_ROWS && this.#cells <= MOST_CELLS) return;
    this.#rows = this.#rows.filter((_, i) => i % 2 === 0);
    this.#cells = this.#rows.reduce((sum, cells) => sum + cells.length, 0);
    this.#every *= 2;
  }

  get rows(): number {
    return this.#rows.length;
  }

  /** Rows of the file from one sampled row to the next. */
  get every(): number {
    return this.#every;
  }

  column(position: number): Float64Array {
    return Float64Array.from(this.#rows, (cells) => cells[position] ?? Number.NaN);
  }
}

function cellsOf(row: RowView): Float64Array {
  const cells = new Float64Array(row.count);
  for (let column = 0; column < row.count; column += 1) cells[column] = cellOf(row, column);
  return cells;
}

function cellOf(row: RowView, column: number): number {
  const kind = row.kind(column);
  if (!isValue(kind)) return Number.NaN;
  if (kind === cellKind.integer || kind === cellKind.number) return Number(row.text(column));
  const start = row.starts[column]!;
  // Beyond every number that a sampled column holds beside texts, and apart for texts of other length.
  return 2 ** 40 + hashBytes(row.view, start, row.ends[column]! - start);
}
