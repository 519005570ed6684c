import type { ReadingFinding } from '@assay/contracts';
import type { Inspection } from '../data/inspect/inspect-table.ts';
import { quoted } from '../data/inspect/sniff-delimiter.ts';
import type { TableFacts } from '../data/read-table.ts';
import { columnNotes } from './column-notes.ts';
import type { Roles } from './choose-roles.ts';
import type { ColumnStats } from './column-stats.ts';

export interface Profiled {
  readonly facts: TableFacts;
  readonly inspection: Inspection;
  readonly stats: readonly ColumnStats[];
  readonly roles: Roles;
  /** Rows that could be read. */
  readonly used: number;
}

/** Everything about the reading of the file that is not as one would expect, in sentences. */
export function warningsOf({ facts, inspection, stats, roles, used }: Profiled): string[] {
  const { badBytes, ragged } = facts.dropped;
  const missing = roles.target === undefined ? 0 : used - roles.target.nonNull;
  return [
    ...inspection.findings.map(findingText),
    ...facts.warnings,
    ...inspection.doubts,
    ...stats.flatMap((column) => columnWarnings(column, roles)),
    ...columnNotes(stats, roles),
    ...(badBytes > 0 ? [`${badBytes} rows hold bytes that cannot be decoded and are left out`] : []),
    ...(ragged > 0 ? [`${ragged} rows have more or fewer cells than the header and are left out`] : []),
    ...(missing > 0 ? [`${missing} rows have no target and are left out`] : []),
  ];
}

function findingText({ what, value, confidence, evidence }: ReadingFinding): string {
  const shown = what === 'delimiter' ? quoted(value) : value;
  return `${what} found: ${shown} (confidence ${confidence.toFixed(2)}): ${evidence.join('; ')}`;
}

function columnWarnings(column: ColumnStats, roles: Roles): string[] {
  const warnings: string[] = [];
  if (column.missingTexts > 0)
    warnings.push(`column "${column.name}": ${column.missingTexts} cells such as NA or null were read as missing`);
  if (column.type === 'text' && column.placeholders.size > 0) {
    const texts = [...column.placeholders].map(([text, count]) => `"${text}" in ${count} rows`).join(', ');
    const what = column.name === roles.target?.name ? 'a label' : 'a text';
    warnings.push(
      `column "${column.name}": ${texts} is read as ${what} like any other; say --missing to read it as missing`,
    );
  }
  if (column.describe(0).dateForm === 'either')
    warnings.push(`column "${column.name}": its dates can be day/month or month/day; they are handed on as text`);
  return warnings;
}
