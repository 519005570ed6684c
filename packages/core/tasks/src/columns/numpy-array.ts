import { symbolOf, symbolOfText } from '../text-tokens.ts';

/** What stands before the values of a NumPy file (format versions 1 to 3, NEP 1). */
export interface NumpyHeader {
  /** Where the values begin, in bytes. */
  readonly start: number;
  readonly descr: string;
  readonly fortranOrder: boolean;
  readonly shape: readonly number[];
}

const MAGIC = Buffer.from('\x93NUMPY', 'latin1');
const LONGEST_HEADER = 64 * 1024;

/** Undefined for anything that is not a NumPy file, or whose elements have named parts. */
export function numpyHeader(bytes: Buffer): NumpyHeader | undefined {
  if (bytes.length < 12 || !bytes.subarray(0, 6).equals(MAGIC)) return undefined;
  const wide = bytes[6]! > 1;
  const start = (wide ? 12 : 10) + (wide ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8));
  if (start > Math.min(bytes.length, LONGEST_HEADER)) return undefined;
  const text = bytes.toString('latin1', wide ? 12 : 10, start);
  const descr = /'descr':\s*'([^']+)'/.exec(text)?.[1];
  const shape = /'shape':\s*\(([\d,\s]*)\)/.exec(text)?.[1];
  if (descr === undefined || shape === undefined) return undefined;
  const sizes = shape.split(',').filter((size) => size.trim() !== '');
  return { start, descr, fortranOrder: /'fortran_order':\s*True/.test(text), shape: sizes.map(Number) };
}

/** How many values stand between one value of a column and the next. */
export function columnStride({ fortranOrder, shape }: NumpyHeader): number {
  return fortranOrder ? 1 : shape.slice(1).reduce((product, size) => product * size, 1);
}

export interface NumpyValues {
  readonly length: number;
  /** The value at a place as a symbol; NaN for what is no real number. */
  at(place: number): number;
}

type Read = (view: DataView, at: number, little: boolean) => number;

const readers: Readonly<Record<string, { readonly size: number; readonly read: Read }>> = {
  b1: { size: 1, read: (view, at) => view.getUint8(at) },
  i1: { size: 1, read: (view, at) => view.getInt8(at) },
  u1: { size: 1, read: (view, at) => view.getUint8(at) },
  i2: { size: 2, read: (view, at, little) => view.getInt16(at, little) },
  u2: { size: 2, read: (view, at, little) => view.getUint16(at, little) },
  i4: { size: 4, read: (view, at, little) => view.getInt32(at, little) },
  u4: { size: 4, read: (view, at, little) => view.getUint32(at, little) },
  i8: { size: 8, read: (view, at, little) => Number(view.getBigInt64(at, little)) },
  u8: { size: 8, read: (view, at, little) => Number(view.getBigUint64(at, little)) },
  f2: { size: 2, read: (view, at, little) => halfFloat(view.getUint16(at, little)) },
  f4: { size: 4, read: (view, at, little) => Number(view.getFloat32(at, little).toPrecision(7)) },
  f8: { size: 8, read: (view, at, little) => view.getFloat64(at, little) },
};

/** The values of numbers and texts; undefined for objects, dates and complex numbers, which are not decoded. */
export function numpyValues(bytes: Buffer, { start, descr }: NumpyHeader): NumpyValues | undefined {
  const [, order, type, width] = /^([<>=|])?([a-zA-Z])(\d+)$/.exec(descr) ?? [];
  if (type === undefined || width === undefined) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, bytes.length - start);
  const little = order !== '>';
  const reader = readers[`${type}${width}`];
  if (reader !== undefined)
    return {
      length: Math.floor(view.byteLength / reader.size),
      at: (place) => symbolOf(reader.read(view, place * reader.size, little)),
    };
  if (type !== 'U' && type !== 'S') return undefined;
  const unit = type === 'U' ? 4 : 1;
  const size = Number(width) * unit;
  if (size === 0) return undefined;
  return {
    length: Math.floor(view.byteLength / size),
    at(place) {
      const units = Array.from({ length: Number(width) }, (_, at) =>
        unit === 4 ? view.getUint32(place * size + at * 4, little) : view.getUint8(place * size + at),
      );
      const written = units.filter((code) => code !== 0 && code <= 0x10ffff);
      return symbolOfText(String.fromCodePoint(...written));
    },
  };
}

/** IEEE 754 binary16. */
function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
