import { cellKind, classifyText } from '../cell-kind.ts';

export interface HeaderDoubt {
  /** That the first row holds names, 0 … 1. */
  readonly confidence: number;
  readonly why: string;
}

const numeric = new Set<number>([cellKind.integer, cellKind.number, cellKind.date]);

/** Undefined when the first row looks like names of columns. */
export function headerDoubt(rows: readonly (readonly string[])[]): HeaderDoubt | undefined {
  const [first, ...below] = rows;
  if (first === undefined || first.length === 0) return undefined;
  const kinds = first.map((cell) => classifyText(cell));
  if (kinds.every((kind) => kind === cellKind.integer || kind === cellKind.number))
    return { confidence: 0.2, why: `its first row is all numbers (${shown(first)})` };
  if (below.length < 3) return undefined;
  const numbers = first.flatMap((_, i) => (numeric.has(kinds[i]!) && allNumeric(below, i) ? [i] : []));
  const repeated = first.flatMap((cell, i) =>
    kinds[i] === cellKind.text && below.filter((row) => row[i] === cell).length >= 2 ? [i] : [],
  );
  if (numbers.length === 0 || repeated.length === 0 || numbers.length + repeated.length < first.length / 2)
    return undefined;
  return {
    confidence: 0.3,
    why: `its first row looks like the rows below: numbers stand over numbers, and "${first[repeated[0]!]!.slice(0, 40)}" stands again below`,
  };
}

function allNumeric(rows: readonly (readonly string[])[], column: number): boolean {
  return rows.every((row) => {
    const kind = classifyText(row[column] ?? '');
    return numeric.has(kind) || kind < cellKind.integer || kind === cellKind.placeholder;
  });
}

function shown(cells: readonly string[]): string {
  return `${cells.slice(0, 5).join(', ')}${cells.length > 5 ? ', …' : ''}`;
}
