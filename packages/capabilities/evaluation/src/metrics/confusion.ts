import { AssayError } from '@assay/foundation';
import { limits } from '../data/limits.ts';
import { inParts } from './turn.ts';

/** The cells of a confusion matrix that are not zero, in the order of target, then predicted label. */
export interface Confusion {
  /** The union of labels in targets and predictions. */
  readonly labels: readonly string[];
  readonly target: Int32Array;
  readonly predicted: Int32Array;
  readonly count: Float64Array;
  readonly rows: number;
}

export interface ClassMetrics {
  readonly label: string;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Rows with this label in the targets. */
  readonly support: number;
}

type Compare = (a: string, b: string) => number;

/** Counts targets against predictions. Throws when there are too many labels to be a classification. */
export function confusionOf(targets: readonly string[], predictions: readonly string[], compare: Compare): Confusion {
  const counter = new ConfusionCounter(targets, predictions);
  counter.look(0, targets.length);
  counter.settle(compare);
  counter.count(0, targets.length);
  return counter.finish();
}

/** The same for any number of rows; other work of the process gets a turn on the way. */
export async function confusionOfMany(
  targets: readonly string[],
  predictions: readonly string[],
  { compare, signal }: { readonly compare: Compare; readonly signal: AbortSignal | undefined },
): Promise<Confusion> {
  const counter = new ConfusionCounter(targets, predictions);
  await inParts(targets.length, signal, (from, to) => counter.look(from, to));
  counter.settle(compare);
  await inParts(targets.length, signal, (from, to) => counter.count(from, to));
  return counter.finish();
}

/** First all labels are looked at, then settled in their order, then the rows are counted. */
class ConfusionCounter {
  readonly #targets: readonly string[];
  readonly #predictions: readonly string[];
  readonly #known = new Set<string>();
  readonly #union = new Set<string>();
  #labels: readonly string[] = [];
  #codes: ReadonlyMap<string, number> = new Map();
  readonly #counts = new Map<number, number>();

  constructor(targets: readonly string[], predictions: readonly string[]) {
    this.#targets = targets;
    this.#predictions = predictions;
  }

  look(from: number, to: number): void {
    for (let row = from; row < to; row += 1) {
      this.#known.add(this.#targets[row]!);
      this.#union.add(this.#predictions[row]!);
    }
  }

  settle(compare: Compare): void {
    const known = this.#known.size;
    for (const label of this.#known) this.#union.add(label);
    const unknown = this.#union.size - known;
    if (known > limits.labels || unknown > limits.labels)
      throw new AssayError('output_malformed', `the predictions hold ${unknown} labels that the data do not`, {
        why: `A classification takes at most ${limits.labels} labels and as many unknown ones.`,
        hint: 'Predict one of the labels of the training rows, not a number or a text of its own for each row.',
      });
    this.#labels = [...this.#union].sort(compare);
    this.#codes = new Map(this.#labels.map((label, code) => [label, code]));
  }

  count(from: number, to: number): void {
    const width = this.#labels.length;
    for (let row = from; row < to; row += 1) {
      const cell = this.#codes.get(this.#targets[row]!)! * width + this.#codes.get(this.#predictions[row]!)!;
      this.#counts.set(cell, (this.#counts.get(cell) ?? 0) + 1);
    }
  }

  finish(): Confusion {
    const width = this.#labels.length;
    const cells = [...this.#counts.keys()].sort((a, b) => a - b);
    return {
      labels: this.#labels,
      target: Int32Array.from(cells, (cell) => Math.floor(cell / width)),
      predicted: Int32Array.from(cells, (cell) => cell % width),
      count: Float64Array.from(cells, (cell) => this.#counts.get(cell)!),
      rows: this.#targets.length,
    };
  }
}

/** In which cell of the list each row is counted. */
export function cellOfRow(
  confusion: Confusion,
  targets: readonly string[],
  predictions: readonly string[],
): Uint32Array {
  const width = confusion.labels.length;
  const codes = new Map(confusion.labels.map((label, code) => [label, code]));
  const cellAt = new Map(Array.from(confusion.target, (target, i) => [target * width + confusion.predicted[i]!, i]));
  return Uint32Array.from(targets, (label, row) =>
    cellAt.get(codes.get(label)! * width + codes.get(predictions[row]!)!)!,
  );
}

/** The full matrix, rows = targets, columns = predictions. */
export function confusionMatrix(confusion: Confusion): number[][] {
  const matrix = confusion.labels.map(() => confusion.labels.map(() => 0));
  for (let i = 0; i < confusion.count.length; i += 1)
    matrix[confusion.target[i]!]![confusion.predicted[i]!] = confusion.count[i]!;
  return matrix;
}

/** Sums over rows, columns and diagonal of a matrix with these cells, reused from call to call. */
export class Tally {
  readonly #confusion: Confusion;
  readonly hits: Float64Array;
  readonly support: Float64Array;
  readonly predicted: Float64Array;

  constructor(confusion: Confusion) {
    this.#confusion = confusion;
    this.hits = new Float64Array(confusion.labels.length);
    this.support = new Float64Array(confusion.labels.length);
    this.predicted = new Float64Array(confusion.labels.length);
  }

  set(count: Float64Array): void {
    this.hits.fill(0);
    this.support.fill(0);
    this.predicted.fill(0);
    const { target, predicted } = this.#confusion;
    for (let i = 0; i < count.length; i += 1) {
      this.support[target[i]!]! += count[i]!;
      this.predicted[predicted[i]!]! += count[i]!;
      if (target[i] === predicted[i]) this.hits[target[i]!]! += count[i]!;
    }
  }

  /** Share of the rows whose prediction is the target. */
  accuracy(): number {
    return sum(this.hits) / sum(this.support);
  }

  /** hits / predicted; 0 when nothing was predicted as this label. */
  precision(label: number): number {
    return this.predicted[label] === 0 ? 0 : this.hits[label]! / this.predicted[label]!;
  }

  /** hits / support; 0 when no target has this label. */
  recall(label: number): number {
    return this.support[label] === 0 ? 0 : this.hits[label]! / this.support[label]!;
  }

  /** 2 · hits / (support + predicted), which is the harmonic mean of precision and recall. */
  f1(label: number): number {
    const both = this.support[label]! + this.predicted[label]!;
    return both === 0 ? 0 : (2 * this.hits[label]!) / both;
  }

  /** The mean of F1 over labels that stand in targets or predictions. */
  macroF1(): number {
    let total = 0;
    let labels = 0;
    for (let label = 0; label < this.hits.length; label += 1) {
      const seen = this.support[label]! + this.predicted[label]!;
      if (seen === 0) continue;
      total += this.f1(label);
      labels += 1;
    }
    return total / labels;
  }
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
