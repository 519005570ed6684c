import { WORDS_BELOW } from '../text-tokens.ts';

/** Values of a text or of an array, each as one number. */
export type Symbols = Float64Array | Uint16Array | Uint8Array;

/**
 * How the first three values look, so that all probes share one look at each place: the same value twice and then
 * another, or numbers whose differences from the first have a ratio (third : second).
 */
export type Opening = { readonly kind: 'pair' | 'any' } | { readonly kind: 'ratio'; readonly ratio: number };

/** A telling part of a column, to be searched for. */
export interface Probe {
  /** How many values it has, three or more. */
  readonly length: number;
  readonly opening: Opening;
  /** Whether it stands at a place, with `stride` values from each of its values to the next. The last must exist. */
  standsAt(values: Symbols, at: number, stride: number): boolean;
}

export interface Stretch {
  readonly values: Symbols;
  readonly length: number;
}

/** By how much a ratio may be off: values may be rounded. */
export const RATIO_TOLERANCE = 0.05;

/** Whether one of the probes stands anywhere in the values, with one of the strides. */
export function holdsProbe(stretch: Stretch, probes: readonly Probe[], strides: readonly number[]): boolean {
  const pairs = probes.filter((probe) => probe.opening.kind === 'pair');
  const ratios = probes.filter((probe) => probe.opening.kind === 'ratio');
  const others = probes.filter((probe) => probe.opening.kind === 'any');
  return strides.some(
    (stride) =>
      (pairs.length > 0 && holdsAfterPair(stretch, pairs, stride)) ||
      (ratios.length > 0 && holdsAfterRatio(stretch, ratios, stride)) ||
      others.some((probe) => holdsAnywhere(stretch, probe, stride)),
  );
}

function holdsAfterPair({ values, length }: Stretch, probes: readonly Probe[], stride: number): boolean {
  const end = length - 2 * stride;
  for (let at = 0; at < end; at++) {
    const first = values[at];
    if (first !== values[at + stride] || first === values[at + 2 * stride]) continue;
    if (oneStandsAt({ values, length }, probes, { at, stride })) return true;
  }
  return false;
}

function holdsAfterRatio({ values, length }: Stretch, probes: readonly Probe[], stride: number): boolean {
  const ratios = Float64Array.from(probes, ({ opening }) => (opening.kind === 'ratio' ? opening.ratio : Number.NaN));
  const end = length - 2 * stride;
  for (let at = 0; at < end; at++) {
    const first = values[at]!;
    const second = values[at + stride]!;
    if (first === second || !(first > WORDS_BELOW) || !(second > WORDS_BELOW)) continue;
    const ratio = (values[at + 2 * stride]! - first) / (second - first);
    for (let probe = 0; probe < ratios.length; probe++)
      if (
        Math.abs(ratio - ratios[probe]!) <= RATIO_TOLERANCE &&
        oneStandsAt({ values, length }, [probes[probe]!], { at, stride })
      )
        return true;
  }
  return false;
}

function holdsAnywhere({ values, length }: Stretch, probe: Probe, stride: number): boolean {
  const end = length - (probe.length - 1) * stride;
  for (let at = 0; at < end; at++) if (probe.standsAt(values, at, stride)) return true;
  return false;
}

interface Place {
  readonly at: number;
  readonly stride: number;
}

function oneStandsAt({ values, length }: Stretch, probes: readonly Probe[], { at, stride }: Place): boolean {
  for (const probe of probes)
    if (at + (probe.length - 1) * stride < length && probe.standsAt(values, at, stride)) return true;
  return false;
}
