import { labelsAgree, numbersAgree, type Pairs } from './agreement.ts';
import type { ColumnSample } from './column-sample.ts';
import { linePlaces, type Sightings } from './known-lines.ts';
import type { KnownRows } from './known-rows.ts';
import type { KnownRun } from './known-runs.ts';
import type { Stretch } from './probe.ts';

/** What a comparison of known rows with what stands beside them needs. */
export interface Comparison {
  readonly sample: ColumnSample;
  readonly known: KnownRows;
  /** Of all rows, how many have each label. */
  readonly shares: Float64Array;
}

/** A place tells nothing new when so many of the codes there are values of the row that the data hands out. */
const OWN_FEATURES = 0.95;
const OF_ONE_COLUMN = 0.5;

/** Whether the lines that hold rows of the data also hold, always at the same place, what tells their targets. */
export function targetsInLines(lines: Sightings, comparison: Comparison): boolean {
  return linePlaces.some((place) => tellsTargets(lines.rows, (at) => lines.codeAt(at, place), comparison));
}

/** Whether values as far from one another as those of the run tell the targets of its rows: another column. */
export function targetsBesideRun(run: KnownRun, { values, length }: Stretch, comparison: Comparison): boolean {
  const { sample } = comparison;
  const wanted = Float64Array.from(run.rows, (row) => sample.targets[row]!);
  if (new Set(wanted).size < 2) return false;
  const mayStand = sample.kind === 'labels' ? labelsMayStand(run, wanted) : numbersMayStand(run, wanted);
  const last = length - 1 - run.places.at(-1)!;
  for (let offset = -run.places[0]!; offset <= last; offset++)
    if (mayStand(values, offset) && tellsTargets(run.rows, (at) => values[run.places[at]! + offset]!, comparison))
      return true;
  return false;
}

function tellsTargets(rows: Int32Array, codeOf: (at: number) => number, comparison: Comparison): boolean {
  const { sample, shares } = comparison;
  const pairs = { codes: new Float64Array(rows.length), targets: new Float64Array(rows.length), length: 0 };
  for (const [at, row] of rows.entries()) {
    const code = codeOf(at);
    const target = sample.targets[row]!;
    if (Number.isNaN(code) || Number.isNaN(target)) continue;
    pairs.codes[pairs.length] = code;
    pairs.targets[pairs.length++] = target;
  }
  const agree = sample.kind === 'labels' ? labelsAgree(pairs, shares) : numbersAgree(pairs);
  return agree && !areFeatures(rows, codeOf, comparison);
}

function areFeatures(rows: Int32Array, codeOf: (at: number) => number, { known }: Comparison): boolean {
  const byColumn = new Map<number, number>();
  let features = 0;
  for (const [at, row] of rows.entries()) {
    const column = known.columnOf(row, codeOf(at));
    if (column === undefined) continue;
    features++;
    byColumn.set(column, (byColumn.get(column) ?? 0) + 1);
  }
  const most = Math.max(0, ...byColumn.values());
  return features >= OWN_FEATURES * rows.length && most >= OF_ONE_COLUMN * rows.length;
}

type Look = (values: Stretch['values'], offset: number) => boolean;

const LOOKED_AT = 32;
const MOST_DISSENT = 2;

/** A quick look at the first rows: each label has one code but for two mistakes, and no two labels share one. */
function labelsMayStand({ places }: KnownRun, wanted: Float64Array): Look {
  const ids = [...new Set(wanted)];
  const labels = Int32Array.from(wanted, (label) => ids.indexOf(label)).subarray(0, LOOKED_AT);
  const codes = new Float64Array(ids.length);
  return (values, offset) => {
    codes.fill(Number.NaN);
    let dissent = 0;
    for (let at = 0; at < labels.length; at++) {
      const code = values[places[at]! + offset]!;
      const before = codes[labels[at]!]!;
      if (before === code) continue;
      if (!Number.isNaN(before)) {
        if (++dissent > MOST_DISSENT) return false;
      } else if (codes.includes(code)) return false;
      else codes[labels[at]!] = code;
    }
    return true;
  };
}

/** A quick look at the first rows: numbers in the same proportions. */
function numbersMayStand({ places }: KnownRun, wanted: Float64Array): Look {
  const first = wanted.slice(0, LOOKED_AT);
  const far = first.findIndex((value) => value !== first[0]!);
  return (values, offset) => {
    const pairs: Pairs = {
      codes: Float64Array.from(first, (_, at) => values[places[at]! + offset]!),
      targets: first,
      length: first.length,
    };
    return far > 0 && numbersAgree(pairs);
  };
}
