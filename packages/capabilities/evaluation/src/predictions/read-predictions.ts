import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { basename, dirname, relative } from 'node:path';
import type { ColumnType, EvaluationTask } from '@assay/contracts';
import { LineSplitter } from '../data/line-splitter.ts';
import { JsonNumber, parseStrictJson, StrictJsonError, type StrictJson } from '../data/strict-json.ts';
import { strictJsonText } from '../data/strict-json-text.ts';
import { cellKind, classifyText } from '../data/cell-kind.ts';
import type { Scores } from '../metrics/scores.ts';
import { LineWriter, type WrittenFile } from '../split/line-writer.ts';
import { placeOf, placesOf } from '../split/row-list.ts';
import { LabelReader } from './label-reader.ts';
import { openOutput } from './open-output.ts';
import { duplicated, incomplete, malformed, notFinite, outOfRange, type PredictionPlace } from './prediction-errors.ts';
import { ScoreReader } from './score-reader.ts';

/** Size limits of what an adapter writes, in bytes. */
export const outputLimits = {
  predictions: 256 * 1024 * 1024,
  /** With more rows than the limit above has room for, so many for each. */
  predictionsPerRow: 64,
  metrics: 1024 * 1024,
  runManifest: 1024 * 1024,
  line: 1024 * 1024,
} as const;

export interface ReadPredictionsOptions {
  /** Ascending rows that were handed out. */
  readonly handedOut: Uint32Array;
  /**
   * The same rows in the order in which they were handed out: in what a run left, `row_index` counts them. Without it
   * `row_index` is the row of the file, as in everything that is published.
   */
  readonly order?: Uint32Array | undefined;
  /** Where the same predictions are written under the rows of the file; nothing may stand there. */
  readonly renumberedTo?: string | undefined;
  readonly task: EvaluationTask;
  /** Type of the target column; text when there is none. */
  readonly targetType?: ColumnType | undefined;
  /** The folder below which no component may be a link; the file's own folder when absent. */
  readonly root?: string | undefined;
  /** Milliseconds since 1970: an older file was not made by this run. */
  readonly notBefore?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Everything is in the order of the handed-out rows, whatever the order in the file. */
export interface Predictions {
  readonly task: EvaluationTask;
  readonly rows: Uint32Array;
  /** Classification: canonical labels. */
  readonly labels?: readonly string[];
  /** Regression. */
  readonly values?: Float64Array;
  readonly scores?: Scores;
  /** Every reading that was not literal, with its count. */
  readonly normalised: readonly string[];
  readonly sha256: string;
  readonly size: number;
  /** What was written under the rows of the file. */
  readonly renumbered?: WrittenFile | undefined;
}

/** Of a row of the file. */
const MOST_DIGITS = 10;
const KEYS = new Set(['row_index', 'prediction', 'score']);

/**
 * Reads `predictions.jsonl` strictly, as a stream: one JSON object per line, the keys `row_index`, `prediction` and
 * optionally `score` and no others, no key twice, no blank line. `row_index` is a JSON integer (not "3", not 3.0).
 * Throws `output_*` for the file, `predictions_*` for its content, with line and row.
 */
export async function readPredictions(file: string, options: ReadPredictionsOptions): Promise<Predictions> {
  const root = options.root ?? dirname(file);
  const maxBytes = options.maxBytes ?? largestPredictions(options.handedOut.length);
  await using output = await openOutput(root, relative(root, file), { maxBytes, notBefore: options.notBefore });
  using renumbered = options.renumberedTo === undefined ? undefined : new LineWriter(options.renumberedTo);
  const pass = new PredictionPass(basename(file), options, renumbered);
  const hash = createHash('sha256');
  for await (const block of output.blocks(options.signal)) {
    hash.update(block);
    pass.write(block);
  }
  return { ...pass.finish(), sha256: hash.digest('hex'), size: output.size, renumbered: renumbered?.finish() };
}

/** What may be read of published predictions: with the rows of the file, whose numbers are longer. */
export function largestPublished(rows: number): number {
  return 1.5 * largestPredictions(rows);
}

/** Of millions of rows even short lines take more than the usual limit. */
function largestPredictions(rows: number): number {
  return Math.max(outputLimits.predictions, rows * outputLimits.predictionsPerRow);
}

class PredictionPass {
  readonly #file: string;
  readonly #options: ReadPredictionsOptions;
  readonly #labelReader: LabelReader;
  readonly #scores: ScoreReader;
  readonly #lines: LineSplitter;
  readonly #seen: Uint8Array;
  /** Place in the ascending rows of each `row_index`. */
  readonly #places: Uint32Array | undefined;
  readonly #labels: string[] | undefined;
  readonly #values: Float64Array | undefined;
  readonly #renumbered: LineWriter | undefined;
  #textNumbers = 0;

