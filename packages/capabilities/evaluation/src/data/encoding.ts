import { isUtf8 } from 'node:buffer';
import { AssayError } from '@assay/foundation';

const byteOrderMarks: readonly { readonly name: string; readonly bytes: readonly number[] }[] = [
  { name: 'UTF-32LE', bytes: [0xff, 0xfe, 0, 0] },
  { name: 'UTF-32BE', bytes: [0, 0, 0xfe, 0xff] },
  { name: 'UTF-16LE', bytes: [0xff, 0xfe] },
  { name: 'UTF-16BE', bytes: [0xfe, 0xff] },
];

/** Well-known files that are not text, by their first bytes. */
const binaryKinds: readonly { readonly name: string; readonly bytes: readonly number[]; readonly hint: string }[] = [
  {
    name: 'a ZIP file (perhaps an Excel workbook)',
    bytes: [0x50, 0x4b, 3, 4],
    hint: 'Save the sheet as CSV in UTF-8.',
  },
  { name: 'an old Excel workbook', bytes: [0xd0, 0xcf, 0x11, 0xe0], hint: 'Save the sheet as CSV in UTF-8.' },
  { name: 'a gzip file', bytes: [0x1f, 0x8b], hint: 'Unpack it with gunzip first.' },
  { name: 'a Zstandard file', bytes: [0x28, 0xb5, 0x2f, 0xfd], hint: 'Unpack it with zstd -d first.' },
  { name: 'an xz file', bytes: [0xfd, 0x37, 0x7a, 0x58], hint: 'Unpack it with unxz first.' },
  { name: 'a bzip2 file', bytes: [0x42, 0x5a, 0x68], hint: 'Unpack it with bunzip2 first.' },
  { name: 'a Parquet file', bytes: [0x50, 0x41, 0x52, 0x31], hint: 'Write it as CSV, for instance with pandas.' },
  { name: 'an HDF5 file', bytes: [0x89, 0x48, 0x44, 0x46], hint: 'Write the table as CSV, for instance with pandas.' },
  { name: 'a SQLite database', bytes: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20], hint: 'Export the table as CSV.' },
  { name: 'a NumPy file', bytes: [0x93, 0x4e, 0x55, 0x4d], hint: 'Write the array as CSV.' },
  { name: 'a PDF document', bytes: [0x25, 0x50, 0x44, 0x46], hint: 'Give the data itself, as CSV or JSON.' },
  { name: 'a PNG image', bytes: [0x89, 0x50, 0x4e, 0x47], hint: 'Give the data itself, as CSV or JSON.' },
];

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return bytes.length >= mark.length && mark.every((byte, i) => bytes[i] === byte);
}

/** Length of a UTF-8 byte order mark at the front of a file: 3 or 0. */
export function bomLength(head: Uint8Array): number {
  return startsWith(head, [0xef, 0xbb, 0xbf]) ? 3 : 0;
}

/** Refuses a file whose first bytes say that it is not UTF-8 text, and names what it is. */
export function checkHead(head: Uint8Array, name: string): void {
  const mark = byteOrderMarks.find(({ bytes }) => startsWith(head, bytes));
  if (mark !== undefined) throw otherEncoding(name, mark.name, 'It starts with the byte order mark of that encoding.');
  const kind = binaryKinds.find(({ bytes }) => startsWith(head, bytes));
  if (kind !== undefined)
    throw new AssayError('dataset_format', `${name} is ${kind.name}, not a text table`, {
      why: 'CSV, TSV, JSON and JSONL are read.',
      hint: kind.hint,
    });
  if (head.includes(0)) throw nulFound(head, name, 'near its start');
}

