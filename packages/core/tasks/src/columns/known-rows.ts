import type { ColumnSample } from './column-sample.ts';

/** A row of more keys than this is found by others. */
const MOST_PER_KEY = 64;
const FILTER_BITS = 20;

/** A value that one sampled row alone has. */
export interface OwnValue {
  readonly row: number;
  readonly column: number;
}

/** Recognises rows of the sample by the values of their features. */
export interface KnownRows {
  /** The row that alone has this value. */
  ownerOf(symbol: number): OwnValue | undefined;
  /** The row whose features all stand among the symbols; undefined when none does, or rows of different targets do. */
  rowAmong(symbols: Float64Array): number | undefined;
  /** The first column in which a row has this value. */
  columnOf(row: number, symbol: number): number | undefined;
}

export function createKnownRows(sample: ColumnSample): KnownRows {
  const counts = new Map<number, number>();
  for (const { symbols } of sample.rows)
    for (const symbol of symbols) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  const owners = new Map<number, OwnValue>();
  const byRarest = new Map<number, number[]>();
  for (const [row, { symbols, columns }] of sample.rows.entries()) {
    let rarest = symbols[0];
    for (const [at, symbol] of symbols.entries()) {
      if (counts.get(symbol) === 1) owners.set(symbol, { row, column: columns[at]! });
      if (counts.get(symbol)! < counts.get(rarest!)!) rarest = symbol;
    }
    if (rarest === undefined || symbols.length < 2) continue;
    const rows = byRarest.get(rarest) ?? [];
    if (rows.length < MOST_PER_KEY) byRarest.set(rarest, [...rows, row]);
  }
  const mayOwn = createFilter(owners.keys());
  const mayLead = createFilter(byRarest.keys());

  function rowAmong(symbols: Float64Array): number | undefined {
    let all: Set<number> | undefined;
    let best: number | undefined;
    let different = false;
    for (let at = 0; at < symbols.length; at++) {
      const symbol = symbols[at]!;
      if (!mayLead(symbol)) continue;
      const rows = byRarest.get(symbol);
      if (rows === undefined) continue;
      all ??= new Set(symbols);
      for (const row of rows) {
        const features = sample.rows[row]!.symbols;
        const bestSize = best === undefined ? 0 : sample.rows[best]!.symbols.length;
        if (features.length < bestSize || !features.every((feature) => all!.has(feature))) continue;
        different = features.length === bestSize && (different || sample.targets[row] !== sample.targets[best!]);
        best = row;
      }
    }
    return different ? undefined : best;
  }

  return {
    ownerOf: (symbol) => (mayOwn(symbol) ? owners.get(symbol) : undefined),
    rowAmong,
    columnOf(row, symbol) {
      const { symbols, columns } = sample.rows[row]!;
      return columns[symbols.indexOf(symbol)];
    },
  };
}

/** A quick look whether a number may be among some: most numbers of a text are not, and a map is slow to say so. */
function createFilter(numbers: Iterable<number>): (value: number) => boolean {
  const float = new Float64Array(1);
  const words = new Uint32Array(float.buffer);
  const bits = new Uint8Array(1 << FILTER_BITS);
  const place = (value: number) => {
    float[0] = value;
    return (Math.imul(words[0]! ^ Math.imul(words[1]!, 0x9e3779b1), 0x85ebca6b) >>> (32 - FILTER_BITS)) >>> 0;
  };
  for (const value of numbers) bits[place(value)] = 1;
  return (value) => bits[place(value)] === 1;
}
