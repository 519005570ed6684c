import { Prng, shuffle, streams } from '../prng.ts';

export interface SplitRequest {
  /** Rows that may be used, ascending. */
  readonly rows: Uint32Array;
  /** The label number of each of them; absent = no strata. */
  readonly codes?: Uint32Array;
  readonly seed: number;
  /** Share of the rows that is handed out for prediction. */
  readonly testFraction: number;
}

export interface Split {
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

/**
 * Splits rows into training and test rows. With label numbers each label is split on its own: of n rows,
 * round(n · testFraction) are test rows, at least one stays for training, and a label with two or more rows has at
 * least one test row. Without them all rows are one stratum. Strata are taken in order of label number, and one
 * generator (stream `split`) shuffles them one after another, so the result depends on seed and data only.
 */
export function splitRows(request: SplitRequest): Split {
  const prng = new Prng(request.seed, streams.split);
  const train: Uint32Array[] = [];
  const test: Uint32Array[] = [];
  for (const stratum of strataOf(request.rows, request.codes)) {
    shuffle(stratum, prng);
    const wanted = Math.round(stratum.length * request.testFraction);
    const size = Math.min(stratum.length - 1, Math.max(wanted, stratum.length > 1 ? 1 : 0));
    test.push(stratum.subarray(0, size));
    train.push(stratum.subarray(size));
  }
  return { train: ascending(train), test: ascending(test) };
}

/**
 * At most `limit` of the rows: a random sample (stream `limit`) in which every label keeps its share, remainders going
 * to the labels with the largest ones.
 */
export function limitRows(request: Omit<SplitRequest, 'testFraction'>, limit: number): Uint32Array {
  if (request.rows.length <= limit) return request.rows;
  const prng = new Prng(request.seed, streams.limit);
  const strata = strataOf(request.rows, request.codes);
  const exact = strata.map((stratum) => (stratum.length * limit) / request.rows.length);
  const sizes = exact.map(Math.floor);
  let left = limit - sizes.reduce((sum, size) => sum + size, 0);
  const byRemainder = exact.map((share, i) => ({ i, rest: share - Math.floor(share) })).sort((a, b) => b.rest - a.rest);
  for (const { i } of byRemainder) {
    if (left === 0) break;
    sizes[i]! += 1;
    left -= 1;
  }
  return ascending(
    strata.map((stratum, i) => {
      shuffle(stratum, prng);
      return stratum.subarray(0, sizes[i]);
    }),
  );
}

function strataOf(rows: Uint32Array, codes: Uint32Array | undefined): Uint32Array[] {
  if (codes === undefined) return [rows.slice()];
  const sizes: number[] = [];
  for (const code of codes) sizes[code] = (sizes[code] ?? 0) + 1;
  const strata = Array.from({ length: sizes.length }, (_, code) => new Uint32Array(sizes[code] ?? 0));
  const filled = new Uint32Array(sizes.length);
  for (let i = 0; i < rows.length; i += 1) {
    const code = codes[i]!;
    strata[code]![filled[code]!] = rows[i]!;
    filled[code]! += 1;
  }
  return strata;
}

function ascending(parts: readonly Uint32Array[]): Uint32Array {
  const rows = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    rows.set(part, at);
    at += part.length;
  }
  return rows.sort();
}