/** The error for a NUL byte: UTF-16 without a mark when every other byte is NUL, else binary data. */
export function nulFound(sample: Uint8Array, name: string, where: string): AssayError {
  const even = countNul(sample, 0);
  const odd = countNul(sample, 1);
  const half = sample.length / 2;
  if (odd > half * 0.4 && even < half * 0.05) return otherEncoding(name, 'UTF-16LE', 'Every second byte is zero.');
  if (even > half * 0.4 && odd < half * 0.05) return otherEncoding(name, 'UTF-16BE', 'Every second byte is zero.');
  return new AssayError('dataset_format', `${name} is not a text table`, {
    why: `It holds a zero byte ${where}; text never does.`,
    hint: 'CSV, TSV, JSON and JSONL in UTF-8 are read. Convert other formats first.',
  });
}

function countNul(bytes: Uint8Array, parity: number): number {
  let count = 0;
  for (let i = parity; i < bytes.length; i += 2) if (bytes[i] === 0) count += 1;
  return count;
}

function otherEncoding(name: string, encoding: string, why: string): AssayError {
  const iconv = encoding.startsWith('Latin-1') ? 'WINDOWS-1252' : encoding;
  return new AssayError('dataset_encoding', `${name} is encoded in ${encoding}, not in UTF-8`, {
    why,
    hint: `Convert it, for instance with: iconv -f ${iconv} -t UTF-8 ${name} > utf8-${name}`,
    details: { encoding },
  });
}

/** The error for bytes that are not UTF-8, with the encoding that they look like. */
export function notUtf8(sample: Uint8Array, name: string, where: string): AssayError {
  return otherEncoding(name, guessEncoding(sample), `The bytes ${where} are not valid UTF-8.`);
}

/**
 * Names the encoding of text that is not UTF-8. Chinese text in GB18030 is made of runs of high-byte pairs, Latin-1
 * text has single high bytes between ASCII letters.
 */
export function guessEncoding(sample: Uint8Array): string {
  let high = 0;
  let lone = 0;
  for (let i = 0; i < sample.length; i += 1) {
    if (sample[i]! < 0x80) continue;
    high += 1;
    if ((sample[i - 1] ?? 0) < 0x80 && (sample[i + 1] ?? 0) < 0x80) lone += 1;
  }
  if (lone > high * 0.5) return 'Latin-1 (Windows-1252)';
  return decodes(sample, 'gb18030') ? 'GB18030' : 'Latin-1 (Windows-1252)';
}

function decodes(sample: Uint8Array, encoding: string): boolean {
  // The sample may start or end inside a character, so its edges get four tries each.
  for (let cut = 0; cut < 4; cut += 1) {
    try {
      new TextDecoder(encoding, { fatal: true }).decode(sample.subarray(cut), { stream: true });
      return true;
    } catch {
      continue;
    }
  }
  return false;
}

/**
 * Checks that a stream of chunks is UTF-8 without NUL bytes. Characters may lie across chunks: up to three bytes are
 * carried over.
 */
export class Utf8Check {
  readonly #name: string;
  #carry = Buffer.alloc(0);

  constructor(name: string) {
    this.#name = name;
  }

  /** Throws `dataset_encoding` or `dataset_format`; `where` says in which row the chunk starts. */
  add(chunk: Buffer, where: string): void {
    const nul = chunk.indexOf(0);
    if (nul !== -1) throw nulFound(window(chunk, nul), this.#name, where);
    const joined = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk]);
    const cut = completeLength(joined);
    if (!isUtf8(joined.subarray(0, cut))) throw notUtf8(window(joined, firstInvalid(joined)), this.#name, where);
    this.#carry = Buffer.from(joined.subarray(cut));
  }

  finish(where: string): void {
    if (this.#carry.length > 0) throw notUtf8(this.#carry, this.#name, where);
  }
}

function window(bytes: Buffer, at: number): Buffer {
  return bytes.subarray(Math.max(0, at - 2048), at + 2048);
}

/** Bytes up to the last character that is complete. */
function completeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** The place of the first invalid byte, to within 64 bytes, found by halving. */
function firstInvalid(bytes: Buffer): number {
  let low = 0;
  let high = bytes.length;
  while (high - low > 64) {
    const middle = (low + high) >> 1;
    const part = bytes.subarray(0, middle);
    if (isUtf8(part.subarray(0, completeLength(part)))) low = middle;
    else high = middle;
  }
  return low;
}
