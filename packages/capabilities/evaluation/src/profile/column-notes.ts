import { canonicalLabel } from '../data/typed-cell.ts';
import type { Roles } from './choose-roles.ts';
import type { ColumnStats } from './column-stats.ts';
import { labelNotes } from './label-notes.ts';
import { plainNumbersHint, recognisedText } from './number-texts.ts';

/** What a person should know of how the target and other columns were understood, in sentences. */
export function columnNotes(stats: readonly ColumnStats[], roles: Roles): string[] {
  return [...stats.flatMap((column) => numberTextNotes(column, roles)), ...targetNotes(stats, roles)];
}

function numberTextNotes(stats: ColumnStats, { target, task }: Roles): string[] {
  const column = stats.describe(0);
  const recognised = recognisedText(column);
  if (recognised === undefined) return [];
  const isClasses = column.name === target?.name && task === 'classification';
  const reading = isClasses ? 'they are text here, so that each is a class of its own' : 'they are handed on as text';
  return [`column "${column.name}" holds ${recognised}: ${reading}; to have numbers, ${plainNumbersHint(column)}`];
}

function targetNotes(stats: readonly ColumnStats[], { target, task }: Roles): string[] {
  const column = target === undefined ? undefined : stats[target.position];
  if (column === undefined || task !== 'classification') return [];
  const labels = [...column.values.entries()].flatMap(({ text, count }) =>
    text === undefined ? [] : [{ label: text, count }],
  );
  const notes = column.type === 'text' ? labelNotes(labels) : [];
  if (column.type !== 'boolean') return notes;
  const spelled = labels.filter(({ label }) => label !== canonicalLabel(label, 'boolean'));
  if (spelled.length === 0) return notes;
  const pairs = spelled.map(({ label }) => `${JSON.stringify(label)} as ${canonicalLabel(label, 'boolean')}`);
  return [...notes, `labels are compared in one spelling: ${pairs.join(', ')}`];
}
