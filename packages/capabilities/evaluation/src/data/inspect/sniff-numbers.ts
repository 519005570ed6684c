import { cellKind, classifyText } from '../cell-kind.ts';
import type { NumberMarks } from '../number-style.ts';

export interface NumbersGuess {
  readonly marks: NumberMarks;
  readonly evidence: readonly string[];
  /** A column that could be numbers in two ways, and stays text. */
  readonly doubt?: string;
}

const DECIMAL_COMMA = /^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+)?(?:,\d+)?$/;
const GROUPED_COMMA = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,3})(?:\.\d+)?$/;
const POINT = /^[+-]?\d*\.\d+$/;
/** A comma before three digits can be either. */
const EITHER = /^[+-]?\d{1,3},\d{3}$/;

/**
 * How numbers are written, by the columns of the first rows: decimal commas when a column holds numbers with a comma
 * that does not part groups of three digits, thousands commas when one holds numbers that cannot be read otherwise.
 */
export function sniffNumbers(rows: readonly (readonly string[])[], header: boolean): NumbersGuess {
  const usual: NumberMarks = { decimal: '.' };
  const body = header ? rows.slice(1) : rows;
  const columns =
    rows[0]?.map((name, i) => ({ name: header ? name : `column ${i + 1}`, cells: cellsOf(body, i) })) ?? [];
  const withComma = columns.filter(({ cells }) => cells.filter((cell) => /\d,\d|^[+-]?,\d/.test(cell)).length >= 2);
  const commas = withComma.filter(({ cells }) => fits(cells, DECIMAL_COMMA) && !cells.every(couldBeEither));
  const groups = withComma.filter(({ cells }) => fits(cells, GROUPED_COMMA) && cells.some(cannotBeDecimal));
  const points = columns.some(({ cells }) => cells.length >= 2 && fits(cells, POINT));
  if (commas.length > 0 && groups.length === 0 && !points) {
    const grouped = commas.some(({ cells }) => cells.some((cell) => /\d\.\d{3}/.test(cell)));
    return {
      marks: grouped ? { decimal: ',', thousands: '.' } : { decimal: ',' },
      evidence: commas.slice(0, 3).map(({ name, cells }) => evidence(name, cells, 'a decimal comma')),
    };
  }
  if (groups.length > 0 && commas.length === 0)
    return {
      marks: { decimal: '.', thousands: ',' },
      evidence: groups.slice(0, 3).map(({ name, cells }) => evidence(name, cells, 'commas between thousands')),
    };
  const unclear = withComma.find(({ cells }) => fits(cells, DECIMAL_COMMA) || fits(cells, GROUPED_COMMA));
  if (unclear === undefined) return { marks: usual, evidence: [] };
  const example = unclear.cells.find((cell) => cell.includes(','))!;
  return {
    marks: usual,
    evidence: [],
    doubt: `column "${unclear.name}" is read as text: ${example} can be a number with a decimal comma or with thousands; say --decimal , or --thousands , to read it as numbers`,
  };
}

function cellsOf(rows: readonly (readonly string[])[], column: number): readonly string[] {
  return rows.map((row) => row[column]?.trim() ?? '').filter((cell) => cell !== '');
}

function fits(cells: readonly string[], pattern: RegExp): boolean {
  return cells.length > 0 && cells.every((cell) => pattern.test(cell) || isAbsent(cell));
}

function isAbsent(cell: string): boolean {
  const kind = classifyText(cell);
  return kind === cellKind.missing || kind === cellKind.placeholder;
}

function couldBeEither(cell: string): boolean {
  return EITHER.test(cell) || !cell.includes(',');
}

function cannotBeDecimal(cell: string): boolean {
  return /,\d{3},/.test(cell) || /,\d{3}\.\d/.test(cell);
}

function evidence(name: string, cells: readonly string[], what: string): string {
  const examples = cells.filter((cell) => cell.includes(',')).slice(0, 2);
  return `column "${name}" holds numbers with ${what}, such as ${examples.join(' and ')}`;
}
