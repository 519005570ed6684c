import { AssayError } from '@assay/foundation';
import type { DatasetColumn, ReadingOptions } from '@assay/contracts';
import { encodingBehind } from '../data/inspect/encoding-behind.ts';
import { inspectTable, type Inspection } from '../data/inspect/inspect-table.ts';
import { readTable, type TableFacts } from '../data/read-table.ts';
import type { RowView } from '../data/row-view.ts';
import { typedCell, type CellValue } from '../data/typed-cell.ts';
import { RowSample } from '../leakage/row-sample.ts';
import { ColumnStats } from './column-stats.ts';
import type { ProfileOptions } from './profile-dataset.ts';
import { CountBudget } from './value-counter.ts';

/** First rows that are kept to be shown. */
const FIRST_ROWS = 12;
const PREVIEW_CHARACTERS = 200;

export interface ProfiledTable {
  readonly inspection: Inspection;
  readonly pass: ProfilePass;
  readonly facts: TableFacts;
}

/**
 * Looks at a file and reads it once. When its first characters beyond ASCII come late and are not UTF-8, the encoding is
 * looked for there, and it is read again.
 */
export async function profilePass(
  path: string,
  options: ReadingOptions & Pick<ProfileOptions, 'signal'>,
): Promise<ProfiledTable> {
  const inspection = await inspectTable(path, options, options.signal);
  const [open] = inspection.questions;
  if (open !== undefined) throw open.refusal;
  try {
    return await onePass(path, inspection, options.signal);
  } catch (error) {
    if (options.encoding !== undefined || options.onBadBytes !== undefined || !(error instanceof AssayError))
      throw error;
    const found = await encodingBehind(path, inspection, error, options.signal);
    if (found === undefined) throw error;
    return onePass(path, found, options.signal);
  }
}

async function onePass(path: string, inspection: Inspection, signal: AbortSignal | undefined): Promise<ProfiledTable> {
  const pass = new ProfilePass();
  const facts = await readTable(path, {
    shape: inspection.shape,
    onHeader: (names) => pass.header(names),
    onRow: (row) => pass.row(row),
    signal,
  });
  return { inspection, pass, facts };
}

/** The state of one pass: statistics per column and the first rows. */
export class ProfilePass {
  readonly stats: ColumnStats[] = [];
  readonly sample = new RowSample();
  readonly #budget = new CountBudget();
  readonly #firstRows: (string | null)[][] = [];
  #rows = 0;

  /** Names the columns: before the first row in CSV, after the last in JSON. */
  header(names: readonly string[]): void {
    for (const [position, name] of names.entries()) {
      const known = this.stats[position];
      if (known === undefined) this.stats.push(new ColumnStats(name, this.#budget));
      else known.name = name;
    }
  }

  row(row: RowView): void {
    while (this.stats.length < row.count) this.stats.push(new ColumnStats('', this.#budget));
    const stats = this.stats;
    for (let column = 0; column < row.count; column += 1) stats[column]!.add(row, column);
    if (this.#rows < FIRST_ROWS) this.#firstRows.push(Array.from({ length: row.count }, (_, i) => row.text(i)));
    this.#rows += 1;
    this.sample.add(row);
  }

  /** The first rows, long texts cut. */
  firstRows(columns: readonly DatasetColumn[]): CellValue[][] {
    return this.#firstRows.map((cells) =>
      columns.map(({ inferredType }, i) => cut(typedCell(cells[i] ?? null, inferredType))),
    );
  }
}

function cut(value: CellValue): CellValue {
  if (typeof value !== 'string') return value;
  const characters = Array.from(value.slice(0, PREVIEW_CHARACTERS * 2));
  return characters.length > PREVIEW_CHARACTERS ? `${characters.slice(0, PREVIEW_CHARACTERS).join('')}…` : value;
}
