import { AssayError } from '@assay/foundation';
import type { DatasetColumn } from '@assay/contracts';
import { requireColumn } from './suggest-columns.ts';

/** What a person said of how rows may be divided. */
export interface SplitHints {
  readonly group?: string | undefined;
  readonly time?: string | undefined;
  readonly input?: readonly string[] | undefined;
}

export interface SplitColumns {
  readonly group: string | undefined;
  readonly time: string | undefined;
  readonly notes: readonly string[];
}

/**
 * Checks the columns that a split is made by. Throws `column_missing` and, for columns that cannot be used so,
 * `invalid_request`.
 */
export function splitColumns(
  columns: readonly DatasetColumn[],
  target: string | null,
  hints: SplitHints,
): SplitColumns {
  const { group, time } = hints;
  if (group !== undefined && time !== undefined)
    throw refused('a split is made by groups or by time, not by both', {
      why: 'Rows of one group can lie on both sides of every point in time.',
      hint: 'Say --group or --time.',
    });
  if (group !== undefined) checkGroup(requireColumn(columns, group, 'group'), target);
  if (time !== undefined) checkTime(requireColumn(columns, time, 'time'), target);
  const note =
    group === undefined || hints.input?.includes(group) === true
      ? []
      : [`"${group}" is not an input: it names the group of a row`];
  return { group, time, notes: note };
}

function checkGroup(column: DatasetColumn, target: string | null): void {
  if (column.name === target)
    throw refused(`"${column.name}" cannot be the group`, {
      why: 'It is the target: every label would stand on one side only.',
      hint: 'Name a column that says which rows belong together, such as a patient.',
    });
  if (column.distinctExact && column.distinct < 2)
    throw refused(`"${column.name}" cannot be the group`, {
      why: `It holds ${column.distinct} different values; a split needs at least two groups.`,
      hint: 'Name a column with more groups.',
    });
}

function checkTime(column: DatasetColumn, target: string | null): void {
  const { name, inferredType: type, dateForm } = column;
  if (name === target)
    throw refused(`"${name}" cannot be the time`, { why: 'It is the target.', hint: 'Name another column.' });
  if (dateForm === 'either')
    throw refused(`"${name}" cannot be the time`, {
      why: 'Its dates can be day/month or month/day, which gives different orders.',
      hint: 'Write its dates as year-month-day.',
    });
  if (type === 'integer' || type === 'number' || type === 'date') return;
  throw refused(`"${name}" cannot be the time`, {
    why: `Its values are ${type}, and only numbers and dates of one form have an order in time.`,
    hint: 'Write its times as year-month-day, with hh:mm:ss behind where needed, or as numbers.',
  });
}

function refused(what: string, rest: { readonly why: string; readonly hint: string }): AssayError {
  return new AssayError('invalid_request', what, rest);
}
