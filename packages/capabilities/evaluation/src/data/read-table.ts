import { AssayError } from '@assay/foundation';
import { CsvMachine } from './csv-machine.ts';
import { DataFile } from './data-file.ts';
import { bomLength, checkHead, Utf8Check } from './encoding.ts';
import { readHeaders } from './headers.ts';
import { JsonReader } from './json-reader.ts';
import { JsonRows } from './json-rows.ts';
import { JsonlReader } from './jsonl-reader.ts';
import { limits } from './limits.ts';
import type { RowView } from './row-view.ts';
import { sniffTable, type TableShape } from './sniff.ts';

export interface ReadTableOptions {
  /** Known from an earlier pass; else found by looking at the file. */
  readonly shape?: TableShape;
  /** CSV and TSV: called once, before the first row. */
  readonly onHeader?: (names: readonly string[]) => void;
  /** Called for each row in order. The view is valid only during the call. */
  readonly onRow: (row: RowView) => void;
  readonly signal?: AbortSignal | undefined;
}

/** What one pass over a data file found. */
export interface TableFacts {
  readonly path: string;
  readonly name: string;
  readonly shape: TableShape;
  readonly bom: boolean;
  readonly columns: readonly string[];
  readonly rows: number;
  readonly sha256: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly warnings: readonly string[];
}

/** A reader of one format. It keeps no chunk longer than the call. */
interface FormatReader {
  feed(chunk: Buffer): void;
  finish(): void;
  readonly columns: readonly string[];
  readonly rows: number;
  readonly warnings: readonly string[];
}

/**
 * Reads a table once from front to end in constant memory, hashing its bytes on the way. Throws an AssayError with a
 * `dataset_*` code that names row and reason for everything that is not a UTF-8 table.
 */
export async function readTable(path: string, options: ReadTableOptions): Promise<TableFacts> {
  await using file = await DataFile.open(path);
  const head = await file.head(64 * 1024);
  if (head.length === bomLength(head))
    throw new AssayError('dataset_empty', `${file.name} is empty`, {
      why: `It has ${file.size} bytes.`,
      hint: 'Give a file with a header row and at least one row of data.',
      details: { path: file.path },
    });
  checkHead(head, file.name);
  const shape = options.shape ?? sniffTable(file.name, head);
  const reader = shape.delimiter === undefined ? jsonReader(shape, options) : csvReader(shape, file.name, options);
  await pump(file, reader, { bom: bomLength(head), signal: options.signal });
  const sha256 = await file.finish();
  return {
    path: file.path,
    name: file.name,
    shape,
    bom: bomLength(head) > 0,
    columns: reader.columns,
    rows: reader.rows,
    sha256,
    size: file.size,
    mtimeMs: file.mtimeMs,
    warnings: reader.warnings,
  };
}

async function pump(
  file: DataFile,
  reader: FormatReader,
  options: { readonly bom: number; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const utf8 = new Utf8Check(file.name);
  let skip = options.bom;
  for (;;) {
    const read = await file.next(options.signal);
    if (read.length === 0) break;
    const chunk = read.subarray(skip);
    skip = Math.max(0, skip - read.length);
    utf8.add(chunk, `near row ${reader.rows}`);
    reader.feed(chunk);
    if (reader.rows > limits.rows) throw tooManyRows(file.name);
  }
  utf8.finish(`at the end of the file`);
  reader.finish();
}

function csvReader(shape: TableShape, fileName: string, options: ReadTableOptions): FormatReader {
  let columns: readonly string[] | undefined;
  let headerWarnings: readonly string[] = [];
  const machine = new CsvMachine(shape.delimiter!.charCodeAt(0), (row) => {
    if (columns === undefined) {
      const cells = Array.from({ length: row.count }, (_, i) => row.bytes.toString('utf8', row.starts[i], row.ends[i]));
      ({ names: columns, warnings: headerWarnings } = readHeaders(cells, fileName));
      options.onHeader?.(columns);
      return;
    }
    row.index -= 1; // the machine counts the header row too
    if (row.count !== columns.length) throw ragged(row, columns.length, machine.line);
    options.onRow(row);
  });
  return {
    feed: (chunk) => machine.feed(chunk),
    finish: () => machine.finish(),
    get columns() {
      return columns ?? [];
    },
    get rows() {
      return Math.max(0, machine.rows - 1);
    },
    get warnings() {
      return [...headerWarnings, ...blankLineWarning(machine.blankLines)];
    },
  };
}

function jsonReader(shape: TableShape, options: ReadTableOptions): FormatReader {
  const rows = new JsonRows(options.onRow);
  const reader = shape.format === 'json' ? new JsonReader(rows) : new JsonlReader(rows);
  return {
    feed: (chunk) => reader.write(chunk),
    finish: () => reader.finish(),
    get columns() {
      return rows.columns;
    },
    get rows() {
      return rows.rows;
    },
    get warnings() {
      const nested =
        rows.nestedCells > 0
          ? [`${rows.nestedCells} nested values (objects, arrays) were read as their JSON text`]
          : [];
      return [...nested, ...(reader instanceof JsonlReader ? blankLineWarning(reader.blankLines) : [])];
    },
  };
}

function blankLineWarning(count: number): readonly string[] {
  return count > 0 ? [`${count} blank lines were skipped; they are not rows`] : [];
}

function ragged(row: RowView, expected: number, line: number): AssayError {
  return new AssayError('dataset_ragged', `row ${row.index} has ${row.count} cells where the header has ${expected}`, {
    why: `The row starts on line ${line}.`,
    hint: 'Add the missing cells or quote the cell that holds a delimiter.',
    details: { row: row.index, line, cells: row.count, expected },
  });
}

function tooManyRows(name: string): AssayError {
  return new AssayError('dataset_format', `${name} has more than ${limits.rows} rows`, {
    why: 'Rows are numbered in 32 bits.',
    hint: 'Split the file.',
  });
}
