import type { DateForm } from '@assay/contracts';

/** A date as it is written: three numbers and, perhaps, a time of day. */
export interface DateParts {
  /** True for year, month, day; else the year is the last of the three. */
  readonly yearFirst: boolean;
  readonly year: number;
  readonly first: number;
  readonly second: number;
  /** The character between them. */
  readonly mark: number;
  /** Where the date ends and a time of day begins. */
  readonly end: number;
}

const SHORTEST = 8;
const LONGEST = 40;
const MARKS = new Set([45, 46, 47]); // - . /

/** `2024-01-31`, `2024/1/31`, `31.01.2024`, `1/31/2024`, each with or without a time of day. */
export function isDate(bytes: Uint8Array, from: number, to: number): boolean {
  const length = to - from;
  if (length < SHORTEST || length > LONGEST || !isDigit(bytes[from]!)) return false;
  return dateParts(bytes, from, to) !== undefined;
}

/** Undefined for what is no date. Days are checked against 31, not against the calendar. */
export function dateParts(bytes: Uint8Array, from: number, to: number): DateParts | undefined {
  let at = from;
  const numbers = [0, 0, 0];
  const digits = [0, 0, 0];
  let mark = 0;
  for (let part = 0; part < 3; part += 1) {
    const start = at;
    while (at < to && at - start < 4 && isDigit(bytes[at]!)) {
      numbers[part] = numbers[part]! * 10 + bytes[at]! - 48;
      at += 1;
    }
    digits[part] = at - start;
    if (digits[part] === 0) return undefined;
    if (part === 2) break;
    const between = bytes[at];
    if (at >= to || between === undefined || !MARKS.has(between) || (part === 1 && between !== mark)) return undefined;
    mark = between;
    at += 1;
  }
  if (at < to && !isTime(Buffer.from(bytes.subarray(at, to)).toString('latin1'))) return undefined;
  const yearFirst = digits[0] === 4;
  const [year, first, second] = yearFirst
    ? [numbers[0]!, numbers[1]!, numbers[2]!]
    : [numbers[2]!, numbers[0]!, numbers[1]!];
  if (digits[yearFirst ? 0 : 2] !== 4 || digits[1]! > 2 || digits[yearFirst ? 2 : 0]! > 2) return undefined;
  if (first < 1 || second < 1 || first > 31 || second > 31) return undefined;
  if (yearFirst ? first > 12 : first > 12 && second > 12) return undefined;
  return { yearFirst, year, first, second, mark, end: at };
}

const TIME = /^[T ](\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?(?:Z| ?UTC|[+-]\d{2}:?\d{2})?$/;

function isTime(text: string): boolean {
  return TIME.test(text);
}

/** Gathers the dates of one column and says which of their numbers is the day. */
export class DateForms {
  #yearFirst = 0;
  #yearLast = 0;
  #points = 0;
  #highestFirst = 0;
  #highestSecond = 0;

  add(bytes: Uint8Array, start: number, end: number): void {
    let from = start;
    while (from < end && bytes[from]! <= 32) from += 1;
    let to = end;
    while (to > from && bytes[to - 1]! <= 32) to -= 1;
    const parts = dateParts(bytes, from, to);
    if (parts === undefined) return;
    if (parts.yearFirst) {
      this.#yearFirst += 1;
      return;
    }
    this.#yearLast += 1;
    if (parts.mark === 46) this.#points += 1;
    this.#highestFirst = Math.max(this.#highestFirst, parts.first);
    this.#highestSecond = Math.max(this.#highestSecond, parts.second);
  }

  /** Undefined when the dates are not all of one form. With points between them the day is first. */
  get form(): DateForm | undefined {
    if (this.#yearLast === 0) return 'y-m-d';
    if (this.#yearFirst > 0 || (this.#highestFirst > 12 && this.#highestSecond > 12)) return undefined;
    if (this.#highestFirst > 12) return 'd/m/y';
    if (this.#highestSecond > 12) return 'm/d/y';
    return this.#points === this.#yearLast ? 'd/m/y' : 'either';
  }
}

/**
 * A number by which dates of one known form are ordered: seconds since 1970 in UTC; a date without a zone counts as UTC.
 * Undefined for what is no date.
 */
export function dateOrder(text: string, form: Exclude<DateForm, 'either'>): number | undefined {
  const bytes = Buffer.from(text.trim());
  const parts = dateParts(bytes, 0, bytes.length);
  if (parts === undefined) return undefined;
  const [month, day] = form === 'd/m/y' ? [parts.second, parts.first] : [parts.first, parts.second];
  const days = Date.UTC(parts.year, month - 1, day) / 1000;
  const rest = bytes.toString('latin1', parts.end);
  const time = TIME.exec(rest);
  if (time === null) return days;
  const zone = /([+-])(\d{2}):?(\d{2})$/.exec(rest);
  const shift = zone === null ? 0 : (zone[1] === '-' ? 1 : -1) * (Number(zone[2]) * 3600 + Number(zone[3]) * 60);
  return days + Number(time[1]) * 3600 + Number(time[2]) * 60 + Number(time[3] ?? 0) + Number(time[4] ?? 0) + shift;
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}
