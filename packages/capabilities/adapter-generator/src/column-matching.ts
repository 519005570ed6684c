import type { ColumnType } from '@assay/contracts';
import type { DatasetShape, InputColumn } from './candidate.ts';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** The input columns with their types, in the order of the file. */
export function inputsOf(dataset: DatasetShape): Column[] {
  const wanted = new Set(dataset.inputColumns);
  return dataset.columns
    .filter((column) => wanted.has(column.name))
    .map((column) => ({ name: column.name, type: column.inferredType }));
}

export function isNumeric(column: Column): boolean {
  return column.type === 'integer' || column.type === 'number' || column.type === 'boolean';
}

/** `Petal length (cm)` and `petal_length_cm` are the same name. */
export function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * The column that a name in the code means: the same name, the same letters and digits, or (when nothing else fits and
 * only one does) the column whose name begins with it, such as `bill_length` for `bill_length_mm`.
 */
export function matchColumn(name: string, columns: readonly Column[]): Column | undefined {
  const exact = columns.find((column) => column.name === name);
  if (exact !== undefined) return exact;
  const plain = plainName(name);
  const same = columns.filter((column) => plainName(column.name) === plain);
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  if (plain.length < 4) return undefined;
  const unit = withoutUnit(name);
  const bare = unit === undefined ? [] : columns.filter((column) => plainName(column.name) === plainName(unit));
  if (bare.length === 1) return bare[0];
  const longer = columns.filter((column) => plainName(column.name).startsWith(plain));
  return longer.length === 1 ? longer[0] : undefined;
}

/** `weight` of `weight_kg`: a column that names no unit is taken to be in the one that the code wants; a note says so. */
export function withoutUnit(name: string): string | undefined {
  return /^(\w{3,})_(kg|g|mg|lbs?|km|m|cm|mm|inch|ft|s|sec|ms|min|hours|years|days|usd|eur|percent|pct|c|f|k|deg|rad)$/.exec(
    name,
  )?.[1];
}

export function asInput(column: Column, as: string = column.name): InputColumn {
  return { column: column.name, as, type: column.type };
}

const textNames =
  /^(text|texts|sentence|document|content|message|review|comment|tweet|body|question|prompt|input|title|headline|description|query|utterance|abstract)$/i;

/** The one column that holds texts: the only one, or the only one that is named like it. */
export function textColumn(columns: readonly Column[]): Column | undefined {
  const texts = columns.filter((column) => column.type === 'text');
  if (texts.length <= 1) return texts[0];
  const named = texts.filter((column) => textNames.test(column.name));
  return named.length === 1 ? named[0] : undefined;
}
