import { cellKind, classifyText, type CellKind } from './cell-kind.ts';

/** How numbers are written in a file when it is not with a decimal point and no other mark. */
export interface NumberMarks {
  readonly decimal: '.' | ',';
  readonly thousands?: string | undefined;
}

/** Reads numbers such as `1.234,5`: gives them in the usual form, and their kind. */
export class NumberStyle {
  readonly #pattern: RegExp;
  readonly #marks: NumberMarks;

  constructor(marks: NumberMarks) {
    this.#marks = marks;
    const { decimal, thousands } = marks;
    const grouped = thousands === undefined ? '' : `\\d{1,3}(?:\\${thousands}\\d{3})+|`;
    this.#pattern = new RegExp(`^[+-]?(?:(?:${grouped}\\d+)(?:\\${decimal}\\d*)?|\\${decimal}\\d+)(?:[eE][+-]?\\d+)?$`);
  }

  /** The number with a decimal point and no other mark; undefined for what is no number. */
  plain(text: string): string | undefined {
    const trimmed = text.trim();
    if (!this.#pattern.test(trimmed)) return undefined;
    const { decimal, thousands } = this.#marks;
    const joined = thousands === undefined ? trimmed : trimmed.replaceAll(thousands, '');
    return decimal === '.' ? joined : joined.replace(decimal, '.');
  }

  kind(text: string): CellKind {
    const plain = this.plain(text);
    if (plain !== undefined) return classifyText(plain);
    const kind = classifyText(text);
    // A number in the usual form is none in this one.
    return kind === cellKind.integer || kind === cellKind.number ? cellKind.text : kind;
  }
}

/** Undefined when numbers are written in the usual form. */
export function numberStyleOf(marks: {
  readonly decimal?: '.' | ',' | undefined;
  readonly thousands?: string | undefined;
}): NumberStyle | undefined {
  const { decimal = '.', thousands } = marks;
  return decimal === '.' && thousands === undefined ? undefined : new NumberStyle({ decimal, thousands });
}
