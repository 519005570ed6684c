import { readFile } from 'node:fs/promises';
import type { ColumnFinder, ColumnReason } from './column-finder.ts';
import { columnStride, numpyHeader, numpyValues, type NumpyHeader, type NumpyValues } from './numpy-array.ts';
import { rawColumns } from './raw-columns.ts';
import { BLOCK } from './symbol-block.ts';
import { zipEntries } from './zip-entries.ts';

/** NumPy files are read whole: no larger ones, and archives that unpack to no more. */
export const LARGEST_ARRAYS = 64 * (1 << 20);

/** What was found in a file of arrays; `unreadable` when nothing in it could be decoded. */
export type ArraysFound = ColumnReason | 'unreadable' | undefined;

interface Decoded {
  readonly header: NumpyHeader;
  readonly values: NumpyValues;
}

/** Searches a `.npy` or `.npz` file. Its arrays are looked at one after the other, small ones first, as one text. */
export async function searchArrays(path: string, finder: ColumnFinder, signal: AbortSignal): Promise<ArraysFound> {
  const file = await readFile(path, { signal });
  const arrays: Decoded[] = [];
  const opaque: Buffer[] = [];
  const whole = [{ content: file }];
  const parts = numpyHeader(file) === undefined ? zipEntries(file, LARGEST_ARRAYS) : whole;
  for await (const { content: part } of parts) {
    const header = numpyHeader(part);
    const values = header && numpyValues(part, header);
    if (header !== undefined && values !== undefined) arrays.push({ header, values });
    else opaque.push(part);
  }
  if (arrays.length + opaque.length === 0) return 'unreadable';
  arrays.sort((a, b) => a.values.length - b.values.length);
  const strides = [...new Set([1, ...arrays.map(({ header }) => columnStride(header))])].filter((stride) => stride > 0);
  for (const stretch of stretches(arrays)) {
    const found = await finder.inArray(stretch, strides.slice(0, 8), signal);
    if (found !== undefined) return found;
  }
  for (const bytes of opaque) {
    const found = await rawColumns(bytes, finder, signal);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** All values in their order, a bounded number of them at a time. */
function* stretches(arrays: readonly Decoded[]): Generator<{ readonly values: Float64Array; readonly length: number }> {
  const block = new Float64Array(BLOCK);
  let length = 0;
  for (const { values } of arrays) {
    for (let place = 0; place < values.length; place++) {
      block[length++] = values.at(place);
      if (length < BLOCK) continue;
      yield { values: block, length };
      length = 0;
    }
  }
  if (length > 0) yield { values: block, length };
}
