import { setImmediate } from 'node:timers/promises';
import { throwIfAborted } from '@assay/foundation';
import { columnReasons, type ColumnFinder, type ColumnReason } from './column-finder.ts';
import type { Symbols } from './probe.ts';

/** Larger binary files are not searched: every byte may begin a value. */
export const LARGEST_RAW = 16 * (1 << 20);

const PIECE = 256 * 1024;
/** Of the last piece, so much is looked at again: a telling part of a column may lie across two pieces. */
const OVERLAP = 64 * 1024;

interface RawForm {
  readonly kind: 'labels' | 'numbers';
  readonly strides: readonly number[];
  /** The value that begins at each byte. */
  readonly values: (bytes: Buffer) => Symbols;
}

/**
 * How columns lie in pickles and other binary files, at any alignment. Labels: by their lowest byte in whole numbers
 * of 1, 2, 4 and 8 bytes, in pickled small numbers (2 bytes), references to texts (2 and 5) and floats (9); by the two
 * highest bytes of floats. Numbers: floats of 8 and 4 bytes, pickled ones (9 bytes, highest first), whole numbers.
 */
const forms: readonly RawForm[] = [
  { kind: 'labels', strides: [1, 2, 3, 4, 5, 8], values: (bytes) => bytes },
  { kind: 'labels', strides: [4, 8, 9], values: (bytes) => everyByte(bytes, 2, (at) => bytes.readUInt16LE(at)) },
  { kind: 'numbers', strides: [8], values: (bytes) => everyByte(bytes, 8, (at) => bytes.readDoubleLE(at)) },
  { kind: 'numbers', strides: [9], values: (bytes) => everyByte(bytes, 8, (at) => bytes.readDoubleBE(at)) },
  { kind: 'numbers', strides: [4], values: (bytes) => everyByte(bytes, 4, (at) => bytes.readFloatLE(at)) },
  { kind: 'numbers', strides: [4, 5, 8], values: (bytes) => everyByte(bytes, 4, (at) => bytes.readInt32LE(at)) },
];

/** Looks for the order of the targets in bytes of no known form. */
export async function rawColumns(
  bytes: Buffer,
  finder: ColumnFinder,
  signal: AbortSignal,
): Promise<ColumnReason | undefined> {
  for (let start = 0; start < bytes.length; start += PIECE - OVERLAP) {
    const piece = bytes.subarray(start, start + PIECE);
    for (const { kind, strides, values } of forms) {
      if (kind !== finder.kind) continue;
      await setImmediate();
      throwIfAborted(signal);
      if (finder.inRaw(values(piece), strides)) return columnReasons.order;
    }
  }
  return undefined;
}

function everyByte(bytes: Buffer, size: number, read: (at: number) => number): Float64Array {
  const values = new Float64Array(Math.max(0, bytes.length - size + 1));
  for (let at = 0; at < values.length; at++) values[at] = read(at);
  return values;
}
