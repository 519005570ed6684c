import { AssayError } from '@assay/foundation';
import type { DataEncoding, ReadingOptions } from '@assay/contracts';
import { BadRows } from './bad-rows.ts';
import { CsvReader } from './csv-reader.ts';
import { DataFile } from './data-file.ts';
import { decoderOf } from './decode/decoder-of.ts';
import type { FormatReader } from './format-reader.ts';
import { byteOrderMark } from './inspect/detect-encoding.ts';
import { inspectTable } from './inspect/inspect-table.ts';
import { JsonTableReader } from './json-table-reader.ts';
import { limits } from './limits.ts';
import type { RowView } from './row-view.ts';
import type { TableShape } from './table-shape.ts';
import { contentOf } from './unpack/content.ts';

export interface ReadTableOptions {
  /** Known from an earlier pass or look; else found by looking at the file. */
  readonly shape?: TableShape;
  /** What is said of the reading when the shape is not known. */
  readonly reading?: ReadingOptions;
  /** Columns in which a placeholder such as - is an absent value; in the kinds of cells it is told apart when absent. */
  readonly placeholdersAbsent?: readonly boolean[];
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
  /** Rows of the file, also those that were left out. */
  readonly rows: number;
  readonly dropped: { readonly badBytes: number; readonly ragged: number };
  readonly sha256: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly warnings: readonly string[];
}

/**
 * Reads a table once from front to end in constant memory, hashing its bytes on the way. Throws an AssayError with a
 * `dataset_*` code that names row and reason for everything that is no table, or cannot be told for sure.
 */
export async function readTable(path: string, options: ReadTableOptions): Promise<TableFacts> {
  const shape = options.shape ?? (await lookedUp(path, options));
  await using file = await DataFile.open(path);
  const pass = new TablePass(file.name, shape, options);
  for await (const chunk of contentOf(file, shape, options.signal)) pass.add(chunk);
  pass.finish();
  const sha256 = await file.finish();
  return {
    path: file.path,
    name: file.name,
    shape,
    ...pass.facts(),
    sha256,
    size: file.size,
    mtimeMs: file.mtimeMs,
  };
}

async function lookedUp(path: string, { reading, signal }: ReadTableOptions): Promise<TableShape> {
  const { shape, questions } = await inspectTable(path, reading, signal);
  const [open] = questions;
  if (open !== undefined) throw open.refusal;
  return shape;
}

/** Longest byte order mark. */
const MARK_BYTES = 4;

/** Decoder and reader of one pass over the unpacked bytes. */
class TablePass {
  readonly #name: string;
  readonly #shape: TableShape;
  readonly #options: ReadTableOptions;
  #first: Buffer | undefined = Buffer.alloc(0);
  #mark = false;
  #decode: ((chunk: Buffer) => void) | undefined;
  #finish: (() => void) | undefined;
  #reader: FormatReader | undefined;
  #bad: BadRows | undefined;

  constructor(name: string, shape: TableShape, options: ReadTableOptions) {
    this.#name = name;
    this.#shape = shape;
    this.#options = options;
  }

  add(chunk: Buffer): void {
    if (this.#first !== undefined) {
      this.#first = Buffer.concat([this.#first, chunk]);
      if (this.#first.length < MARK_BYTES) return;
      this.#begin();
      return;
    }
    this.#decode!(chunk);
    if (this.#reader!.rows > limits.rows) throw tooManyRows(this.#name);
  }

  finish(): void {
    if (this.#first !== undefined) this.#begin();
    this.#finish!();
  }

  facts(): Pick<TableFacts, 'bom' | 'columns' | 'rows' | 'dropped' | 'warnings'> {
    const reader = this.#reader!;
    return {
      bom: this.#mark,
      columns: reader.columns,
      rows: reader.rows,
      dropped: { badBytes: this.#bad!.dropped, ragged: reader.ragged },
      warnings: reader.warnings,
    };
  }

  /** Skips a byte order mark, which is known to be there or not once four bytes are. */
  #begin(): void {
    const first = this.#first!;
    this.#first = undefined;
    const { encoding } = this.#shape;
    const skip = markLength(first, encoding);
    this.#mark = skip > 0;
    const decoder = decoderOf(encoding, skip);
    const bad = new BadRows(decoder, { name: this.#name, encoding, drop: this.#shape.onBadBytes === 'drop-rows' });
    const { onHeader, onRow, placeholdersAbsent } = this.#options;
    const options = { onHeader, onRow, placeholdersAbsent, dropRagged: this.#shape.onRagged === 'drop-rows' };
    const isJson = this.#shape.format === 'json' || this.#shape.format === 'jsonl';
    const reader = isJson ? new JsonTableReader(this.#shape, options, bad) : new CsvReader(this.#shape, options, bad);
    this.#bad = bad;
    this.#reader = reader;
    this.#decode = (chunk) => reader.feed(decoder.decode(chunk));
    this.#finish = () => {
      reader.feed(decoder.finish());
      reader.finish();
    };
    this.#decode(first.subarray(skip));
  }
}

function markLength(first: Buffer, encoding: DataEncoding): number {
  const mark = byteOrderMark(first);
  return mark?.encoding === encoding ? mark.length : 0;
}

function tooManyRows(name: string): AssayError {
  return new AssayError('dataset_format', `${name} has more than ${limits.rows} rows`, {
    why: 'Rows are numbered in 32 bits.',
    hint: 'Split the file.',
  });
}
