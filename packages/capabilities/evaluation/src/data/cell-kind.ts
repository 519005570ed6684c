/**
 * What one cell of a table is. `empty` and `missing` (NA, NaN, null … written out) are both absent values; the rest are
 * values. Whole numbers beyond ±(2^53 − 1) and digits with leading zeros are text: they are names, not quantities.
 */
export const cellKind = { empty: 0, missing: 1, integer: 2, number: 3, boolean: 4, text: 5 } as const;
export type CellKind = (typeof cellKind)[keyof typeof cellKind];

export function isValue(kind: number): boolean {
  return kind >= cellKind.integer;
}

/** Texts that are read as absent values in CSV and TSV. A cell that says one of these is counted and reported. */
export const missingTexts = ['NA', 'N/A', 'n/a', 'NaN', 'nan', 'NULL', 'null', 'None', '#N/A', '<NA>'] as const;

const booleanTexts = ['true', 'True', 'TRUE', 'false', 'False', 'FALSE'] as const;

const missingBytes = missingTexts.map((text) => Buffer.from(text));
const booleanBytes = booleanTexts.map((text) => Buffer.from(text));
/** By byte: the kind of the words that start with it. */
const wordStarts = new Uint8Array(256).fill(cellKind.text);
for (const word of missingBytes) wordStarts[word[0]!] = cellKind.missing;
for (const word of booleanBytes) wordStarts[word[0]!] = cellKind.boolean;

/** The kind of the cell in `bytes[start, end)`; blanks around a number, a boolean or a missing text do not count. */
export function classifyBytes(bytes: Uint8Array, start: number, end: number): CellKind {
  let from = start;
  let to = end;
  while (from < to && isBlank(bytes[from]!)) from += 1;
  while (to > from && isBlank(bytes[to - 1]!)) to -= 1;
  if (from === to) return cellKind.empty;
  const first = bytes[from]!;
  if (first <= 57 && (first >= 48 || first === 43 || first === 45 || first === 46))
    return classifyNumber(bytes, from, to);
  // Every word below has at most five bytes, and few texts start like one.
  const kind = to - from > 5 ? cellKind.text : wordStarts[first];
  if (kind === cellKind.missing && equalsAny(bytes, from, to, missingBytes)) return cellKind.missing;
  if (kind === cellKind.boolean && equalsAny(bytes, from, to, booleanBytes)) return cellKind.boolean;
  return cellKind.text;
}

/** The kind of a text by the same rules. */
export function classifyText(text: string): CellKind {
  const bytes = Buffer.from(text);
  return classifyBytes(bytes, 0, bytes.length);
}

function isBlank(byte: number): boolean {
  return byte === 32 || byte === 9;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}

function equalsAny(bytes: Uint8Array, from: number, to: number, words: readonly Uint8Array[]): boolean {
  for (const word of words) {
    let i = to - from === word.length ? 0 : word.length + 1;
    while (i < word.length && word[i] === bytes[from + i]) i += 1;
    if (i === word.length) return true;
  }
  return false;
}

/** Decimal grammar `[+-] digits [. digits] [e [+-] digits]`, at least one digit before the exponent. */
function classifyNumber(bytes: Uint8Array, from: number, to: number): CellKind {
  let at = from;
  if (bytes[at] === 43 || bytes[at] === 45) at += 1;
  const whole = at;
  while (at < to && isDigit(bytes[at])) at += 1;
  const wholeDigits = at - whole;
  if (wholeDigits > 1 && bytes[whole] === 48) return cellKind.text;
  if (at === to) return wholeDigits === 0 ? cellKind.text : classifyWhole(bytes, from, to, wholeDigits);
  let fractionDigits = 0;
  if (bytes[at] === 46) {
    at += 1;
    const fraction = at;
    while (at < to && isDigit(bytes[at])) at += 1;
    fractionDigits = at - fraction;
  }
  if (wholeDigits + fractionDigits === 0) return cellKind.text;
  if (at === to) return wholeDigits < 300 ? cellKind.number : cellKind.text;
  return isExponent(bytes, at, to) && Number.isFinite(Number(latin1(bytes, from, to)))
    ? cellKind.number
    : cellKind.text;
}

function classifyWhole(bytes: Uint8Array, from: number, to: number, digits: number): CellKind {
  if (digits < 16) return cellKind.integer;
  if (digits > 16) return cellKind.text;
  return Number.isSafeInteger(Number(latin1(bytes, from, to))) ? cellKind.integer : cellKind.text;
}

function isExponent(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  if (bytes[at] !== 69 && bytes[at] !== 101) return false;
  at += 1;
  if (bytes[at] === 43 || bytes[at] === 45) at += 1;
  const digits = at;
  while (at < to && isDigit(bytes[at])) at += 1;
  return at === to && at > digits;
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
