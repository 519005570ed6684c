import stringWidth from 'string-width';
import { padEnd, padStart } from './width.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/** Aligned columns with two spaces between them. Cells are measured as the terminal shows them, colours and all. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, at) =>
    Math.max(stringWidth(column.title), ...rows.map((row) => stringWidth(row[at] ?? ''))),
  );
  const line = (cells: readonly string[]) =>
    columns
      .map((column, at) => (column.align === 'right' ? padStart : padEnd)(cells[at] ?? '', widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(columns.map((column) => column.title)), ...rows.map(line)].map((text) => `${text}\n`).join('');
}
