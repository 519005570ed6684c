import { setImmediate } from 'node:timers/promises';
import { throwIfAborted } from '@assay/foundation';
import { targetsBesideRun, targetsInLines, type Comparison } from './beside-rows.ts';
import type { ColumnSample } from './column-sample.ts';
import { codedProbe, namedProbe, sharesOf } from './label-probe.ts';
import { columnOfLines, knownLines } from './known-lines.ts';
import { createKnownRows } from './known-rows.ts';
import { knownRuns } from './known-runs.ts';
import { numberProbe } from './number-probe.ts';
import { holdsProbe, type Probe, type Stretch, type Symbols } from './probe.ts';
import { joinPhrases, type SymbolBlock } from './symbol-block.ts';

/** Beginnings of probes that are searched for in lists, and at the other distances. */
const MANY = 6;
const FEW = 3;
/** Places of a line whose column may be the target: the first four and the last three. */
const targetPlaces = [0, 1, 2, 3, -1, -2, -3];
const FEWEST_LINES = 10;
const FEWEST_ROWS = 10;

/** How a column of the data set was found. */
export const columnReasons = {
  order: 'the targets of the data stand in it in the order of the rows, by their names or in a code',
  beside: 'rows of the data stand in it beside values that tell their targets',
} as const;

export type ColumnReason = (typeof columnReasons)[keyof typeof columnReasons];

export interface ColumnFinder {
  readonly kind: ColumnSample['kind'];
  /** False when the order of the targets tells too little: then only rows and what stands beside them can be found. */
  readonly knowsOrder: boolean;
  /** Looks at the symbols of a text. */
  inText(block: SymbolBlock, signal: AbortSignal): Promise<ColumnReason | undefined>;
  /** Looks at the values of an array; strides are the distances from one value of a column to the next. */
  inArray(stretch: Stretch, strides: readonly number[], signal: AbortSignal): Promise<ColumnReason | undefined>;
  /** Looks only for the order of the targets, in raw values at a distance of so many. */
  inRaw(values: Symbols, strides: readonly number[]): boolean;
}

/** Looks for the target of the data set apart from its rows: see the decision on copies. */
export function createColumnFinder(sample: ColumnSample): ColumnFinder {
  const comparison: Comparison = { sample, known: createKnownRows(sample), shares: sharesOf(sample) };
  const many = probesOf(sample, comparison.shares, MANY);
  const few = probesOf(sample, comparison.shares, FEW);
  const distances = distancesOf(sample.columns);

  function inOrder(stretch: Stretch, strides: readonly number[]): boolean {
    const apart = strides.filter((stride) => stride > 1);
    return holdsProbe(stretch, many, [1]) || holdsProbe(stretch, few, apart);
  }

  function inLines(block: SymbolBlock): boolean {
    if (few.length === 0 || block.lineCount < FEWEST_LINES) return false;
    return targetPlaces.some((place) => {
      const values = columnOfLines(block, place);
      return holdsProbe({ values, length: values.length }, few, [1]);
    });
  }

  function beside(stretch: Stretch): boolean {
    const { runs, orders } = knownRuns(stretch, comparison.known);
    if (runs.some((run) => targetsBesideRun(run, stretch, comparison))) return true;
    return orders.some((order) => {
      if (order.length < FEWEST_ROWS) return false;
      return holdsProbe(stretch, probesOf(reorderedSample(sample, order), comparison.shares, FEW), [1]);
    });
  }

  return {
    kind: sample.kind,
    knowsOrder: many.length > 0,
    async inText(block, signal) {
      joinPhrases(block, sample.phrases);
      const found = await this.inArray(block, distances, signal);
      if (found !== undefined) return found;
      if (inLines(block)) return columnReasons.order;
      await breathe(signal);
      return targetsInLines(knownLines(block, comparison.known), comparison) ? columnReasons.beside : undefined;
    },
    async inArray(stretch, strides, signal) {
      await breathe(signal);
      if (inOrder(stretch, strides)) return columnReasons.order;
      await breathe(signal);
      return beside(stretch) ? columnReasons.beside : undefined;
    },
    inRaw: (values, strides) => holdsProbe({ values, length: values.length }, few, strides),
  };
}

/** Lets others have the thread between two looks. */
async function breathe(signal: AbortSignal): Promise<void> {
  await setImmediate();
  throwIfAborted(signal);
}

/** Rows of a table that is written row by row lie so far apart: its columns, names of keys, a number of the row. */
function distancesOf(columns: number): number[] {
  const likely = [1, 2, 3, 4, 5, 6, columns - 1, columns, columns + 1, 2 * columns - 2, 2 * columns, 2 * columns + 1];
  return [...new Set(likely)].filter((distance) => distance > 0);
}

/** Probes that begin at evenly spread rows, those that are the same but once. */
function probesOf(
  sample: Pick<ColumnSample, 'kind' | 'targets' | 'parts' | 'labelSymbols'>,
  shares: Float64Array,
  most: number,
): Probe[] {
  const { kind, targets, parts, labelSymbols: symbols } = sample;
  const apart = Math.max(1, Math.floor(targets.length / most));
  const probes: Probe[] = [];
  for (let row = 0; row < targets.length; row += apart) {
    const end = parts.find((part) => part > row) ?? targets.length;
    const until = targets.subarray(0, end);
    if (kind === 'numbers') probes.push(...given(numberProbe(until, row)));
    else {
      const column = { labels: Int32Array.from(until, (label) => (Number.isNaN(label) ? -1 : label)), symbols };
      probes.push(...given(codedProbe(column, row, shares)), ...given(namedProbe(column, row, shares)));
    }
  }
  return probes;
}

function given<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

/** The sample's targets in another order of the rows. */
function reorderedSample(sample: ColumnSample, rows: readonly number[]): ColumnSample {
  return { ...sample, targets: Float64Array.from(rows, (row) => sample.targets[row]!), parts: [0, rows.length] };
}
