import { AssayError } from '@assay/foundation';
import type { DatasetManifest } from '@assay/contracts';
import { isValue } from '../data/cell-kind.ts';
import { readKnownTable, targetOf } from '../data/manifest-reader.ts';
import { canonicalLabel } from '../data/typed-cell.ts';
import { Uint32List } from './row-list.ts';
import type { SplitFacts } from './split-facts.ts';
import { limitRows, splitRows } from './split-rows.ts';
import { TargetCopies } from './target-copies.ts';

/** Share of the rows that is handed out for prediction when an adapter is trained. */
export const TEST_FRACTION = 0.3;

export interface ChooseRowsOptions {
  /** The adapter gets labelled training rows; the rest is handed out. */
  readonly training: boolean;
  readonly seed: number;
  /** At most this many rows are handed out. */
  readonly limit?: number | undefined;
}

/** Where the bytes are and when to stop reading them. */
export interface ReadFrom {
  /** When not at the manifest's own path. */
  readonly path?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ChosenRows {
  readonly handedOut: Uint32Array;
  readonly trainRows: Uint32Array;
  readonly method: SplitFacts['method'];
}

/**
 * Which rows are handed out and which are for training: a function of the data, the seed and the limit, so it can be
 * computed again later. Rows without a target are neither. Throws `dataset_changed`, `column_missing`, `dataset_no_rows`,
 * and `target_unsuitable` when an input repeats the target.
 */
export async function chooseRows(
  manifest: DatasetManifest,
  options: ChooseRowsOptions,
  from: ReadFrom = {},
): Promise<ChosenRows> {
  return divide(manifest, await usableRows(manifest, from), options);
}

interface UsableRows {
  readonly rows: Uint32Array;
  /** Label numbers in the order of the manifest's labels; classification only. */
  readonly codes?: Uint32Array;
}

/** Rows that have a target (all rows for inference). */
async function usableRows(manifest: DatasetManifest, from: ReadFrom): Promise<UsableRows> {
  const rows = new Uint32List();
  if (manifest.targetColumn === null) {
    for (let row = 0; row < manifest.rowCount; row += 1) rows.push(row);
    return { rows: rows.toArray() };
  }
  const { position, type } = targetOf(manifest);
  const codeOf = new Map((manifest.labels ?? []).map(({ label }, code) => [label, code]));
  const codes = new Uint32List();
  const classification = manifest.suggestedTask === 'classification';
  const copies = new TargetCopies(manifest, position);
  await readKnownTable(
    manifest,
    (row) => {
      if (!isValue(row.kind(position))) return;
      rows.push(row.index);
      copies.add(row);
      if (classification) codes.push(codeOf.get(canonicalLabel(row.text(position)!, type)) ?? codeOf.size);
    },
    from,
  );
  copies.finish();
  return { rows: rows.toArray(), ...(classification ? { codes: codes.toArray() } : {}) };
}

function divide(manifest: DatasetManifest, usable: UsableRows, options: ChooseRowsOptions): ChosenRows {
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
