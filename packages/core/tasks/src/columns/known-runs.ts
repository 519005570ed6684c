import type { KnownRows } from './known-rows.ts';
import type { Stretch } from './probe.ts';

/** Values of one column that lie farther apart do not belong together. */
const LARGEST_GAP = 64;
const FEWEST_ROWS = 20;
const MOST_RUNS = 8;
const MOST_COMPARED = 512;

/** Rows whose own values of one column follow one another in a text. */
export interface KnownRun {
  readonly rows: Int32Array;
  /** Place of each row's value. */
  readonly places: Int32Array;
}

export interface KnownRuns {
  /** The longest runs, at most eight. */
  readonly runs: readonly KnownRun[];
  /** Of each column, the rows that have a value of their own in the text, in the order of the first of them. */
  readonly orders: readonly (readonly number[])[];
}

interface Growing {
  readonly rows: number[];
  readonly places: number[];
}

export function knownRuns({ values, length }: Stretch, known: KnownRows): KnownRuns {
  const growing = new Map<number, Growing>();
  const done: Growing[] = [];
  const orders = new Map<number, Set<number>>();
  for (let place = 0; place < length; place++) {
    const own = known.ownerOf(values[place]!);
    if (own === undefined) continue;
    const order = orders.get(own.column) ?? new Set();
    orders.set(own.column, order.add(own.row));
    const run = growing.get(own.column);
    if (run !== undefined && place - run.places.at(-1)! <= LARGEST_GAP) {
      run.rows.push(own.row);
      run.places.push(place);
      continue;
    }
    if (run !== undefined && run.rows.length >= FEWEST_ROWS) done.push(run);
    growing.set(own.column, { rows: [own.row], places: [place] });
  }
  done.push(...growing.values());
  const runs = done
    .map(firstOfEachRow)
    .filter(({ rows }) => rows.length >= FEWEST_ROWS)
    .sort((a, b) => b.rows.length - a.rows.length);
  return { runs: runs.slice(0, MOST_RUNS), orders: [...orders.values()].map((order) => [...order]) };
}

function firstOfEachRow({ rows, places }: Growing): KnownRun {
  const first = new Map<number, number>();
  for (const [at, row] of rows.entries())
    if (!first.has(row) && first.size < MOST_COMPARED) first.set(row, places[at]!);
  return { rows: Int32Array.from(first.keys()), places: Int32Array.from(first.values()) };
}
