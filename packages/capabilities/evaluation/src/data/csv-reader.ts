import { AssayError } from '@assay/foundation';
import { CsvMachine } from './csv-machine.ts';
import type { BadRows } from './bad-rows.ts';
import type { FormatReader, ReaderOptions } from './format-reader.ts';
import { readHeaders } from './headers.ts';
import { numberStyleOf } from './number-style.ts';
import { missingTextsOf, type RowView } from './row-view.ts';
import type { TableShape } from './table-shape.ts';

/** Reads delimiter-separated text: header, rows of as many cells, and what is done with others. */
export class CsvReader implements FormatReader {
  readonly #machine: CsvMachine;
  readonly #options: ReaderOptions;
  readonly #bad: BadRows;
  readonly #noHeader: boolean;
  #columns: readonly string[] | undefined;
  #headerWarnings: readonly string[] = [];
  #trailing = 0;
  ragged = 0;

  constructor(shape: TableShape, options: ReaderOptions, bad: BadRows) {
    this.#options = options;
    this.#bad = bad;
    this.#noHeader = shape.header === 'absent';
    this.#machine = new CsvMachine(shape.delimiter!.charCodeAt(0), (row) => this.#row(row), {
      quote: shape.quote,
      comment: shape.comment,
    });
    const { row } = this.#machine;
    row.readAs({ numbers: numberStyleOf(shape), missing: missingTextsOf(shape.missing) });
    row.placeholdersAbsent = options.placeholdersAbsent;
  }

  feed(chunk: Buffer): void {
    this.#machine.feed(chunk);
  }

  finish(): void {
    this.#machine.finish();
  }

  get columns(): readonly string[] {
    return this.#columns ?? [];
  }

  get rows(): number {
    return Math.max(0, this.#machine.rows - (this.#noHeader ? 0 : 1));
  }

  get warnings(): readonly string[] {
    const { blankLines, commentLines } = this.#machine;
    return [
      ...this.#headerWarnings,
      ...(blankLines > 0 ? [`${blankLines} blank lines were skipped; they are not rows`] : []),
      ...(commentLines > 0 ? [`${commentLines} comment lines were skipped; they are not rows`] : []),
      ...(this.#trailing > 0
        ? [`${this.#trailing} rows end with a separator; the empty cell behind it is no column`]
        : []),
    ];
  }

  #row(row: RowView): void {
    if (this.#columns === undefined) {
      this.#begin(row);
      if (!this.#noHeader) return;
    }
    if (!this.#noHeader) row.index -= 1; // the machine counts the header row too
    if (this.#bad.seen && this.#bad.holds(row)) {
      this.#bad.add(row.index, this.#machine.line);
      return;
    }
    const expected = this.#columns!.length;
    if (row.count === expected + 1 && row.starts[expected] === row.ends[expected]) {
      row.count = expected;
      this.#trailing += 1;
    }
    if (row.count === expected) {
      this.#options.onRow(row);
      return;
    }
    if (!this.#options.dropRagged) throw ragged(row, expected, this.#machine.line);
    this.ragged += 1;
  }

  #begin(row: RowView): void {
    if (this.#bad.seen && this.#bad.holds(row)) throw this.#bad.inHeader(this.#machine.line);
    const cells = Array.from({ length: row.count }, (_, i) => row.bytes.toString('utf8', row.starts[i], row.ends[i]));
    const { names, warnings } = readHeaders(this.#noHeader ? cells.map(() => '') : cells);
    this.#columns = names;
    this.#headerWarnings = this.#noHeader
      ? [`the file has no header; its columns are called ${names[0]!} to ${names.at(-1)!}`]
      : warnings;
    this.#options.onHeader?.(names);
  }
}

function ragged(row: RowView, expected: number, line: number): AssayError {
  return new AssayError('dataset_ragged', `row ${row.index} has ${row.count} cells where the header has ${expected}`, {
    why: `The row starts on line ${line}.`,
    hint: 'Add the missing cells, quote the cell that holds a delimiter, or leave such rows out with --on-ragged drop-rows.',
    details: { row: row.index, line, cells: row.count, expected },
  });
}
