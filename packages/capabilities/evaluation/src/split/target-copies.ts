import { AssayError } from '@assay/foundation';
import type { DatasetManifest } from '@assay/contracts';
import type { RowView } from '../data/row-view.ts';

/** Fewer rows can agree by accident. */
const ENOUGH_ROWS = 10;

/**
 * Finds input columns that repeat the target cell by cell: they would hand the labels to the adapter. A column is looked
 * at only until it differs once, so the check costs nothing on ordinary data.
 */
export class TargetCopies {
  readonly #target: number;
  #suspects: { readonly name: string; readonly position: number }[];
  #rows = 0;

  constructor(manifest: DatasetManifest, target: number) {
    this.#target = target;
    this.#suspects = manifest.columns.filter(({ name }) => manifest.inputColumns.includes(name));
  }

  add(row: RowView): void {
    this.#rows += 1;
    if (this.#suspects.length === 0) return;
    this.#suspects = this.#suspects.filter(({ position }) => sameCell(row, position, this.#target));
  }

  /** Throws `target_unsuitable` when a copy was found. */
  finish(): void {
    const copies = this.#suspects.map(({ name }) => name);
    if (copies.length === 0 || this.#rows < ENOUGH_ROWS) return;
    const names = copies.map((name) => `"${name}"`).join(', ');
    throw new AssayError('target_unsuitable', `the input column ${names} repeats the target in every row`, {
      why: `All ${this.#rows} rows hold the same text in both, so the answer would stand in the question.`,
      hint: 'Name the inputs without it.',
      details: { columns: copies, rows: this.#rows },
    });
  }
}

function sameCell(row: RowView, a: number, b: number): boolean {
  if (a >= row.count || b >= row.count) return false;
  const from = row.starts[a]!;
  const to = row.ends[a]!;
  return row.bytes.compare(row.bytes, row.starts[b], row.ends[b], from, to) === 0;
}
