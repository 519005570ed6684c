import { isDate } from './date-cell.ts';

/**
 * What one cell of a table is. `empty` and `missing` (NA, NaN, null … written out) are both absent values; the rest are
 * values. Whole numbers beyond ±(2^53 − 1) and digits with leading zeros are text: they are names, not quantities.
 * A `placeholder` (-, ? …) is absent among numbers and dates, and a text among texts.
 */
export const cellKind = {
  empty: 0,
  missing: 1,
  integer: 2,
  number: 3,
  boolean: 4,
  text: 5,
  date: 6,
  placeholder: 7,
} as const;
export type CellKind = (typeof cellKind)[keyof typeof cellKind];

export function isValue(kind: number): boolean {
  return kind >= cellKind.integer;
}

/** Texts that are read as absent values in CSV and TSV. A cell that says one of these is counted and reported. */
export const missingTexts = ['NA', 'N/A', 'n/a', 'NaN', 'nan', 'NULL', 'null', 'None', '#N/A', '<NA>'] as const;

/** Texts that stand for an absent value where a column otherwise holds numbers or dates. */
export const placeholderTexts = ['-', '--', '?', '.', '—', '缺失'] as const;

const booleanTexts = ['true', 'True', 'TRUE', 'false', 'False', 'FALSE'] as const;

interface Word {
  readonly bytes: Uint8Array;
  readonly kind: CellKind;
}

/** By first byte: the words that start with it. */
const wordsByStart: (readonly Word[] | undefined)[] = Array.from({ length: 256 }, () => undefined);
addWords(missingTexts, cellKind.missing);
addWords(placeholderTexts, cellKind.placeholder);
addWords(booleanTexts, cellKind.boolean);

function addWords(texts: readonly string[], kind: CellKind): void {
  for (const text of texts) {
    const bytes = Buffer.from(text);
    wordsByStart[bytes[0]!] = [...(wordsByStart[bytes[0]!] ?? []), { bytes, kind }];
  }
}

/** The kind of the cell in `bytes[start, end)`; blanks around a number, a boolean or a missing text do not count. */
export function classifyBytes(bytes: Uint8Array, start: number, end: number): CellKind {
  let from = start;
  let to = end;
  while (from < to && isBlank(bytes[from]!)) from += 1;
  while (to > from && isBlank(bytes[to - 1]!)) to -= 1;
  if (from === to) return cellKind.empty;
  const first = bytes[from]!;
  if (first <= 57 && (first >= 48 || first === 43 || first === 45 || first === 46)) {
    const kind = classifyNumber(bytes, from, to);
    if (kind !== cellKind.text) return kind;
    if (isDate(bytes, from, to)) return cellKind.date;
  }
  // Every word has at most six bytes, and few texts start like one.
  const words = to - from > 6 ? undefined : wordsByStart[first];
  return words === undefined ? cellKind.text : classifyWord(bytes, from, to, words);
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

function classifyWord(bytes: Uint8Array, from: number, to: number, words: readonly Word[]): CellKind {
  for (const word of words) {
    const expected = word.bytes;
    if (expected.length !== to - from) continue;
    let i = 1; // the first byte was looked up
    while (i < expected.length && expected[i] === bytes[from + i]) i += 1;
    if (i === expected.length) return word.kind;
  }
  return cellKind.text;
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
