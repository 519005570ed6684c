import { assertNever } from '@assay/foundation';
import type { ColumnType } from '@assay/contracts';

export type CellValue = string | number | boolean | null;

/** A cell's text as a value of its column's type. The text must be of that type, which a profile has established. */
export function typedCell(text: string | null, type: ColumnType): CellValue {
  if (text === null) return null;
  switch (type) {
    case 'integer':
    case 'number':
      return Number(text) + 0; // −0 becomes 0
    case 'boolean':
      return text.trim().toLowerCase() === 'true';
    case 'text':
    case 'date':
    case 'unknown':
      return text;
    default:
      return assertNever(type, 'column type');
  }
}

/**
 * The canonical text of a label, by which labels are compared: numbers as JavaScript writes them (shortest form that
 * reads back the same), booleans as true or false, text exactly as it stands.
 */
export function canonicalLabel(text: string, type: ColumnType): string {
  return String(typedCell(text, type));
}

/** Order of labels: by value for numbers, else by UTF-16 code units. */
export function compareLabels(type: ColumnType): (a: string, b: string) => number {
  if (type === 'integer' || type === 'number') return (a, b) => Number(a) - Number(b);
  return (a, b) => (a < b ? -1 : a > b ? 1 : 0);
}
