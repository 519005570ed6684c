/**
 * xoshiro128** 1.1 (Blackman and Vigna, 2018), 32-bit output, period 2^128 − 1. Split, shuffles and bootstrap draw from
 * it, so every interval can be computed again, byte for byte, on any machine.
 *
 * The state is filled from the seed by splitmix32 (Weyl step 0x9e3779b9, finaliser of MurmurHash3). A second number,
 * the stream, keeps independent uses of one seed apart.
 */
export class Prng {
  readonly #state: Uint32Array;

  constructor(seed: number, stream = 0) {
    const next = splitmix32((seed ^ Math.imul(stream, 0x85ebca6b)) >>> 0);
    this.#state = Uint32Array.of(next(), next(), next(), next());
  }

  /** A generator that continues from a given state of four 32-bit numbers, not all zero. */
  static fromState(state: readonly [number, number, number, number]): Prng {
    const prng = new Prng(0);
    prng.#state.set(state);
    return prng;
  }

  /** A whole number in [0, 2^32). */
  next(): number {
    const s = this.#state;
    const result = Math.imul(rotateLeft(Math.imul(s[1]!, 5), 7), 9) >>> 0;
    const t = s[1]! << 9;
    s[2]! ^= s[0]!;
    s[3]! ^= s[1]!;
    s[1]! ^= s[2]!;
    s[0]! ^= s[3]!;
    s[2]! ^= t;
    s[3] = rotateLeft(s[3]!, 11);
    return result;
  }

  /** A number in (0, 1): 32 random bits, never 0 and never 1. */
  uniform(): number {
    return (this.next() + 0.5) / 0x1_0000_0000;
  }

  /** A whole number in [0, bound) without bias: draws beyond the last full multiple of `bound` are thrown away. */
  below(bound: number): number {
    const limit = 0x1_0000_0000 - (0x1_0000_0000 % bound);
    for (;;) {
      const value = this.next();
      if (value < limit) return value % bound;
    }
  }
}

function rotateLeft(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}

function splitmix32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
}

/** Fisher–Yates, in place. */
export function shuffle(values: Uint32Array | Int32Array, prng: Prng): void {
  shuffleFrom(values, prng, { last: values.length - 1, end: 0 });
}

/** The part of a shuffle that settles the places from `last` down to just above `end`; all parts, in order, are one shuffle. */
export function shuffleFrom(
  values: Uint32Array | Int32Array,
  prng: Prng,
  { last, end }: { readonly last: number; readonly end: number },
): void {
  for (let i = last; i > end; i -= 1) {
    const j = prng.below(i + 1);
    const swapped = values[i]!;
    values[i] = values[j]!;
    values[j] = swapped;
  }
}

/** Independent uses of one seed; the numbers are part of what makes a result repeatable and never change. */
export const streams = {
  split: 1,
  limit: 2,
  cells: 3,
  rows: 4,
  subsample: 5,
  probes: 6,
  paired: 7,
  clusters: 8,
  groups: 9,
} as const;
