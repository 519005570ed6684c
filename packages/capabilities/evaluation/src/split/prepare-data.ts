import { join } from 'node:path';
import { AssayError } from '@assay/foundation';
import type { DatasetManifest, EvaluationTask } from '@assay/contracts';
import { writeFileDurable } from '@assay/files';
import { isValue } from '../data/cell-kind.ts';
import { readKnownTable, targetOf } from '../data/manifest-reader.ts';
import type { RowView } from '../data/row-view.ts';
import { canonicalLabel, typedCell } from '../data/typed-cell.ts';
import { ROW_INDEX } from '../profile/suggest-columns.ts';
import { LineWriter, type WrittenFile } from './line-writer.ts';
import { rowsSha256, Uint32List } from './row-list.ts';
import { rowsFileText, describeRowsFile } from './rows-file.ts';
import type { SplitFacts } from './split-facts.ts';
import { limitRows, splitRows } from './split-rows.ts';

/** Share of the rows that is handed out for prediction when an adapter is trained. */
export const TEST_FRACTION = 0.3;

export interface PrepareOptions {
  /** The adapter gets labelled training rows; the rest is handed out. */
  readonly training: boolean;
  readonly seed: number;
  /** At most this many rows are handed out. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PreparedData {
  readonly task: EvaluationTask;
  /** What the adapter predicts on: `row_index` and input columns, never the target. */
  readonly dataset: WrittenFile;
  /** The same columns and the target, of training rows. */
  readonly train?: WrittenFile;
  /** Which rows were handed out and which are training rows. */
  readonly rowsFile: WrittenFile;
  readonly split: SplitFacts;
  /** Ascending rows of the original file; every one must be predicted exactly once. */
  readonly handedOut: Uint32Array;
  readonly trainRows: Uint32Array;
}

/**
 * Writes `dataset.jsonl`, `train.jsonl` (when training) and `rows.json` into an existing folder that holds none of
 * them. Reads the data file twice and refuses it (`dataset_changed`) unless it is byte for byte the profiled one.
 */
export async function prepareData(
  manifest: DatasetManifest,
  outDir: string,
  options: PrepareOptions,
): Promise<PreparedData> {
  const { signal } = options;
  const rows = await usableRows(manifest, signal);
  const { handedOut, trainRows, method } = divide(manifest, rows, options);
  const files = await writeRows(manifest, { outDir, handedOut, trainRows, training: options.training, signal });
  const split: SplitFacts = {
    method,
    prng: 'xoshiro128**',
    seed: options.seed,
    testFraction: options.training ? TEST_FRACTION : 1,
    handedOut: handedOut.length,
    handedOutSha256: rowsSha256(handedOut),
    train: trainRows.length,
    trainSha256: rowsSha256(trainRows),
    ...(options.limit === undefined ? {} : { limit: options.limit }),
  };
  const text = rowsFileText({ datasetSha256: manifest.sha256, split, handedOut, trainRows });
  const path = join(outDir, 'rows.json');
  await writeFileDurable(path, text);
  return {
    task: manifest.suggestedTask,
    ...files,
    rowsFile: describeRowsFile(path, text),
    split,
    handedOut,
    trainRows,
  };
}

interface UsableRows {
  readonly rows: Uint32Array;
  /** Label numbers in the order of the manifest's labels; classification only. */
  readonly codes?: Uint32Array;
}

/** Rows that have a target (all rows for inference). */
async function usableRows(manifest: DatasetManifest, signal: AbortSignal | undefined): Promise<UsableRows> {
  const rows = new Uint32List();
  if (manifest.targetColumn === null) {
    for (let row = 0; row < manifest.rowCount; row += 1) rows.push(row);
    return { rows: rows.toArray() };
  }
  const { position, type } = targetOf(manifest);
  const codeOf = new Map((manifest.labels ?? []).map(({ label }, code) => [label, code]));
  const codes = new Uint32List();
  const classification = manifest.suggestedTask === 'classification';
  await readKnownTable(
    manifest,
    (row) => {
      if (!isValue(row.kind(position))) return;
      rows.push(row.index);
      if (classification) codes.push(codeOf.get(canonicalLabel(row.text(position)!, type)) ?? codeOf.size);
    },
    { signal },
  );
  return { rows: rows.toArray(), ...(classification ? { codes: codes.toArray() } : {}) };
}

