import type { KnownRows } from './known-rows.ts';
import type { SymbolBlock } from './symbol-block.ts';

/** Longer lines hold no single row. */
const LONGEST_LINE = 512;

/** Places of a line where a target may stand: counted from its start, and from its end as negative numbers. */
export const linePlaces: readonly number[] = [...Array.from({ length: 64 }, (_, at) => at), -1, -2, -3, -4];

/** Rows of the sample and where in a text each stands. */
export interface Sightings {
  readonly rows: Int32Array;
  /** Of each row, what stands at a place relative to it; NaN where the text has nothing there. */
  codeAt(sighting: number, place: number): number;
}

/** Lines that hold a row of the sample, the first line of each row. */
export function knownLines(block: SymbolBlock, known: KnownRows): Sightings {
  const rows: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const seen = new Set<number>();
  for (let line = 0; line < block.lineCount; line++) {
    const start = block.lines[line]!;
    const end = block.lines[line + 1]!;
    if (end - start > LONGEST_LINE) continue;
    const row = known.rowAmong(block.values.subarray(start, end));
    if (row === undefined || seen.has(row)) continue;
    seen.add(row);
    rows.push(row);
    starts.push(start);
    ends.push(end);
  }
  return {
    rows: Int32Array.from(rows),
    codeAt(sighting, place) {
      const at = place < 0 ? ends[sighting]! + place : starts[sighting]! + place;
      return at >= starts[sighting]! && at < ends[sighting]! ? block.values[at]! : Number.NaN;
    },
  };
}

/** What stands at one place of each line, line by line: a file of one row a line, read as a column. */
export function columnOfLines(block: SymbolBlock, place: number): Float64Array {
  const column = new Float64Array(block.lineCount);
  for (let line = 0; line < block.lineCount; line++) {
    const start = block.lines[line]!;
    const end = block.lines[line + 1]!;
    const at = place < 0 ? end + place : start + place;
    column[line] = at >= start && at < end ? block.values[at]! : Number.NaN;
  }
  return column;
}
