import { AssayError } from '@assay/foundation';
import type { ColumnType, DatasetColumn } from '@assay/contracts';
import { readTable } from './read-table.ts';
import type { RowView } from './row-view.ts';
import { shapeOf, type KnownTable } from './table-shape.ts';

/**
 * One more pass over a profiled file. Rejects with `dataset_changed` when its bytes are not those of the manifest; what
 * the callback did until then must not be used.
 */
export async function readKnownTable(
  table: KnownTable,
  onRow: (row: RowView) => void,
  options: { readonly path?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const { signal } = options;
  const facts = await readTable(options.path ?? table.path, {
    shape: shapeOf(table),
    placeholdersAbsent: table.columns.map(({ inferredType }) => inferredType !== 'text'),
    onRow,
    signal,
  });
  if (facts.sha256 === table.sha256) return;
  throw new AssayError('dataset_changed', `${table.name} is not the file that was profiled`, {
    why: `Its SHA-256 is ${facts.sha256}, the manifest says ${table.sha256}.`,
    hint: 'Put the original file back, or profile the new one.',
    details: { path: table.path, expected: table.sha256, found: facts.sha256 },
  });
}

/** The column that rows are grouped or ordered by, when there is one. Throws `column_missing` when it is not in the table. */
export function splitColumn(table: KnownTable, name: string | undefined): DatasetColumn | undefined {
  if (name === undefined) return undefined;
  const column = table.columns.find((candidate) => candidate.name === name);
  if (column !== undefined) return column;
  throw new AssayError('column_missing', `${table.name} has no column "${name}"`, {
    why: 'The rows are to be divided by it.',
    hint: 'Profile the data again.',
    details: { columns: table.columns.map((known) => known.name).slice(0, 1000) },
  });
}

export interface TargetColumn {
  readonly position: number;
  readonly type: ColumnType;
}

/** Place and type of the target. Throws `column_missing` when there is none. */
export function targetOf(table: KnownTable): TargetColumn {
  const column = table.columns.find(({ name }) => name === table.targetColumn);
  if (column !== undefined) return { position: column.position, type: column.inferredType };
  throw new AssayError('column_missing', `${table.name} has no target column`, {
    why: 'Without a target nothing can be measured.',
    hint: 'Name the target column.',
    details: { columns: table.columns.map(({ name }) => name).slice(0, 1000) },
  });
}
