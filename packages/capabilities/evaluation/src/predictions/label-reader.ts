import type { ColumnType } from '@assay/contracts';
import { cellKind, classifyText } from '../data/cell-kind.ts';
import { canonicalLabel } from '../data/typed-cell.ts';
import { JsonNumber, type StrictJson } from '../data/strict-json.ts';

/**
 * Reads predicted labels in the type of the target column. A prediction that is written in another type than the labels
 * are is read where its meaning is plain, and every such reading is counted and reported.
 */
export class LabelReader {
  readonly #type: ColumnType;
  readonly #interned = new Map<string, string>();
  readonly #notes = new Map<string, number>();

  constructor(type: ColumnType) {
    this.#type = type;
  }

  /** The canonical label, or undefined for null, an object or an array. */
  read(value: StrictJson): string | undefined {
    if (typeof value === 'string') return this.#intern(this.fromText(value));
    if (typeof value === 'boolean') return this.#intern(this.#fromBoolean(value));
    if (value instanceof JsonNumber) return this.#intern(this.#fromNumber(value));
    return undefined;
  }

  /** What was read as something else, such as `12 predictions were text and read as integer labels`. */
  get notes(): readonly string[] {
    return [...this.#notes].map(([note, count]) => `${count} predictions were ${note}`);
  }

  /** A text in the target's type; also how the keys of scores are read. */
  fromText(text: string, count = true): string {
    if (this.#type === 'text' || this.#type === 'date' || this.#type === 'unknown') return text;
    const kind = classifyText(text);
    const fits =
      this.#type === 'boolean' ? kind === cellKind.boolean : kind === cellKind.integer || kind === cellKind.number;
    if (!fits) {
      if (count) this.#note(`text that is no ${this.#type} and kept as it is`);
      return text;
    }
    if (count) this.#note(`text and read as ${this.#type} labels`);
    return canonicalLabel(text, this.#type);
  }

  #fromBoolean(value: boolean): string {
    if (this.#type !== 'boolean') this.#note('booleans where the labels are not, and read as text');
    return String(value);
  }

  #fromNumber(value: JsonNumber): string {
    switch (this.#type) {
      case 'integer':
        if (!value.isWhole) this.#note('numbers with a fraction part and read by their value');
        return String(Number(value.text) + 0);
      case 'number':
        return String(Number(value.text) + 0);
      case 'boolean':
        return this.#zeroOrOne(value);
      case 'text':
      case 'date':
      case 'unknown':
      default:
        this.#note('numbers and read as text');
        return value.text;
    }
  }

  #zeroOrOne(value: JsonNumber): string {
    const number = Number(value.text);
    if (number !== 0 && number !== 1) {
      this.#note('numbers where the labels are booleans');
      return value.text;
    }
    this.#note('0 or 1 and read as false or true');
    return String(number === 1);
  }

  #note(note: string): void {
    this.#notes.set(note, (this.#notes.get(note) ?? 0) + 1);
  }

  /** One string object per label, so that a million predictions hold a million pointers and not a million texts. */
  #intern(label: string): string {
    const known = this.#interned.get(label);
    if (known !== undefined) return known;
    this.#interned.set(label, label);
    return label;
  }
}
