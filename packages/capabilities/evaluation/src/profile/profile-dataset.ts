import { AssayError } from '@assay/foundation';
import type { DatasetColumn, DatasetFormat, DatasetManifest } from '@assay/contracts';
import { readTable, type TableFacts } from '../data/read-table.ts';
import type { RowView } from '../data/row-view.ts';
import { typedCell, type CellValue } from '../data/typed-cell.ts';
import { chooseRoles, type RoleHints, type Roles } from './choose-roles.ts';
import { ColumnStats } from './column-stats.ts';
import { labelCounts } from './target-check.ts';
import { CountBudget } from './value-counter.ts';

export interface ProfileOptions extends RoleHints {
  readonly signal?: AbortSignal | undefined;
}

const PREVIEW_ROWS = 3;
const PREVIEW_CHARACTERS = 200;

/**
 * Reads a data file once, in constant memory, and says what is in it: columns with types and counts, target, inputs and
 * task with reasons, hash, preview and warnings. Throws AssayErrors `dataset_*`, `column_missing`, `target_unsuitable`.
 */
export async function profileDataset(path: string, options: ProfileOptions = {}): Promise<DatasetManifest> {
  const pass = new ProfilePass();
  const facts = await readTable(path, {
    onHeader: (names) => pass.header(names),
    onRow: (row) => pass.row(row),
    signal: options.signal,
  });
  if (facts.rows === 0) throw noRows(facts);
  pass.header(facts.columns);
  const columns = pass.stats.map((column, position) => column.describe(position));
  if (columns.length === 0) throw noColumns(facts);
  const roles = chooseRoles(columns, facts.rows, options);
  return {
    v: 1,
    name: facts.name,
    path: facts.path,
    format: facts.shape.format,
    encoding: 'utf-8',
    bom: facts.bom,
    ...(facts.shape.delimiter === undefined ? {} : { delimiter: facts.shape.delimiter }),
    sha256: facts.sha256,
    size: facts.size,
    mtimeMs: facts.mtimeMs,
    rowCount: facts.rows,
    columns,
    inputColumns: [...roles.inputs],
    targetColumn: roles.target?.name ?? null,
    suggestedTask: roles.task,
    ...labelsOf(roles, pass.stats, facts.shape.format),
    confidence: roles.confidence,
    reasons: [...roles.reasons],
    excludedRows: { missingTarget: roles.target === undefined ? 0 : facts.rows - roles.target.nonNull },
    preview: pass.preview(columns),
    warnings: warningsOf(facts, pass.stats, roles),
  };
}

/** The state of one pass: statistics per column and the first rows. */
class ProfilePass {
  readonly stats: ColumnStats[] = [];
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
    if (this.#rows < PREVIEW_ROWS) this.#firstRows.push(Array.from({ length: row.count }, (_, i) => row.text(i)));
    this.#rows += 1;
  }

  preview(columns: readonly DatasetColumn[]): CellValue[][] {
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

function labelsOf(roles: Roles, stats: readonly ColumnStats[], format: DatasetFormat): Pick<DatasetManifest, 'labels'> {
  if (roles.task !== 'classification' || roles.target === undefined) return {};
  const column = stats[roles.target.position]!;
  if (column.mixed && (format === 'json' || format === 'jsonl')) throw mixedLabels(column.name);
  return { labels: [...labelCounts(roles.target, column.values)] };
}

function warningsOf(facts: TableFacts, stats: readonly ColumnStats[], roles: Roles): string[] {
  const warnings = [...facts.warnings];
  for (const column of stats)
    if (column.missingTexts > 0)
      warnings.push(`column "${column.name}": ${column.missingTexts} cells such as NA or null were read as missing`);
  if (facts.shape.format === 'csv' && facts.shape.delimiter !== ',')
    warnings.push(`cells are separated by ${JSON.stringify(facts.shape.delimiter)}, not by commas`);
  const missing = roles.target === undefined ? 0 : facts.rows - roles.target.nonNull;
  if (missing > 0) warnings.push(`${missing} rows have no target and are left out`);
  return warnings;
}

function noRows(facts: TableFacts): AssayError {
  return new AssayError('dataset_no_rows', `${facts.name} has no rows of data`, {
    why:
      facts.columns.length > 0
        ? `It has only a header (${facts.columns.slice(0, 10).join(', ')}).`
        : 'It holds no row.',
    hint: 'Give a file with at least one row of data below the header.',
    details: { path: facts.path },
  });
}

function noColumns(facts: TableFacts): AssayError {
  return new AssayError('dataset_format', `${facts.name} has no columns`, {
    why: 'Its rows are objects without keys.',
    hint: 'Write each row as {"column": value, …}.',
    details: { path: facts.path },
  });
}

function mixedLabels(name: string): AssayError {
  return new AssayError('target_unsuitable', `the column "${name}" cannot be the target`, {
    why: 'It mixes texts with numbers or booleans, and the text "5" could not be told from the number 5.',
    hint: 'Write all labels as texts, or all as numbers.',
    details: { column: name },
  });
}
