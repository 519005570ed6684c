import { cellKind, classifyBytes, type CellKind } from './cell-kind.ts';
import type { RowView } from './row-view.ts';

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const COMMA = 44;
const OPEN = 123;
const CLOSE = 125;
const MINUS = 45;
const POINT = 46;

/** Whole numbers with fewer digits than this are exact in a double (2^53 has 16). */
const SAFE_DIGITS = 16;

const words = (['true', 'false', 'null'] as const).map((text) => ({
  bytes: Buffer.from(text),
  kind: text === 'null' ? cellKind.empty : cellKind.boolean,
}));

/**
 * Reads lines that are one flat JSON object with known keys, plain strings, short numbers and words, without making a
 * string of any cell: cells are ranges of the line. Everything else (escapes, nesting, new keys, a key that stands twice,
 * broken JSON) is left to the strict parser, so that both together read what that parser alone would.
 */
export class FlatJsonLine {
  #keys: readonly Buffer[] = [];
  /** For each column: the number of the line that had it last. */
  #seen = new Float64Array(0);
  #line = 0;

  /** The columns, in their order. */
  know(names: readonly string[]): void {
    if (names.length === this.#keys.length) return;
    this.#keys = names.map((name) => Buffer.from(name));
    this.#seen = new Float64Array(names.length);
  }

  /** Fills cells of the row, whose bytes are the line; false when the line is not that plain. */
  read(line: Buffer, row: RowView): boolean {
    this.#line += 1;
    let at = skipBlanks(line, 0);
    if (line[at] !== OPEN) return false;
    at = skipBlanks(line, at + 1);
    for (let member = 0; ; member += 1) {
      if (line[at] !== QUOTE) return false;
      const keyEnd = stringEnd(line, at + 1);
      if (keyEnd === -1) return false;
      const position = this.#position(line, at + 1, keyEnd, member);
      if (position === -1) return false;
      at = skipBlanks(line, keyEnd + 1);
      if (line[at] !== COLON) return false;
      at = value(line, skipBlanks(line, at + 1), row, position);
      if (at === -1) return false;
      at = skipBlanks(line, at);
      if (line[at] === CLOSE) return skipBlanks(line, at + 1) === line.length;
      if (line[at] !== COMMA) return false;
      at = skipBlanks(line, at + 1);
    }
  }

  /** Keys mostly stand in the order of the columns; −1 for one that is new or stands twice. */
  #position(line: Buffer, start: number, end: number, member: number): number {
    const expected = this.#keys[member];
    const position =
      expected !== undefined && same(line, start, end, expected)
        ? member
        : this.#keys.findIndex((key) => same(line, start, end, key));
    if (position === -1 || this.#seen[position] === this.#line) return -1;
    this.#seen[position] = this.#line;
    return position;
  }
}

/** Behind the value at `at`, whose cell is set; −1 for what is not plain. */
function value(line: Buffer, at: number, row: RowView, position: number): number {
  const first = line[at];
  if (first === QUOTE) {
    const end = stringEnd(line, at + 1);
    if (end === -1) return -1;
    const kind = textKind(line, at + 1, end);
    if (kind === undefined) return -1;
    return set(row, position, { start: at + 1, end, kind, next: end + 1 });
  }
  if (first === MINUS || isDigit(first)) return number(line, at, row, position);
  for (const { bytes, kind } of words)
    if (same(line, at, at + bytes.length, bytes))
      return set(row, position, { start: at, end: at + bytes.length, kind, next: at + bytes.length });
  return -1;
}

interface Cell {
  readonly start: number;
  readonly end: number;
  readonly kind: CellKind;
  readonly next: number;
}

function set(row: RowView, position: number, { start, end, kind, next }: Cell): number {
  row.starts[position] = start;
  row.ends[position] = end;
  row.kinds![position] = kind;
  return next;
}

/** JSON's grammar without exponents, at most 15 digits before the point. */
function number(line: Buffer, at: number, row: RowView, position: number): number {
  const whole = line[at] === MINUS ? at + 1 : at;
  let end = whole;
  while (isDigit(line[end])) end += 1;
  const digits = end - whole;
  if (digits === 0 || digits >= SAFE_DIGITS || (digits > 1 && line[whole] === 48)) return -1;
  let kind: CellKind = cellKind.integer;
  if (line[end] === POINT) {
    const fraction = end + 1;
    end = fraction;
    while (isDigit(line[end])) end += 1;
    if (end === fraction) return -1;
    kind = cellKind.number;
  }
  if (line[end] === 69 || line[end] === 101) return -1;
  return set(row, position, { start: at, end, kind, next: end });
}

/** Undefined when the text may be blank, which the slow way decides. */
function textKind(line: Buffer, start: number, end: number): CellKind | undefined {
  if (start === end) return cellKind.empty;
  const first = line[start]!;
  if (isDigit(first)) return classifyBytes(line, start, end) === cellKind.date ? cellKind.date : cellKind.text;
  return first > 32 && first < 0x80
    ? cellKind.text
    : line[end - 1]! > 32 && line[end - 1]! < 0x80
      ? cellKind.text
      : undefined;
}

/** Place of the closing quote; −1 when an escape or a control character comes before it. */
function stringEnd(line: Buffer, from: number): number {
  for (let at = from; at < line.length; at += 1) {
    const byte = line[at]!;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH || byte < 32) return -1;
  }
  return -1;
}

function same(line: Buffer, start: number, end: number, key: Buffer): boolean {
  if (end - start !== key.length || end > line.length) return false;
  for (let i = 0; i < key.length; i += 1) if (line[start + i] !== key[i]) return false;
  return true;
}

function skipBlanks(line: Buffer, from: number): number {
  let at = from;
  while (line[at] === 32 || line[at] === 9 || line[at] === 13 || line[at] === 10) at += 1;
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}
