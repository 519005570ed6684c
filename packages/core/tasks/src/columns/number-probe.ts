import { BITS_THAT_PROVE, numberBits } from './information.ts';
import { RATIO_TOLERANCE, type Probe, type Symbols } from './probe.ts';

/** The first two values set the scale: of so many rows, the two that are farthest apart. */
const SCALE_AMONG = 64;

/**
 * A part of a numeric target that tells enough, from about a row on: found again with rounded values and in any unit,
 * because values are compared after shifting and scaling. Undefined when the rest of the column tells too little.
 */
export function numberProbe(targets: Float64Array, from: number): Probe | undefined {
  const start = farthestPair(targets, from);
  const missing = targets.findIndex((value, at) => at >= start && Number.isNaN(value));
  const values = targets.subarray(start, missing === -1 ? targets.length : missing);
  const scale = values[1]! - values[0]!;
  if (values.length < 3 || !Number.isFinite(scale) || scale === 0) return undefined;
  const known = targets.filter((value) => !Number.isNaN(value));
  const bits = numberBits(values, RATIO_TOLERANCE * Math.abs(scale), known);
  const given = bits[1]!; // two values fit any two numbers
  const length = bits.findIndex((sum, at) => at > 1 && sum - given >= BITS_THAT_PROVE) + 1;
  if (length === 0) return undefined;
  const shape = values.slice(0, length).map((value) => (value - values[0]!) / scale);
  return {
    length,
    opening: { kind: 'ratio', ratio: shape[2]! },
    standsAt: (found, at, stride) => hasShape(found, { at, stride, shape }),
  };
}

interface Shape {
  readonly at: number;
  readonly stride: number;
  readonly shape: Float64Array;
}

function hasShape(values: Symbols, { at, stride, shape }: Shape): boolean {
  const first = values[at]!;
  const scale = values[at + stride]! - first;
  const most = RATIO_TOLERANCE * Math.abs(scale);
  if (!(most > 0 && most < Infinity)) return false;
  for (let step = 2, place = at + 2 * stride; step < shape.length; step++, place += stride)
    if (!(Math.abs(values[place]! - first - shape[step]! * scale) <= most)) return false;
  return true;
}

/** The first of two rows, one after the other, whose values differ most. */
function farthestPair(values: Float64Array, from: number): number {
  let best = from;
  let most = 0;
  for (let at = from; at + 1 < Math.min(values.length, from + SCALE_AMONG); at++) {
    const apart = Math.abs(values[at + 1]! - values[at]!);
    if (apart <= most || Number.isNaN(apart)) continue;
    most = apart;
    best = at;
  }
  return best;
}
