import type { DatasetManifest } from '@assay/contracts';
import { readKnownTable, type RowView } from '@assay/evaluation';
import { symbolOf, symbolOfTokens, tokensOf } from '../text-tokens.ts';

/** Data of so many rows is taken whole; of more, this many parts of consecutive rows. */
const MOST_ROWS = 4096;
const PARTS = 8;
const MOST_LABELS = 1000;
const MOST_FEATURES = 64;
const LONGEST_CELL = 1000;

/** The values of one row but its target, as symbols with their columns; each symbol once. */
export interface RowFeatures {
  readonly symbols: Float64Array;
  readonly columns: Int32Array;
}

/** A label that is more than one word. */
export interface Phrase {
  readonly words: Float64Array;
  /** What it becomes in a text whose phrases are joined. */
  readonly symbol: number;
}

/** Rows of the data set, by which its columns are searched for. */
export interface ColumnSample {
  readonly kind: 'labels' | 'numbers';
  /** Of each row: the number of its label or its value; NaN where it is missing. */
  readonly targets: Float64Array;
  /** First row of each part within which rows are consecutive, and at last the number of rows. */
  readonly parts: readonly number[];
  readonly rows: readonly RowFeatures[];
  /** The symbol of each label; of numbers, none. */
  readonly labelSymbols: Float64Array;
  readonly phrases: readonly Phrase[];
  /** Columns of the data set. */
  readonly columns: number;
}

/**
 * Up to 4,096 rows: all of them, or eight parts of 512 consecutive rows. Undefined without a target, and for more than
 * 1,000 labels.
 */
export async function columnSample(manifest: DatasetManifest, signal: AbortSignal): Promise<ColumnSample | undefined> {
  const target = manifest.columns.find((column) => column.name === manifest.targetColumn);
  if (target === undefined) return undefined;
  const kind = manifest.suggestedTask === 'regression' ? 'numbers' : 'labels';
  const labels = new Map<string, number>();
  const targets: number[] = [];
  const rows: RowFeatures[] = [];
  const parts: number[] = [];
  let lastPart = -1;
  await readKnownTable(
    manifest,
    (row) => {
      const part = partOf(row.index, manifest.rowCount);
      if (part === undefined) return;
      if (part !== lastPart) parts.push(targets.length);
      lastPart = part;
      targets.push(targetOf(row.text(target.position), kind, labels));
      rows.push(featuresOf(row, manifest, target.position));
    },
    { signal },
  );
  if (labels.size > MOST_LABELS) return undefined;
  const words = [...labels.keys()].map(tokensOf);
  return {
    kind,
    targets: Float64Array.from(targets),
    parts: [...parts, targets.length],
    rows,
    labelSymbols: Float64Array.from(words, symbolOfTokens),
    phrases: words
      .filter((tokens) => tokens.length > 1)
      .map((tokens) => ({ words: Float64Array.from(tokens, symbolOf), symbol: symbolOfTokens(tokens) })),
    columns: manifest.columns.length,
  };
}

function partOf(row: number, rowCount: number): number | undefined {
  if (rowCount <= MOST_ROWS) return 0;
  const apart = rowCount / PARTS;
  const part = Math.floor(row / apart);
  return row - Math.ceil(part * apart) < MOST_ROWS / PARTS ? part : undefined;
}

function targetOf(text: string | null, kind: ColumnSample['kind'], labels: Map<string, number>): number {
  if (text === null) return Number.NaN;
  if (kind === 'numbers') return Number(text);
  const label = labels.get(text);
  if (label !== undefined) return label;
  if (labels.size <= MOST_LABELS) labels.set(text, labels.size);
  return labels.get(text) ?? Number.NaN;
}

function featuresOf(row: RowView, manifest: DatasetManifest, target: number): RowFeatures {
  const found = new Map<number, number>();
  for (const { position } of manifest.columns) {
    if (found.size >= MOST_FEATURES) break;
    if (position === target) continue;
    for (const token of tokensOf((row.text(position) ?? '').slice(0, LONGEST_CELL))) {
      const symbol = symbolOf(token);
      if (found.size < MOST_FEATURES && !found.has(symbol)) found.set(symbol, position);
    }
  }
  return { symbols: Float64Array.from(found.keys()), columns: Int32Array.from(found.values()) };
}
