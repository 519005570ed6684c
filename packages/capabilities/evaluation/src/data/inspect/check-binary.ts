import { AssayError } from '@assay/foundation';

/** Well-known files that are not text, by their first bytes. */
const binaryKinds: readonly { readonly name: string; readonly bytes: readonly number[]; readonly hint: string }[] = [
  { name: 'an old Excel workbook', bytes: [0xd0, 0xcf, 0x11, 0xe0], hint: 'Save the sheet as CSV in UTF-8.' },
  { name: 'a Parquet file', bytes: [0x50, 0x41, 0x52, 0x31], hint: 'Write it as CSV, for instance with pandas.' },
  { name: 'an HDF5 file', bytes: [0x89, 0x48, 0x44, 0x46], hint: 'Write the table as CSV, for instance with pandas.' },
  { name: 'a SQLite database', bytes: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20], hint: 'Export the table as CSV.' },
  { name: 'a NumPy file', bytes: [0x93, 0x4e, 0x55, 0x4d], hint: 'Write the array as CSV.' },
  { name: 'a PDF document', bytes: [0x25, 0x50, 0x44, 0x46], hint: 'Give the data itself, as CSV or JSON.' },
  { name: 'a PNG image', bytes: [0x89, 0x50, 0x4e, 0x47], hint: 'Give the data itself, as CSV or JSON.' },
  { name: 'a 7-Zip file', bytes: [0x37, 0x7a, 0xbc, 0xaf], hint: 'Unpack it and give the data file itself.' },
  { name: 'a RAR file', bytes: [0x52, 0x61, 0x72, 0x21], hint: 'Unpack it and give the data file itself.' },
  { name: 'a tar archive', bytes: [], hint: 'Unpack it and give the data file itself.' },
];

/** Refuses a file whose first bytes say that it is no text, and names what it is. */
export function checkBinary(head: Uint8Array, name: string): void {
  const kind = binaryKinds.find(({ bytes }) => bytes.length > 0 && bytes.every((byte, i) => head[i] === byte));
  const tar = Buffer.from(head.subarray(257, 262)).toString('latin1') === 'ustar';
  const found = tar ? binaryKinds.at(-1) : kind;
  if (found === undefined) return;
  throw new AssayError('dataset_format', `${name} is ${found.name}, not a text table`, {
    why: 'CSV, TSV, JSON and JSONL are read.',
    hint: found.hint,
  });
}

/** Refuses what decodes to more control characters than text has; a few zero bytes are left to the row they stand in. */
export function checkControls(text: Uint8Array, name: string): void {
  let controls = 0;
  for (const byte of text) if (byte === 0xff || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)) controls += 1;
  if (controls <= Math.max(1, text.length / 50)) return;
  throw new AssayError('dataset_format', `${name} is not a text table`, {
    why: `${controls} of its first ${text.length} characters are control characters or cannot be decoded.`,
    hint: 'CSV, TSV, JSON and JSONL are read, in UTF-8 or another encoding named with --encoding. Convert other formats first.',
  });
}
