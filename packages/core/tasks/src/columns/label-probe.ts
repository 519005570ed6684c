import { BITS_THAT_PROVE, labelBits } from './information.ts';
import type { Probe, Symbols } from './probe.ts';

/** Labels that are so many are told apart by their own names alone. */
const MOST_CODED = 64;

export interface LabelColumn {
  /** Number of each row's label, −1 where it is missing. */
  readonly labels: Int32Array;
  /** The symbol of each label as the data writes it. */
  readonly symbols: Float64Array;
}

/** How often each label occurs, as a share of all. */
export function sharesOf({
  targets,
  labelSymbols,
}: {
  readonly targets: Float64Array;
  readonly labelSymbols: Float64Array;
}): Float64Array {
  const counts = new Float64Array(labelSymbols.length);
  for (const label of targets) if (!Number.isNaN(label)) counts[label]!++;
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => count / Math.max(1, total));
}

/**
 * A part of the target's column that tells enough, from a row on: found again wherever each label is always written
 * the same way and no two labels alike, whatever they are called there. Undefined when the rest of the column tells
 * too little, or a label is missing on the way.
 */
export function codedProbe(column: LabelColumn, from: number, shares: Float64Array): Probe | undefined {
  const start = firstPair(column.labels, from);
  const labels = untilMissing(column.labels, start);
  const length = labelBits(labels, shares).findIndex((bits) => bits >= BITS_THAT_PROVE) + 1;
  if (length === 0) return undefined;
  const wanted = labels.slice(0, length);
  const ids = [...new Set(wanted)];
  if (ids.length > MOST_CODED) return undefined;
  const order = wanted.map((label) => ids.indexOf(label));
  const codes = new Float64Array(ids.length);
  const opening = { kind: order[0] === order[1] && order[0] !== order[2] ? 'pair' : 'any' } as const;
  return { length, opening, standsAt: (values, at, stride) => isCoded(values, { at, stride, order, codes }) };
}

/** A part of the column that tells enough when every label is written as in the data. */
export function namedProbe(column: LabelColumn, from: number, shares: Float64Array): Probe | undefined {
  const labels = untilMissing(column.labels, from);
  const repeats = labelBits(labels, shares);
  const seen = new Set<number>();
  let first = 0;
  const length =
    labels.findIndex((label, at) => {
      if (!seen.has(label)) first += -Math.log2(shares[label]!);
      seen.add(label);
      return first + repeats[at]! >= BITS_THAT_PROVE;
    }) + 1;
  if (length === 0 || seen.size < 3) return undefined;
  const wanted = Float64Array.from(labels.subarray(0, length), (label) => column.symbols[label]!);
  return {
    length,
    opening: { kind: 'any' },
    standsAt: (values, at, stride) => isWritten(values, { at, stride, wanted }),
  };
}

interface Coded {
  readonly at: number;
  readonly stride: number;
  /** Labels numbered in the order of their first occurrence. */
  readonly order: Int32Array;
  /** Room for the code of each. */
  readonly codes: Float64Array;
}

function isCoded(values: Symbols, { at, stride, order, codes }: Coded): boolean {
  let known = 0;
  for (let step = 0, place = at; step < order.length; step++, place += stride) {
    const value = values[place]!;
    const label = order[step]!;
    if (label < known) {
      if (codes[label] !== value) return false;
      continue;
    }
    for (let other = 0; other < known; other++) if (codes[other] === value) return false;
    codes[known++] = value;
  }
  return true;
}

interface Written {
  readonly at: number;
  readonly stride: number;
  readonly wanted: Float64Array;
}

function isWritten(values: Symbols, { at, stride, wanted }: Written): boolean {
  for (let step = 0, place = at; step < wanted.length; step++, place += stride)
    if (values[place] !== wanted[step]) return false;
  return true;
}

/** The first row from which a label stands twice and then another; without one, the last row before a change. */
function firstPair(labels: Int32Array, from: number): number {
  for (let at = from; at + 2 < labels.length; at++)
    if (labels[at] === labels[at + 1] && labels[at] !== labels[at + 2]) return at;
  let at = from;
  while (at + 1 < labels.length && labels[at] === labels[at + 1]) at++;
  return at;
}

function untilMissing(labels: Int32Array, from: number): Int32Array {
  const missing = labels.indexOf(-1, from);
  return labels.subarray(from, missing === -1 ? labels.length : missing);
}
