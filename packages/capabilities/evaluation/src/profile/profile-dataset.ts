import { AssayError } from '@assay/foundation';
import type { DatasetColumn, DatasetManifest, ReadingOptions } from '@assay/contracts';
import type { Inspection } from '../data/inspect/inspect-table.ts';
import { numberStyleOf } from '../data/number-style.ts';
import type { TableFacts } from '../data/read-table.ts';
import { statedShape, type TableShape } from '../data/table-shape.ts';
import { findLeakage } from '../leakage/find-leakage.ts';
import { chooseRoles, type RoleHints, type Roles } from './choose-roles.ts';
import type { ColumnStats } from './column-stats.ts';
import { profilePass, type ProfiledTable } from './profile-pass.ts';
import { labelCounts } from './target-check.ts';
import { warningsOf } from './warnings.ts';

const PREVIEW_ROWS = 3;

export interface ProfileOptions extends RoleHints, ReadingOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a data file once, in constant memory, and says what is in it: how it is read, columns with types and counts,
 * target, inputs and task with reasons, hash, preview, warnings and signs of leakage. Throws AssayErrors `dataset_*`,
 * `column_missing`, `target_unsuitable`.
 */
export async function profileDataset(path: string, options: ProfileOptions = {}): Promise<DatasetManifest> {
  return manifestOf(await readProfile(path, options), options);
}

/** What one pass over a file has found, before anybody decides what its columns are for. */
export interface ReadProfile extends ProfiledTable {
  readonly columns: readonly DatasetColumn[];
  /** Rows that can be used. */
  readonly used: number;
}

/** The pass of `profileDataset`, the only one; `manifestOf` then answers for any target, inputs and split. */
export async function readProfile(
  path: string,
  options: ReadingOptions & Pick<ProfileOptions, 'signal'>,
): Promise<ReadProfile> {
  const { inspection, pass, facts } = await profilePass(path, options);
  if (facts.rows === 0) throw noRows(facts);
  pass.header(facts.columns);
  for (const column of pass.stats) column.finish();
  const columns = pass.stats.map((column, position) => column.describe(position));
  if (columns.length === 0) throw noColumns(facts);
  const used = facts.rows - facts.dropped.badBytes - facts.dropped.ragged;
  if (used === 0) throw allDropped(facts);
  return { inspection, pass, facts, columns, used };
}

/** What a file is with these roles of its columns. Throws `column_missing`, `target_unsuitable`, `invalid_request`. */
export function manifestOf(
  { inspection, pass, facts, columns, used }: ReadProfile,
  options: RoleHints,
): DatasetManifest {
  const roles = rolesIn(inspection, () => chooseRoles(columns, used, options));
  const { badBytes, ragged } = facts.dropped;
  const leakage = findLeakage({ fileName: facts.name, columns, roles, sample: pass.sample, rows: used });
  return {
    v: 1,
    name: facts.name,
    path: facts.path,
    ...statedShape(facts.shape),
    format: facts.shape.format,
    encoding: facts.shape.encoding,
    bom: facts.bom,
    ...(inspection.findings.length === 0 ? {} : { findings: [...inspection.findings] }),
    sha256: facts.sha256,
    size: facts.size,
    mtimeMs: facts.mtimeMs,
    rowCount: facts.rows,
    columns: [...columns],
    inputColumns: [...roles.inputs],
    targetColumn: roles.target?.name ?? null,
    ...(roles.group === undefined ? {} : { groupColumn: roles.group }),
    ...(roles.time === undefined ? {} : { timeColumn: roles.time }),
    suggestedTask: roles.task,
    ...labelsOf(roles, pass.stats, facts.shape),
    confidence: roles.confidence,
    reasons: [...roles.reasons],
    excludedRows: {
      missingTarget: roles.target === undefined ? 0 : used - roles.target.nonNull,
      ...(badBytes > 0 ? { badBytes } : {}),
      ...(ragged > 0 ? { ragged } : {}),
    },
    preview: pass.firstRows(columns).slice(0, PREVIEW_ROWS),
    ...(leakage.length === 0 ? {} : { leakage }),
    warnings: [
      ...warningsOf({ facts, inspection, roles, stats: pass.stats, used }),
      ...leakage.map(({ says }) => says),
    ],
  };
}

/** A name that is not there may be there in another encoding than the one that was guessed. */
function rolesIn({ findings }: Inspection, choose: () => Roles): Roles {
  try {
    return choose();
  } catch (error) {
    const guessed = findings.find(({ what }) => what === 'encoding');
    if (!(error instanceof AssayError) || error.code !== 'column_missing' || guessed === undefined) throw error;
    throw new AssayError('column_missing', error.message, {
      why: `${error.why ?? ''} The file was read as ${guessed.value}, which was guessed from its bytes.`.trim(),
      hint: `${error.hint ?? ''} If the names look wrong, say the encoding: --encoding NAME.`.trim(),
      details: error.details,
      cause: error,
    });
  }
}

function labelsOf(roles: Roles, stats: readonly ColumnStats[], shape: TableShape): Pick<DatasetManifest, 'labels'> {
  if (roles.task !== 'classification' || roles.target === undefined) return {};
  const column = stats[roles.target.position]!;
  if (column.mixed && (shape.format === 'json' || shape.format === 'jsonl')) throw mixedLabels(column.name);
  return { labels: [...labelCounts(roles.target, column.values, numberStyleOf(shape))] };
}

function noRows(facts: TableFacts): AssayError {
  return new AssayError('dataset_no_rows', `${facts.name} has no rows of data`, {
    why:
      facts.columns.length > 0
        ? `It has only a header (${facts.columns.slice(0, 10).join(', ')}).`
        : 'It holds no row.',
    hint: 'Give a file with at least one row of data below the header.',
    details: { path: facts.path },
  });
}

function allDropped(facts: TableFacts): AssayError {
  return new AssayError('dataset_no_rows', `no row of ${facts.name} can be used`, {
    why: `${facts.dropped.badBytes} of its ${facts.rows} rows cannot be decoded, ${facts.dropped.ragged} have other cells than the header.`,
    hint: 'Check --encoding and --delimiter.',
    details: { path: facts.path, ...facts.dropped },
  });
}

function noColumns(facts: TableFacts): AssayError {
  return new AssayError('dataset_format', `${facts.name} has no columns`, {
    why: 'Its rows are objects without keys.',
    hint: 'Write each row as {"column": value, …}.',
    details: { path: facts.path },
  });
}

function mixedLabels(name: string): AssayError {
  return new AssayError('target_unsuitable', `the column "${name}" cannot be the target`, {
    why: 'It mixes texts with numbers or booleans, and the text "5" could not be told from the number 5.',
    hint: 'Write all labels as texts, or all as numbers.',
    details: { column: name },
  });
}
