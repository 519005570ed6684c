import type { BadRows } from './bad-rows.ts';
import type { FormatReader, ReaderOptions } from './format-reader.ts';
import { JsonReader } from './json-reader.ts';
import { JsonRows } from './json-rows.ts';
import { JsonlReader } from './jsonl-reader.ts';
import type { TableShape } from './table-shape.ts';

/** Reads JSON or JSON lines as a table. */
export class JsonTableReader implements FormatReader {
  readonly #rows: JsonRows;
  readonly #reader: JsonReader | JsonlReader;
  readonly #bad: BadRows;
  readonly ragged = 0;

  constructor(shape: TableShape, options: ReaderOptions, bad: BadRows) {
    this.#bad = bad;
    this.#rows = new JsonRows(options.onRow, {
      missing: shape.missing,
      placeholdersAbsent: options.placeholdersAbsent,
    });
    this.#reader = shape.format === 'json' ? new JsonReader(this.#rows) : new JsonlReader(this.#rows, bad);
  }

  feed(chunk: Buffer): void {
    // Inside one document nothing says where the next row begins once bytes are broken.
    if (this.#bad.seen && this.#reader instanceof JsonReader) throw this.#bad.anywhere(this.#rows.rows);
    this.#reader.write(chunk);
  }

  finish(): void {
    if (this.#bad.seen && this.#reader instanceof JsonReader) throw this.#bad.anywhere(this.#rows.rows);
    this.#reader.finish();
  }

  get columns(): readonly string[] {
    return this.#rows.columns;
  }

  get rows(): number {
    return this.#rows.rows;
  }

  get warnings(): readonly string[] {
    const blank = this.#reader instanceof JsonlReader ? this.#reader.blankLines : 0;
    return [...this.#rows.warnings, ...(blank > 0 ? [`${blank} blank lines were skipped; they are not rows`] : [])];
  }
}