  constructor(file: string, options: ReadPredictionsOptions, renumbered: LineWriter | undefined) {
    const total = options.handedOut.length;
    this.#file = file;
    this.#renumbered = renumbered;
    this.#options = options;
    this.#labelReader = new LabelReader(options.targetType ?? 'text');
    this.#scores = new ScoreReader(this.#labelReader);
    this.#seen = new Uint8Array(total);
    this.#places = options.order === undefined ? undefined : placesOf(options.order, options.handedOut);
    this.#labels = options.task === 'classification' ? Array.from({ length: total }, () => '') : undefined;
    this.#values = options.task === 'regression' ? new Float64Array(total) : undefined;
    const maxBytes = outputLimits.line - (renumbered === undefined ? 0 : MOST_DIGITS);
    this.#lines = new LineSplitter({
      maxBytes,
      onLine: (line) => this.#line(line),
      onTooLong: (line) => malformed({ file, line }, `It is longer than ${maxBytes} bytes`),
    });
  }

  write(block: Buffer): void {
    this.#lines.write(block);
  }

  finish(): Omit<Predictions, 'sha256' | 'size'> {
    this.#lines.finish();
    this.#checkComplete();
    const scores = this.#scores.finish();
    const numbers = this.#textNumbers > 0 ? [`${this.#textNumbers} predictions were text and read as numbers`] : [];
    return {
      task: this.#options.task,
      rows: this.#options.handedOut,
      ...(this.#labels === undefined ? {} : { labels: this.#labels }),
      ...(this.#values === undefined ? {} : { values: this.#values }),
      ...(scores === undefined ? {} : { scores }),
      normalised: [...this.#labelReader.notes, ...numbers],
    };
  }

  #line(line: Buffer): void {
    const place: PredictionPlace = { file: this.#file, line: this.#lines.line };
    const members = parseLine(line, place);
    for (const key of members.keys())
      if (!KEYS.has(key)) throw malformed(place, `It has the unknown key ${JSON.stringify(key.slice(0, 80))}`);
    const { handedOut } = this.#options;
    const index = rowIndex(members.get('row_index'), place);
    const position = this.#places === undefined ? placeOf(handedOut, index) : (this.#places[index] ?? -1);
    if (position === -1) throw outOfRange({ ...place, row: index }, handedOut.length);
    const row = handedOut[position]!;
    const at = { ...place, row };
    if (this.#seen[position] === 1) throw duplicated(at);
    this.#seen[position] = 1;
    if (!members.has('prediction')) throw malformed(at, 'It has no prediction');
    this.#value(position, members.get('prediction')!, at);
    this.#score(position, members.get('score'), at);
    const underRow = () => new Map(members).set('row_index', new JsonNumber(String(row)));
    this.#renumbered?.line(strictJsonText(underRow()));
  }

  #value(position: number, value: StrictJson, place: PredictionPlace): void {
    if (value instanceof JsonNumber && !value.finite) throw notFinite(place, `the prediction ${value.text}`);
    if (this.#labels !== undefined) {
      const label = this.#labelReader.read(value);
      if (label === undefined) throw malformed(place, 'Its prediction is null, an object or an array, not a label');
      this.#labels[position] = label;
    }
    if (this.#values !== undefined) this.#values[position] = this.#number(value, place);
  }

  #number(value: StrictJson, place: PredictionPlace): number {
    if (value instanceof JsonNumber) return Number(value.text);
    if (typeof value === 'string' && /^[+-]?(nan|inf(inity)?)$/i.test(value.trim()))
      throw notFinite(place, `the prediction "${value}"`);
    const kind = typeof value === 'string' ? classifyText(value) : cellKind.empty;
    if (kind !== cellKind.integer && kind !== cellKind.number)
      throw malformed(place, 'Its prediction is not a number, and the task is regression');
    this.#textNumbers += 1;
    return Number(value);
  }

  #score(position: number, score: StrictJson | undefined, place: PredictionPlace): void {
    if (this.#labels !== undefined) this.#scores.add(position, score, place);
    else if (score !== undefined && score !== null) throw malformed(place, 'Only classifications have scores');
  }

  #checkComplete(): void {
    const { handedOut } = this.#options;
    const first: number[] = [];
    let missing = 0;
    for (let i = 0; i < handedOut.length; i += 1) {
      if (this.#seen[i] === 1) continue;
      missing += 1;
      if (first.length < 10) first.push(handedOut[i]!);
    }
    if (missing > 0) throw incomplete(this.#file, first, { missing, total: handedOut.length });
  }
}

function parseLine(line: Buffer, place: PredictionPlace): ReadonlyMap<string, StrictJson> {
  if (line.length === 0) throw malformed(place, 'It is blank');
  if (!isUtf8(line)) throw malformed(place, 'It is not UTF-8');
  let value: StrictJson;
  try {
    value = parseStrictJson(line.toString('utf8'));
  } catch (error) {
    if (error instanceof StrictJsonError)
      throw malformed(place, `Not JSON at character ${error.at + 1}: ${error.message}`);
    throw error;
  }
  if (value instanceof Map) return value as ReadonlyMap<string, StrictJson>;
  throw malformed(place, 'It is not a JSON object');
}

function rowIndex(value: StrictJson | undefined, place: PredictionPlace): number {
  if (value === undefined) throw malformed(place, 'It has no row_index');
  if (!(value instanceof JsonNumber) || !value.isWhole)
    throw malformed(place, 'Its row_index is not a JSON integer such as 3 (a text, a boolean and 3.0 are none)');
  return Number(value.text);
}
