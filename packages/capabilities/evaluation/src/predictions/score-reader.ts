import { JsonNumber, type StrictJson } from '../data/strict-json.ts';
import { limits } from '../data/limits.ts';
import type { Scores } from '../metrics/scores.ts';
import type { LabelReader } from './label-reader.ts';
import { malformed, notFinite, type PredictionPlace } from './prediction-errors.ts';

const SUM_TOLERANCE = 1e-6;

/** Gathers the score distributions of a predictions file: all rows have one, over the same labels, or none has. */
export class ScoreReader {
  readonly #labels: LabelReader;
  #columns: Map<string, number> | undefined;
  #values = new Float64Array(1024);
  #used = 0;
  #rows = 0;
  #without = 0;
  /** Positions of the rows in file order. */
  readonly #order: number[] = [];

  constructor(labels: LabelReader) {
    this.#labels = labels;
  }

  add(position: number, score: StrictJson | undefined, place: PredictionPlace): void {
    if (score === undefined || score === null) {
      this.#without += 1;
      if (this.#rows > 0) throw malformed(place, 'It has no score while earlier lines have one');
      return;
    }
    if (this.#without > 0) throw malformed(place, 'It has a score while earlier lines have none');
    if (!(score instanceof Map)) throw malformed(place, 'Its score is not an object of label and probability');
    this.#addRow(score as ReadonlyMap<string, StrictJson>, place);
    this.#order.push(position);
    this.#rows += 1;
  }

  /** Rows in the order of positions. */
  finish(): Scores | undefined {
    if (this.#columns === undefined) return undefined;
    const width = this.#columns.size;
    const probabilities = new Float64Array(this.#rows * width);
    for (let i = 0; i < this.#rows; i += 1)
      probabilities.set(this.#values.subarray(i * width, (i + 1) * width), this.#order[i]! * width);
    return { labels: [...this.#columns.keys()], probabilities };
  }

  #addRow(score: ReadonlyMap<string, StrictJson>, place: PredictionPlace): void {
    const columns = (this.#columns ??= this.#readColumns(score, place));
    if (score.size !== columns.size) throw malformed(place, 'Its score has other labels than the first line');
    this.#reserve(columns.size);
    const seen = new Set<number>();
    let sum = 0;
    for (const [key, value] of score) {
      const column = columns.get(this.#labels.fromText(key, false));
      if (column === undefined || seen.has(column))
        throw malformed(place, `Its score has the label ${JSON.stringify(key)}, the first line does not, or twice`);
      seen.add(column);
      if (!(value instanceof JsonNumber)) throw malformed(place, `The score of ${JSON.stringify(key)} is not a number`);
      if (!value.finite) throw notFinite(place, 'a score that is not finite');
      const probability = Number(value.text);
      if (probability < 0 || probability > 1 + SUM_TOLERANCE)
        throw malformed(place, `The score of ${JSON.stringify(key)} is ${value.text}, not a probability`);
      this.#values[this.#used + column] = probability;
      sum += probability;
    }
    if (Math.abs(sum - 1) > SUM_TOLERANCE) throw malformed(place, `Its scores sum to ${sum}, not to 1`);
    this.#used += columns.size;
  }

  #readColumns(score: ReadonlyMap<string, StrictJson>, place: PredictionPlace): Map<string, number> {
    if (score.size === 0 || score.size > 2 * limits.labels)
      throw malformed(place, `Its score has ${score.size} labels (1 to ${2 * limits.labels} are read)`);
    return new Map([...score.keys()].map((key, i) => [this.#labels.fromText(key, false), i]));
  }

  /** Grows with what is really read: a first line with many labels must not make room for all rows at once. */
  #reserve(width: number): void {
    if (this.#used + width <= this.#values.length) return;
    const larger = new Float64Array(Math.max(this.#values.length * 2, this.#used + width));
    larger.set(this.#values);
    this.#values = larger;
  }
}
