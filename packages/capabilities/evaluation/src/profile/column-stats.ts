import type { ColumnType, DatasetColumn } from '@assay/contracts';
import { cellKind, isValue, type CellKind } from '../data/cell-kind.ts';
import { DateForms } from '../data/date-cell.ts';
import type { RowView } from '../data/row-view.ts';
import { writtenAs } from './number-texts.ts';
import { ValueCounter, type CountBudget } from './value-counter.ts';

const LOOKED_AT = 50;

/** What is gathered of one column while rows go by. */
export class ColumnStats {
  /** Set late for JSON, whose keys are known only at the end. */
  name: string;
  readonly values: ValueCounter;
  readonly #kinds = new Float64Array(8);
  readonly #placeholders = new Map<string, number>();
  /** The first texts, by which numbers with signs of their own are recognised. */
  readonly #texts: string[] = [];
  #dates: DateForms | undefined;

  constructor(name: string, budget: CountBudget) {
    this.name = name;
    this.values = new ValueCounter(budget);
  }

  add(row: RowView, column: number): void {
    const kind = row.kind(column);
    this.#kinds[kind]! += 1;
    if (!isValue(kind)) return;
    const unusual = kind > cellKind.text || (kind === cellKind.text && this.#texts.length < LOOKED_AT);
    if (unusual && !this.#addText(row, column, kind)) return;
    this.values.add(row.view, row.starts[column]!, row.ends[column]!);
  }

  /** Whether the cell counts as a value whatever the column turns out to be. */
  #addText(row: RowView, column: number, kind: CellKind): boolean {
    const start = row.starts[column]!;
    const end = row.ends[column]!;
    if (kind === cellKind.text) {
      this.#texts.push(row.bytes.toString('utf8', start, end));
      return true;
    }
    if (kind === cellKind.date) {
      (this.#dates ??= new DateForms()).add(row.bytes, start, end);
      return true;
    }
    const text = row.bytes.toString('utf8', start, end);
    this.#placeholders.set(text, (this.#placeholders.get(text) ?? 0) + 1);
    return false;
  }

  /** All rows were seen: placeholders in a column of texts are texts. */
  finish(): void {
    if (this.type !== 'text') return;
    for (const [text, count] of this.#placeholders) this.values.addText(text, count);
  }

  /** Cells that say NA, NaN, null … instead of being empty; among numbers and dates also - and the like. */
  get missingTexts(): number {
    return this.#of('missing') + (this.type === 'text' ? 0 : this.#of('placeholder'));
  }

  /** In a column of texts: what stands there that elsewhere would mean that a value is missing. */
  get placeholders(): ReadonlyMap<string, number> {
    return this.#placeholders;
  }

  get nonNull(): number {
    return this.#plain + (this.type === 'text' ? this.#of('placeholder') : 0);
  }

  /** Values that are no placeholders. */
  get #plain(): number {
    return this.#of('integer') + this.#of('number') + this.#of('boolean') + this.#of('date') + this.#of('text');
  }

  /** The narrowest type that holds every value; numbers, booleans and dates in one column make it text. */
  get type(): ColumnType {
    const plain = this.#plain;
    if (plain === 0) return this.#of('placeholder') > 0 ? 'text' : 'unknown';
    if (this.#of('boolean') === plain) return 'boolean';
    if (this.#of('date') === plain) return this.#dates?.form === undefined ? 'text' : 'date';
    if (this.#of('integer') + this.#of('number') < plain) return 'text';
    return this.#of('number') > 0 ? 'number' : 'integer';
  }

  /** Texts beside numbers or booleans: in JSON, 5 and "5" cannot be told apart as labels. */
  get mixed(): boolean {
    const texts = this.#of('text') + this.#of('date');
    return texts > 0 && this.#plain > texts;
  }

  describe(position: number): DatasetColumn {
    const dateForm = this.type === 'date' ? this.#dates?.form : undefined;
    const written = this.type === 'text' ? writtenAs(this.#texts, this.#of('integer') + this.#of('number')) : undefined;
    return {
      name: this.name,
      position,
      inferredType: this.type,
      nonNull: this.nonNull,
      distinct: this.values.distinct,
      distinctExact: this.values.exact,
      ...(dateForm === undefined ? {} : { dateForm }),
      ...(written === undefined ? {} : { writtenAs: written }),
    };
  }

  #of(kind: keyof typeof cellKind): number {
    return this.#kinds[cellKind[kind]]!;
  }
}
