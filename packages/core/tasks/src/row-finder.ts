import { tokensOf, type Token } from './text-tokens.ts';

/** A row of the data set with its target, as what any text copy of it holds. */
export interface SampledRow {
  /** The distinct tokens of its cells. */
  readonly tokens: readonly Token[];
  /** How many tokens its cells have, with repetitions. */
  readonly length: number;
  /** How many of those are numbers. */
  readonly numbers: number;
  /** Columns of the data set: a copy may hold a name and more before each value. */
  readonly columns: number;
}

export interface RowFinder {
  /** Begins another text. */
  begin(): void;
  /** Takes the next token of the text. */
  see(token: Token): void;
  /** The tokens that rows have; all others only part them. */
  readonly tokens: readonly Token[];
  /** Rows found in this text so far. */
  found(): number;
  /** Which they are, and how much of the text is theirs: 1 when nothing else stands in it. */
  share(): { readonly rows: readonly number[]; readonly of: number };
}

const FEWEST_TOKENS = 3;
const MOST_TOKENS = 10_000;
/**
 * So many numbers that are not of the row may stand among its values, such as the number of the row: among many numbers
 * any few common ones are soon found together.
 */
const OTHER_NUMBERS = 1;
/** With so many tokens that no other sampled row has, a row is not found by chance, whatever stands among its values. */
const OWN_TOKENS = 2;

/**
 * The row of these cells, or undefined when finding it would prove nothing: fewer than three distinct tokens, or only
 * tokens of one character. Rows of more than 10,000 tokens are too long to look for.
 */
export function tellingRow(cells: readonly string[]): SampledRow | undefined {
  const all = cells.flatMap(tokensOf);
  const tokens = [...new Set(all)];
  if (tokens.length < FEWEST_TOKENS || all.length > MOST_TOKENS) return undefined;
  if (tokens.every((token) => String(token).length === 1)) return undefined;
  const numbers = all.filter((token) => typeof token === 'number').length;
  return { tokens, length: all.length, numbers, columns: cells.length };
}

/**
 * Counts the rows whose tokens all stand near one another in a text, in any order. Each place counts for one row only.
 * Every row waits for one token that is not near; only the rows that wait for a token are looked at when it comes.
 */
export function createRowFinder(rows: readonly SampledRow[]): RowFinder {
  const ids = new Map<Token, number>();
  for (const { tokens } of rows) for (const token of tokens) if (!ids.has(token)) ids.set(token, ids.size);
  const needed = rows.map(({ tokens }) => Int32Array.from(tokens, (token) => ids.get(token)!));
  const windows = rows.map(windowOf);
  const numberWindows = numberWindowsOf(rows);
  const gap = Math.max(0, ...windows) + 1;
  const isNumber = Uint8Array.from(ids.keys(), (token) => (typeof token === 'number' ? 1 : 0));
  const lastSeen = new Float64Array(ids.size).fill(-Infinity);
  /** Numbers of the text before the last place of each token. */
  const numbersBefore = new Float64Array(ids.size);
  const cursors = new Int32Array(rows.length);
  const waiting: number[][] = Array.from({ length: ids.size }, () => []);
  let foundRows = rows.map((_, row) => row); // begin() makes them wait
  let position = 0;
  let numbers = 0;
  let covered = 0;
  let begun = 0;

  function consider(row: number): void {
    const tokens = needed[row]!;
    const tooOld = position - windows[row]!;
    const fewestBefore = numbers - numberWindows[row]!;
    let start = position;
    let oldest = tokens[0]!;
    const from = cursors[row]!; // where the last look ended: cells mostly come in their order
    for (let step = 0; step < tokens.length && start > tooOld; step++) {
      const at = (from + step) % tokens.length;
      const token = tokens[at]!;
      const seen = numbersBefore[token]! < fewestBefore ? -Infinity : lastSeen[token]!;
      if (seen >= start) continue;
      start = seen;
      oldest = token;
      cursors[row] = at;
    }
    if (start > tooOld && start > covered) {
      covered = position;
      foundRows.push(row);
    } else waiting[oldest]!.push(row); // a nearer match needs this token again
  }

  return {
    begin() {
      position += gap; // whatever was seen before is too far away now
      covered = position;
      begun = position;
      for (const row of foundRows) waiting[needed[row]![0]!]!.push(row);
      foundRows = [];
    },
    see(token) {
      position++;
      if (typeof token === 'number') numbers++;
      const id = ids.get(token);
      if (id === undefined) return;
      lastSeen[id] = position;
      numbersBefore[id] = numbers - isNumber[id]!;
      const rowsHere = waiting[id]!;
      if (rowsHere.length === 0) return;
      waiting[id] = [];
      // Of rows that end at the same place, the fuller one is what stands there.
      if (rowsHere.length > 1) rowsHere.sort((a, b) => needed[b]!.length - needed[a]!.length);
      for (const row of rowsHere) consider(row);
    },
    tokens: [...ids.keys()],
    found: () => foundRows.length,
    share: () => ({
      rows: [...foundRows],
      of: foundRows.reduce((sum, row) => sum + rows[row]!.length, 0) / Math.max(1, position - begun),
    }),
  };
}

/** How far the tokens of a row may lie apart: room for keys, brackets with names, and repeated values. */
function windowOf({ tokens, length, columns }: SampledRow): number {
  return Math.max(4 * tokens.length + 2 * columns, 2 * length) + 16;
}

/** How many numbers may stand among the tokens of each row, its own included. */
function numberWindowsOf(rows: readonly SampledRow[]): number[] {
  const rowsWith = new Map<Token, number>();
  for (const { tokens } of rows) for (const token of tokens) rowsWith.set(token, (rowsWith.get(token) ?? 0) + 1);
  return rows.map(({ tokens, numbers }) => {
    const own = tokens.filter((token) => rowsWith.get(token) === 1).length;
    return own >= OWN_TOKENS ? Infinity : numbers + OTHER_NUMBERS;
  });
}
