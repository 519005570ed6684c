import { AssayError } from '@assay/foundation';
import type { DatasetColumn, DatasetManifest } from '@assay/contracts';
import { isValue } from '../data/cell-kind.ts';
import { dateOrder } from '../data/date-cell.ts';
import { GroupCodes } from '../data/group-codes.ts';
import { readKnownTable, splitColumn, targetOf } from '../data/manifest-reader.ts';
import type { RowView } from '../data/row-view.ts';
import { canonicalLabel } from '../data/typed-cell.ts';
import { Uint32List } from './row-list.ts';
import type { SplitFacts } from './split-facts.ts';
import { splitGroups } from './group-split.ts';
import { limitRows, splitRows } from './split-rows.ts';
import { splitByTime } from './time-split.ts';
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
  readonly group?: SplitFacts['group'];
  readonly time?: SplitFacts['time'];
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
  return divide(manifest, await usableRows(manifest, options, from), options);
}

interface UsableRows {
  readonly rows: Uint32Array;
  /** Label numbers in the order of the manifest's labels; classification only. */
  readonly codes?: Uint32Array | undefined;
  /** Group numbers, when rows are divided by groups. */
  readonly groups?: Uint32Array | undefined;
  /** Times, when rows are divided by time; NaN where there is none. */
  readonly times?: Float64Array | undefined;
}

/** Rows that have a target (all rows that can be read for inference). */
async function usableRows(manifest: DatasetManifest, options: ChooseRowsOptions, from: ReadFrom): Promise<UsableRows> {
  const rows = new Uint32List();
  const { badBytes = 0, ragged = 0 } = manifest.excludedRows;
  const inference = manifest.targetColumn === null;
  if (inference && badBytes + ragged === 0) {
    for (let row = 0; row < manifest.rowCount; row += 1) rows.push(row);
    return { rows: rows.toArray() };
  }
  const target = inference ? undefined : targetOf(manifest);
  const codeOf = new Map((manifest.labels ?? []).map(({ label }, code) => [label, code]));
  const codes = new Uint32List();
  const classification = manifest.suggestedTask === 'classification';
  const copies = target === undefined ? undefined : new TargetCopies(manifest, target.position);
  const divided = options.training ? dividers(manifest) : undefined;
  await readKnownTable(
    manifest,
    (row) => {
      if (target !== undefined && !isValue(row.kind(target.position))) return;
      rows.push(row.index);
      copies?.add(row);
      divided?.add(row);
      if (target !== undefined && classification)
        codes.push(codeOf.get(canonicalLabel(row.text(target.position)!, target.type)) ?? codeOf.size);
    },
    from,
  );
  copies?.finish();
  return { rows: rows.toArray(), ...(classification ? { codes: codes.toArray() } : {}), ...divided?.found() };
}

/** Gathers groups or times of the rows that are to be divided. */
function dividers(manifest: DatasetManifest) {
  const group = splitColumn(manifest, manifest.groupColumn);
  const time = splitColumn(manifest, manifest.timeColumn);
  const groupCodes = group === undefined ? undefined : new GroupCodes(group);
  const groups = new Uint32List();
  const times: number[] = [];
  return {
    add(row: RowView): void {
      if (groupCodes !== undefined) groups.push(groupCodes.codeOf(row));
      if (time !== undefined) times.push(timeOf(row, time));
    },
    found: (): Pick<UsableRows, 'groups' | 'times'> => ({
      ...(group === undefined ? {} : { groups: groups.toArray() }),
      ...(time === undefined ? {} : { times: Float64Array.from(times) }),
    }),
  };
}

function timeOf(row: RowView, { position, dateForm }: DatasetColumn): number {
  const text = row.text(position);
  if (text === null) return Number.NaN;
  if (dateForm === undefined) return Number(text);
  return dateForm === 'either' ? Number.NaN : (dateOrder(text, dateForm) ?? Number.NaN);
}

function divide(manifest: DatasetManifest, usable: UsableRows, options: ChooseRowsOptions): ChosenRows {
  const { rows, codes } = usable;
  if (rows.length === 0) throw tooFewRows(manifest, 0);
  const sides = options.training ? trainingSplit(manifest, usable, options.seed) : allRows(rows);
  if (sides.handedOut.length === 0 || (options.training && sides.trainRows.length === 0))
    throw tooFewRows(manifest, rows.length);
  if (options.limit === undefined) return sides;
  const kept = codes === undefined ? {} : { codes: codesOf(sides.handedOut, rows, codes) };
  return { ...sides, handedOut: limitRows({ rows: sides.handedOut, ...kept, seed: options.seed }, options.limit) };
}

function allRows(rows: Uint32Array): ChosenRows {
  return { handedOut: rows, trainRows: new Uint32Array(0), method: 'all' };
}

function trainingSplit(manifest: DatasetManifest, usable: UsableRows, seed: number): ChosenRows {
  const { rows, codes, groups, times } = usable;
  if (manifest.targetColumn === null) throw noTrainingTarget(manifest);
  if (groups !== undefined) {
    const { test, train, trainGroups, testGroups } = splitGroups({
      rows,
      groups,
      codes,
      seed,
      testFraction: TEST_FRACTION,
    });
    const group = { column: manifest.groupColumn!, train: trainGroups, handedOut: testGroups };
    return { handedOut: test, trainRows: train, method: 'grouped', group };
  }
  if (times !== undefined) return byTime(manifest, rows, times);
  const strata = codes === undefined ? {} : { codes };
  const { train, test } = splitRows({ rows, ...strata, seed, testFraction: TEST_FRACTION });
  return { handedOut: test, trainRows: train, method: codes === undefined ? 'shuffled' : 'stratified' };
}

function byTime(manifest: DatasetManifest, rows: Uint32Array, times: Float64Array): ChosenRows {
  const timed = rows.filter((_, i) => Number.isFinite(times[i]));
  const split = splitByTime({ rows: timed, times: times.filter(Number.isFinite), testFraction: TEST_FRACTION });
  if (split === undefined)
    throw new AssayError('invalid_request', `the rows cannot be divided by "${manifest.timeColumn}"`, {
      why: `${timed.length} rows have a time, and it is the same in all of them.`,
      hint: 'Name another column with --time, or leave it out.',
    });
  const time = { column: manifest.timeColumn!, from: split.from, without: rows.length - timed.length };
  return { handedOut: split.test, trainRows: split.train, method: 'time', time };
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
