import { isValue } from '../data/cell-kind.ts';
import { GroupCodes } from '../data/group-codes.ts';
import { readKnownTable, splitColumn, targetOf } from '../data/manifest-reader.ts';
import type { KnownTable } from '../data/table-shape.ts';
import { canonicalLabel } from '../data/typed-cell.ts';
import type { ColumnType, EvaluationTask } from '@assay/contracts';
import { AssayError } from '@assay/foundation';

/** The original answers of some rows, in the order of those rows. */
export interface Targets {
  readonly task: Exclude<EvaluationTask, 'inference'>;
  readonly rows: Uint32Array;
  readonly type: ColumnType;
  /** Classification: canonical labels. */
  readonly labels?: readonly string[];
  /** Regression. */
  readonly values?: Float64Array;
  /** The group number of each row, when the table has a column of groups. */
  readonly groups?: Uint32Array;
}

export interface ReadTargetsOptions {
  /** Where the bytes are when not at the table's own path, such as a kept copy. */
  readonly path?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Joins row numbers with the answers that stand in the original file, streaming it. Throws `dataset_changed` when the
 * file is not byte for byte the profiled one, `predictions_out_of_range` when a row has no answer.
 */
export async function readTargets(
  table: KnownTable & { readonly suggestedTask: EvaluationTask },
  rows: Uint32Array,
  options: ReadTargetsOptions = {},
): Promise<Targets> {
  const { position, type } = targetOf(table);
  const task = table.suggestedTask === 'regression' ? 'regression' : 'classification';
  const labels: string[] = [];
  const values = new Float64Array(task === 'regression' ? rows.length : 0);
  const interned = new Map<string, string>();
  const group = splitColumn(table, table.groupColumn);
  const groupCodes = group === undefined ? undefined : new GroupCodes(group);
  const groups = new Uint32Array(group === undefined ? 0 : rows.length);
  let next = 0;
  await readKnownTable(
    table,
    (row) => {
      if (row.index !== rows[next] || !isValue(row.kind(position))) return;
      const text = row.text(position)!;
      if (task === 'regression') values[next] = Number(text);
      else labels.push(intern(interned, canonicalLabel(text, type)));
      if (groupCodes !== undefined) groups[next] = groupCodes.codeOf(row);
      next += 1;
    },
    options,
  );
  if (next !== rows.length)
    throw new AssayError('predictions_out_of_range', `row ${rows[next]} has no target in ${table.name}`, {
      why: 'It lies behind the end of the file, its target is missing, or the rows are not ascending.',
      hint: 'Use the rows that were handed out when the data was prepared.',
      details: { row: rows[next] },
    });
  const grouped = group === undefined ? {} : { groups };
  return { task, rows, type, ...(task === 'regression' ? { values } : { labels }), ...grouped };
}

function intern(known: Map<string, string>, label: string): string {
  const same = known.get(label);
  if (same !== undefined) return same;
  known.set(label, label);
  return label;
}
