import { createHash } from 'node:crypto';
import { AssayError } from '@assay/foundation';

/** Growing list of row numbers or codes without boxing. */
export class Uint32List {
  #values = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Uint32Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  toArray(): Uint32Array {
    return this.#values.slice(0, this.length);
  }
}

/** SHA-256 over row numbers as little-endian 32-bit words: of ascending ones, it names the set of rows. */
export function rowsSha256(rows: Uint32Array): string {
  const bytes = Buffer.alloc(rows.length * 4);
  for (let i = 0; i < rows.length; i += 1) bytes.writeUInt32LE(rows[i]!, i * 4);
  return createHash('sha256').update(bytes).digest('hex');
}

/** Ascending row numbers as base64 of LEB128 gaps; about one byte a row. */
export function packRows(rows: Uint32Array): string {
  const bytes = Buffer.alloc(rows.length * 5);
  let at = 0;
  let previous = -1;
  for (const row of rows) {
    let gap = row - previous - 1;
    previous = row;
    while (gap >= 0x80) {
      bytes[at] = (gap % 0x80) | 0x80;
      gap = Math.floor(gap / 0x80);
      at += 1;
    }
    bytes[at] = gap;
    at += 1;
  }
  return bytes.subarray(0, at).toString('base64');
}

/** The inverse of `packRows`. Throws `record_invalid` for a text that it did not write. */
export function unpackRows(packed: string, count: number): Uint32Array {
  const bytes = Buffer.from(packed, 'base64');
  const damaged = () =>
    new AssayError('record_invalid', 'the list of rows is damaged', {
      why: `It does not hold ${count} ascending row numbers.`,
      hint: 'Run the task that prepared the data again.',
    });
  if (count > bytes.length) throw damaged();
  const rows = new Uint32Array(count);
  let previous = -1;
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    let gap = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[at];
      at += 1;
      if (byte === undefined || scale > 2 ** 28) throw damaged();
      gap += (byte & 0x7f) * scale;
      scale *= 0x80;
      if (byte < 0x80) break;
    }
    previous += gap + 1;
    if (previous > 0xffff_ffff) throw damaged();
    rows[i] = previous;
  }
  if (at !== bytes.length) throw damaged();
  return rows;
}

/** Where each of some rows stands in an ascending list that holds them all. */
export function placesOf(rows: Uint32Array, ascending: Uint32Array): Uint32Array {
  return rows.map((row) => placeOf(ascending, row));
}

/** Index of a row in an ascending list, or −1. */
export function placeOf(ascending: Uint32Array, row: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = ascending[middle]!;
    if (at === row) return middle;
    if (at < row) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
