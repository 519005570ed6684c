import { AssayError } from '@assay/foundation';
import { limits } from './limits.ts';
import type { RowView } from './row-view.ts';

/** Numbers the groups of rows in order of first appearance; a row without a group is a group of its own. */
export class GroupCodes {
  readonly #column: { readonly name: string; readonly position: number };
  readonly #codes = new Map<string, number>();
  #next = 0;

  constructor(column: { readonly name: string; readonly position: number }) {
    this.#column = column;
  }

  codeOf(row: RowView): number {
    const text = row.text(this.#column.position);
    const known = text === null ? undefined : this.#codes.get(text);
    if (known !== undefined) return known;
    const code = this.#next;
    this.#next += 1;
    if (text !== null) this.#codes.set(text, code);
    if (this.#codes.size > limits.groups)
      throw new AssayError('invalid_request', `"${this.#column.name}" has more than ${limits.groups} groups`, {
        why: 'A column with so many values names rows, not groups of them.',
        hint: 'Name another column with --group, or leave it out.',
      });
    return code;
  }
}
