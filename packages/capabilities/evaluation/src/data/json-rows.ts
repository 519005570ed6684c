import { AssayError } from '@assay/foundation';
import { cellKind, classifyText, type CellKind } from './cell-kind.ts';
import { FlatJsonLine } from './flat-json-line.ts';
import { limits } from './limits.ts';
import { missingTextsOf, RowView } from './row-view.ts';
import { JsonNumber, strictJsonText, type StrictJson } from './strict-json.ts';

/**
 * Lays the members of JSON objects out as the cells of a table. Columns are the union of all keys in the order in which
 * they first appear; a key that a row lacks is a missing value there. Nested values become their JSON text.
 */
export class JsonRows {
  readonly #onRow: (row: RowView) => void;
  readonly #row = new RowView();
  readonly #positions = new Map<string, number>();
  readonly #nested = new Map<number, number>();
  readonly #flat = new FlatJsonLine();
  /** Where cells lie that are not ranges of a line. */
  #buffer: Buffer = Buffer.allocUnsafe(64 * 1024);
  #used = 0;
  rows = 0;

  constructor(
    onRow: (row: RowView) => void,
    cells: {
      readonly missing?: readonly string[] | undefined;
      readonly placeholdersAbsent?: readonly boolean[] | undefined;
    } = {},
  ) {
    this.#onRow = onRow;
    this.#row.readAs({ missing: missingTextsOf(cells.missing) });
    this.#row.placeholdersAbsent = cells.placeholdersAbsent;
    this.#row.kinds = new Uint8Array(this.#row.starts.length);
  }

  get columns(): readonly string[] {
    return [...this.#positions.keys()];
  }

  /** What was read in another form than it is written, by column. */
  get warnings(): readonly string[] {
    const nested = [...this.#nested];
    if (nested.length === 0) return [];
    const names = this.columns;
    const total = nested.reduce((sum, [, count]) => sum + count, 0);
    const columns = nested.slice(0, 10).map(([position]) => `"${names[position]!}"`);
    return [
      `${total} nested values (objects, arrays) were read as their JSON text, in ${columns.join(', ')}${nested.length > 10 ? ', …' : ''}`,
    ];
  }

  /** Counts a row that is left out. */
  skip(): void {
    this.rows += 1;
  }

  /** Takes a line that is one plain object, whose cells are known columns; false when it is something else. */
  addLine(line: Buffer): boolean {
    const row = this.#row;
    const columns = this.#positions.size;
    if (columns === 0) return false;
    row.kinds!.fill(cellKind.empty, 0, columns);
    if (!this.#flat.read(line, row)) return false;
    row.bytes = line;
    row.index = this.rows;
    row.count = columns;
    this.#onRow(row);
    this.rows += 1;
    return true;
  }

  add(members: ReadonlyMap<string, StrictJson>): void {
    const row = this.#row;
    row.bytes = this.#buffer;
    this.#used = 0;
    row.kinds!.fill(cellKind.empty, 0, this.#positions.size);
    for (const [name, value] of members) this.#set(this.#position(name), value);
    row.index = this.rows;
    row.count = this.#positions.size;
    this.#onRow(row);
    this.rows += 1;
  }

  #position(name: string): number {
    const known = this.#positions.get(name);
    if (known !== undefined) return known;
    const position = this.#positions.size;
    if (name === '')
      throw new AssayError('dataset_format', `row ${this.rows} has an empty key`, {
        why: 'A key is the name of a column.',
        hint: 'Give every key a name.',
        details: { row: this.rows },
      });
    if (position >= limits.columns)
      throw new AssayError('dataset_format', `the rows have more than ${limits.columns} different keys`, {
        why: `Row ${this.rows} brings one more.`,
        hint: 'Give every row the same keys: a key is a column.',
        details: { row: this.rows },
      });
    this.#row.reserve(position + 1);
    this.#row.kinds![position] = cellKind.empty;
    this.#positions.set(name, position);
    this.#flat.know(this.columns);
    return position;
  }

  #set(position: number, value: StrictJson): void {
    const [kind, text] = cellOf(value);
    if (typeof value === 'object' && value !== null && !(value instanceof JsonNumber))
      this.#nested.set(position, (this.#nested.get(position) ?? 0) + 1);
    const bytes = Buffer.byteLength(text);
    const row = this.#row;
    if (this.#used + bytes > row.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(row.bytes.length * 2, this.#used + bytes));
      row.bytes.copy(larger, 0, 0, this.#used);
      this.#buffer = larger;
      row.bytes = larger;
    }
    row.bytes.write(text, this.#used);
    row.starts[position] = this.#used;
    this.#used += bytes;
    row.ends[position] = this.#used;
    row.kinds![position] = kind;
  }
}

function cellOf(value: StrictJson): readonly [CellKind, string] {
  if (value === null) return [cellKind.empty, ''];
  if (typeof value === 'boolean') return [cellKind.boolean, String(value)];
  if (typeof value === 'string') return [textKind(value), value];
  if (value instanceof JsonNumber) return [numberKind(value), value.text];
  return [cellKind.text, strictJsonText(value)];
}

/** JSON says itself what is a number and what is missing; dates are texts there. */
function textKind(text: string): CellKind {
  const first = text.charCodeAt(0);
  if (first >= 48 && first <= 57) return classifyText(text) === cellKind.date ? cellKind.date : cellKind.text;
  return text.trim() === '' ? cellKind.empty : cellKind.text;
}

function numberKind(value: JsonNumber): CellKind {
  if (value.text === 'NaN') return cellKind.missing;
  if (!value.finite) return cellKind.text;
  if (!value.isWhole) return cellKind.number;
  return Number.isSafeInteger(Number(value.text)) ? cellKind.integer : cellKind.text;
}