function divide(
  manifest: DatasetManifest,
  usable: UsableRows,
  options: PrepareOptions,
): { handedOut: Uint32Array; trainRows: Uint32Array; method: SplitFacts['method'] } {
  const { rows, codes } = usable;
  const { seed } = options;
  const strata = codes === undefined ? {} : { codes };
  let handedOut = rows;
  let trainRows: Uint32Array = new Uint32Array(0);
  if (options.training) {
    if (manifest.targetColumn === null) throw noTrainingTarget(manifest);
    const split = splitRows({ rows, ...strata, seed, testFraction: TEST_FRACTION });
    ({ train: trainRows, test: handedOut } = split);
    if (handedOut.length === 0) throw tooFewRows(manifest, rows.length);
  }
  if (handedOut.length === 0) throw tooFewRows(manifest, 0);
  if (options.limit !== undefined) {
    const kept = codes === undefined ? {} : { codes: codesOf(handedOut, rows, codes) };
    handedOut = limitRows({ rows: handedOut, ...kept, seed }, options.limit);
  }
  const method = !options.training ? 'all' : codes === undefined ? 'shuffled' : 'stratified';
  return { handedOut, trainRows, method };
}

/** The label numbers of a subset; both row lists are ascending. */
function codesOf(subset: Uint32Array, rows: Uint32Array, codes: Uint32Array): Uint32Array {
  let at = 0;
  return subset.map((row) => {
    while (rows[at] !== row) at += 1;
    return codes[at]!;
  });
}

interface WriteRequest {
  readonly outDir: string;
  readonly handedOut: Uint32Array;
  readonly trainRows: Uint32Array;
  readonly training: boolean;
  readonly signal: AbortSignal | undefined;
}

async function writeRows(
  manifest: DatasetManifest,
  request: WriteRequest,
): Promise<{ dataset: WrittenFile; train?: WrittenFile }> {
  using dataset = new LineWriter(join(request.outDir, 'dataset.jsonl'));
  using train = request.training ? new LineWriter(join(request.outDir, 'train.jsonl')) : undefined;
  const inputs = rowWriter(manifest, manifest.inputColumns);
  const labelled = rowWriter(manifest, [...manifest.inputColumns, manifest.targetColumn ?? '']);
  let nextOut = 0;
  let nextTrain = 0;
  await readKnownTable(
    manifest,
    (row) => {
      if (request.handedOut[nextOut] === row.index) {
        dataset.line(inputs(row));
        nextOut += 1;
      } else if (request.trainRows[nextTrain] === row.index) {
        train?.line(labelled(row));
        nextTrain += 1;
      }
    },
    { signal: request.signal },
  );
  return { dataset: dataset.finish(), ...(train === undefined ? {} : { train: train.finish() }) };
}

/** Writes one row as a JSON object, its cells typed by their columns. */
function rowWriter(manifest: DatasetManifest, names: readonly string[]): (row: RowView) => string {
  const columns = names.flatMap((name) => {
    const column = manifest.columns.find((candidate) => candidate.name === name);
    return column === undefined ? [] : [{ ...column, key: `,${JSON.stringify(name)}:` }];
  });
  return (row) => {
    let text = `{"${ROW_INDEX}":${row.index}`;
    for (const { key, position, inferredType } of columns)
      text += key + JSON.stringify(typedCell(row.text(position), inferredType));
    return `${text}}`;
  };
}

function noTrainingTarget(manifest: DatasetManifest): AssayError {
  return new AssayError('column_missing', 'training needs a target column', {
    why: `No target was found or given in ${manifest.name}.`,
    hint: 'Name the target column.',
    details: { columns: manifest.columns.map(({ name }) => name).slice(0, 1000) },
  });
}

function tooFewRows(manifest: DatasetManifest, rows: number): AssayError {
  return new AssayError('dataset_no_rows', `${manifest.name} has too few rows with a target`, {
    why: `There are ${rows}; training and test rows must not be the same rows.`,
    hint: 'Give a file with at least two rows of some label.',
    details: { rows },
  });
}
