import { join } from 'node:path';
import type { DatasetManifest, EvaluationTask, LeakageWarning } from '@assay/contracts';
import { writeFileDurable } from '@assay/files';
import { readKnownTable } from '../data/manifest-reader.ts';
import type { RowView } from '../data/row-view.ts';
import { typedCell } from '../data/typed-cell.ts';
import { SplitInspector } from '../leakage/split-inspector.ts';
import { ROW_INDEX } from '../profile/suggest-columns.ts';
import { LineWriter, type WrittenFile } from './line-writer.ts';
import { chooseRows, TEST_FRACTION, type ChooseRowsOptions } from './choose-rows.ts';
import { rowsSha256 } from './row-list.ts';
import { rowsFileText, describeRowsFile } from './rows-file.ts';
import type { SplitFacts } from './split-facts.ts';

export interface PrepareOptions extends ChooseRowsOptions {
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
  /** What both sides of the split have in common, and the rows that are evaluated among themselves. */
  readonly leakage: readonly LeakageWarning[];
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
  const { handedOut, trainRows, split } = await chooseSplit(manifest, options);
  const files = await writeRows(manifest, { outDir, handedOut, trainRows, training: options.training, signal });
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

/** The rows that `prepareData` would write, and what is registered of them. Writes nothing. */
export async function chooseSplit(
  manifest: DatasetManifest,
  options: PrepareOptions,
): Promise<Pick<PreparedData, 'handedOut' | 'trainRows' | 'split'>> {
  const { handedOut, trainRows, method, group, time } = await chooseRows(manifest, options, { signal: options.signal });
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
    ...(group === undefined ? {} : { group }),
    ...(time === undefined ? {} : { time }),
  };
  return { handedOut, trainRows, split };
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
): Promise<{ dataset: WrittenFile; train?: WrittenFile; leakage: readonly LeakageWarning[] }> {
  using dataset = new LineWriter(join(request.outDir, 'dataset.jsonl'));
  using train = request.training ? new LineWriter(join(request.outDir, 'train.jsonl')) : undefined;
  const inputs = memberWriter(manifest, manifest.inputColumns);
  const target = memberWriter(manifest, manifest.targetColumn === null ? [] : [manifest.targetColumn]);
  const inspector = new SplitInspector(manifest, request.training);
  let nextOut = 0;
  let nextTrain = 0;
  await readKnownTable(
    manifest,
    (row) => {
      const isOut = request.handedOut[nextOut] === row.index;
      if (!isOut && request.trainRows[nextTrain] !== row.index) return;
      const cells = { inputs: inputs(row), label: target(row) };
      const start = `{"${ROW_INDEX}":${row.index}${cells.inputs}`;
      inspector.add(row, isOut ? 'test' : 'train', cells);
      if (isOut) {
        dataset.line(`${start}}`);
        nextOut += 1;
      } else {
        train?.line(`${start}${cells.label}}`);
        nextTrain += 1;
      }
    },
    { signal: request.signal },
  );
  const leakage = inspector.finish();
  return { dataset: dataset.finish(), ...(train === undefined ? {} : { train: train.finish() }), leakage };
}

/** Writes cells of a row as the members of a JSON object, typed by their columns, each with a comma before it. */
function memberWriter(manifest: DatasetManifest, names: readonly string[]): (row: RowView) => string {
  const columns = names.flatMap((name) => {
    const column = manifest.columns.find((candidate) => candidate.name === name);
    return column === undefined ? [] : [{ ...column, key: `,${JSON.stringify(name)}:` }];
  });
  return (row) => {
    let text = '';
    for (const { key, position, inferredType } of columns)
      text += key + JSON.stringify(typedCell(row.text(position), inferredType));
    return text;
  };
}
