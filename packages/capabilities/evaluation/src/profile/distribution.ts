import type { ColumnDistribution, DatasetColumn } from '@assay/contracts';
import { dateOrder } from '../data/date-cell.ts';
import { numberStyleOf, type NumberStyle } from '../data/number-style.ts';
import type { ReadProfile } from './profile-dataset.ts';

const BINS = 16;
const TOP_VALUES = 8;
const TOP_CHARACTERS = 80;

interface Weighted {
  readonly value: number;
  readonly text: string;
  readonly count: number;
}

/** How the values of a column are spread: from counts of all values, or of numbers with very many from a sample. */
export function distributionOf(profile: ReadProfile, column: DatasetColumn): ColumnDistribution {
  const { inferredType: type, dateForm } = column;
  if (column.nonNull === 0) return { kind: 'none' };
  if (type === 'integer' || type === 'number') return numbers(profile, column);
  if (!column.distinctExact) return { kind: 'many', rows: column.nonNull };
  if (type === 'date' && dateForm !== undefined && dateForm !== 'either') return dates(profile, column, dateForm);
  return topValues(profile, column);
}

function numbers(profile: ReadProfile, column: DatasetColumn): ColumnDistribution {
  const found = column.distinctExact
    ? counted(profile, column, (text, style) => Number(style?.plain(text) ?? text))
    : sampled(profile, column);
  if (found.length === 0) return { kind: 'none' };
  const { min, max, bins, rows } = binned(found);
  const mean = found.reduce((sum, { value, count }) => sum + value * (count / rows), 0);
  return { kind: 'numbers', min: min.value, max: max.value, mean, bins, rows, sampled: !column.distinctExact };
}

function dates(
  profile: ReadProfile,
  column: DatasetColumn,
  form: Exclude<NonNullable<DatasetColumn['dateForm']>, 'either'>,
): ColumnDistribution {
  const found = counted(profile, column, (text) => dateOrder(text, form) ?? Number.NaN);
  if (found.length === 0) return { kind: 'none' };
  const { min, max, bins, rows } = binned(found);
  return { kind: 'dates', first: min.text, last: max.text, bins, rows };
}

function topValues({ pass }: ReadProfile, column: DatasetColumn): ColumnDistribution {
  const entries = [...pass.stats[column.position]!.values.entries()].sort((a, b) => b.count - a.count);
  const top = entries.slice(0, TOP_VALUES).map(({ text, count }) => ({ value: shown(text), count }));
  const rows = entries.reduce((sum, { count }) => sum + count, 0);
  const inTop = top.reduce((sum, { count }) => sum + count, 0);
  return { kind: 'values', top, others: { values: entries.length - top.length, rows: rows - inTop }, rows };
}

/** A text that is too long to be a label is counted, but not kept. */
function shown(text: string | undefined): string {
  const characters = Array.from((text ?? '…').slice(0, TOP_CHARACTERS * 2));
  return characters.length > TOP_CHARACTERS ? `${characters.slice(0, TOP_CHARACTERS).join('')}…` : characters.join('');
}

function counted(
  { pass, facts }: ReadProfile,
  column: DatasetColumn,
  valueOf: (text: string, style: NumberStyle | undefined) => number,
): Weighted[] {
  const style = numberStyleOf(facts.shape);
  return [...pass.stats[column.position]!.values.entries()].flatMap(({ text, count }) => {
    const value = text === undefined ? Number.NaN : valueOf(text, style);
    return Number.isFinite(value) ? [{ value, text: text!, count }] : [];
  });
}

/** In the sample a text among numbers, such as - for an absent value, lies beyond them: it is told by its range. */
function sampled({ pass }: ReadProfile, column: DatasetColumn): Weighted[] {
  const hashes = pass.stats[column.position]!.placeholders.size > 0;
  const isText = (value: number) => hashes && value >= 2 ** 40 && value < 2 ** 40 + 2 ** 32;
  return [...pass.sample.column(column.position)].flatMap((value) =>
    Number.isFinite(value) && !isText(value) ? [{ value, text: '', count: 1 }] : [],
  );
}

function binned(values: readonly Weighted[]) {
  let min = values[0]!;
  let max = min;
  for (const one of values) {
    if (one.value < min.value) min = one;
    if (one.value > max.value) max = one;
  }
  const bins = Array.from({ length: binCount(values.length, min, max) }, () => 0);
  // Half of the width first: the width of two numbers at both ends of the range is no number.
  const half = max.value / 2 - min.value / 2;
  let rows = 0;
  for (const { value, count } of values) {
    const at = half === 0 ? 0 : Math.floor(((value / 2 - min.value / 2) / half) * bins.length);
    bins[Math.min(bins.length - 1, at)]! += count;
    rows += count;
  }
  return { min, max, bins, rows };
}

/** Whole numbers of a small range get a bin each. */
function binCount(different: number, min: Weighted, max: Weighted): number {
  if (min.value === max.value) return 1;
  const range = max.value - min.value + 1;
  return Number.isInteger(range) && different <= range && range <= BINS ? range : BINS;
}
