import { join } from 'node:path';
import type { DatasetManifest, EvaluationTask, LeakageWarning } from '@assay/contracts';
import { writeFileDurable } from '@assay/files';
import { readKnownTable } from '../data/manifest-reader.ts';
import type { RowView } from '../data/row-view.ts';
import { typedCell } from '../data/typed-cell.ts';
import { SplitInspector } from '../leakage/split-inspector.ts';
import { ROW_INDEX } from '../profile/suggest-columns.ts';
import { handOutOrder, orderFacts, type HandOutOrder } from './hand-out-order.ts';
import { LineShuffler } from './line-shuffler.ts';
import type { WrittenFile } from './line-writer.ts';
import { chooseRows, TEST_FRACTION, type ChooseRowsOptions } from './choose-rows.ts';
import { placesOf, rowsSha256 } from './row-list.ts';
import { rowsFileText, describeRowsFile } from './rows-file.ts';
import type { SplitFacts } from './split-facts.ts';

export interface PrepareOptions extends ChooseRowsOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface PreparedData {
  readonly task: EvaluationTask;
  /** What the adapter predicts on: `row_index` and input columns, never the target, in an order of their own. */
  readonly dataset: WrittenFile;
  /** The same columns and the target, of training rows. */
  readonly train?: WrittenFile;
  /** Which rows were handed out and which are training rows. */
  readonly rowsFile: WrittenFile;
  readonly split: SplitFacts;
  /** Ascending rows of the original file; every one must be predicted exactly once. */
  readonly handedOut: Uint32Array;
  readonly trainRows: Uint32Array;
  /** The same rows as the lines of both files; `row_index` counts these, handed-out rows first. */
  readonly order: HandOutOrder;
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
  const { handedOut, trainRows, order, split } = await chooseSplit(manifest, options);
  const { training } = options;
  const files = await writeRows(manifest, { outDir, handedOut, trainRows, order, training, signal });
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
    order,
  };
}

/** The rows that `prepareData` would write, and what is registered of them. Writes nothing. */
export async function chooseSplit(
  manifest: DatasetManifest,
  options: PrepareOptions,
): Promise<Pick<PreparedData, 'handedOut' | 'trainRows' | 'order' | 'split'>> {
  const { handedOut, trainRows, method, group, time } = await chooseRows(manifest, options, { signal: options.signal });
  const { seed } = options;
  const order = handOutOrder({ handedOut, trainRows, method, seed, datasetSha256: manifest.sha256 });
  const split: SplitFacts = {
    method,
    prng: 'xoshiro128**',
    seed,
    testFraction: options.training ? TEST_FRACTION : 1,
    handedOut: handedOut.length,
    handedOutSha256: rowsSha256(handedOut),
    train: trainRows.length,
    trainSha256: rowsSha256(trainRows),
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    ...(group === undefined ? {} : { group }),
    ...(time === undefined ? {} : { time }),
    order: orderFacts(order),
  };
  return { handedOut, trainRows, order, split };
}

interface WriteRequest extends Pick<PreparedData, 'handedOut' | 'trainRows' | 'order'> {
  readonly outDir: string;
  readonly training: boolean;
  readonly signal: AbortSignal | undefined;
}

async function writeRows(
  manifest: DatasetManifest,
  request: WriteRequest,
): Promise<{ dataset: WrittenFile; train?: WrittenFile; leakage: readonly LeakageWarning[] }> {
  const { outDir, handedOut, trainRows, order, signal } = request;
  using dataset = new LineShuffler(join(outDir, 'dataset.jsonl'), handedOut.length);
  using train = request.training ? new LineShuffler(join(outDir, 'train.jsonl'), trainRows.length) : undefined;
  const inputs = memberWriter(manifest, manifest.inputColumns);
  const target = memberWriter(manifest, manifest.targetColumn === null ? [] : [manifest.targetColumn]);
  const inspector = new SplitInspector(manifest, request.training);
  let nextOut = 0;
  let nextTrain = 0;
  await readKnownTable(
    manifest,
    (row) => {
      const isOut = handedOut[nextOut] === row.index;
      if (!isOut && trainRows[nextTrain] !== row.index) return;
      const cells = { inputs: inputs(row), label: target(row) };
      inspector.add(row, isOut ? 'test' : 'train', cells);
      if (isOut) {
        dataset.add(`${cells.inputs}}`);
        nextOut += 1;
      } else {
        train?.add(`${cells.inputs}${cells.label}}`);
        nextTrain += 1;
      }
    },
    { signal },
  );
  const numbered = (from: number) => (rest: string, place: number) => `{"${ROW_INDEX}":${from + place}${rest}`;
  return {
    dataset: await dataset.finish(placesOf(order.handedOut, handedOut), numbered(0), signal),
    ...(train === undefined
      ? {}
      : { train: await train.finish(placesOf(order.train, trainRows), numbered(handedOut.length), signal) }),
    leakage: inspector.finish(),
  };
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
