import type { ColumnType, DatasetColumn } from '@assay/contracts';
import { cellKind, isValue } from '../data/cell-kind.ts';
import type { RowView } from '../data/row-view.ts';
import { ValueCounter, type CountBudget } from './value-counter.ts';

/** What is gathered of one column while rows go by. */
export class ColumnStats {
  /** Set late for JSON, whose keys are known only at the end. */
  name: string;
  readonly values: ValueCounter;
  readonly #kinds = new Float64Array(6);

  constructor(name: string, budget: CountBudget) {
    this.name = name;
    this.values = new ValueCounter(budget);
  }

  add(row: RowView, column: number): void {
    const kind = row.kind(column);
    this.#kinds[kind]! += 1;
    if (isValue(kind)) this.values.add(row.view, row.starts[column]!, row.ends[column]!);
  }

  /** Cells that say NA, NaN, null … instead of being empty. */
  get missingTexts(): number {
    return this.#kinds[cellKind.missing]!;
  }

  get nonNull(): number {
    return this.#of('integer') + this.#of('number') + this.#of('boolean') + this.#of('text');
  }

  /** The narrowest type that holds every value; numbers and booleans in one column make it text. */
  get type(): ColumnType {
    if (this.nonNull === 0) return 'unknown';
    const numeric = this.#of('integer') + this.#of('number');
    if (this.#of('text') > 0 || (this.#of('boolean') > 0 && numeric > 0)) return 'text';
    if (this.#of('boolean') > 0) return 'boolean';
    return this.#of('number') > 0 ? 'number' : 'integer';
  }

  /** Texts beside numbers or booleans: in JSON, 5 and "5" cannot be told apart as labels. */
  get mixed(): boolean {
    return this.#of('text') > 0 && this.nonNull > this.#of('text');
  }

  describe(position: number): DatasetColumn {
    return {
      name: this.name,
      position,
      inferredType: this.type,
      nonNull: this.nonNull,
      distinct: this.values.distinct,
      distinctExact: this.values.exact,
    };
  }

  #of(kind: keyof typeof cellKind): number {
    return this.#kinds[cellKind[kind]]!;
  }
}
