import { AssayError } from '@assay/foundation';
import type { ColumnPreview, DataPreview, DatasetColumn, DatasetManifest, ReadingChoice } from '@assay/contracts';
import type { RoleHints } from './choose-roles.ts';
import { distributionOf } from './distribution.ts';
import { manifestOf, type ReadProfile } from './profile-dataset.ts';
import { lastColumnCandidate, requireColumn, targetCandidates } from './suggest-columns.ts';
import { splitColumns } from './split-columns.ts';
import { checkTarget, taskOf } from './target-check.ts';

/** Columns of which the values are described; wider tables are described in part. */
const MOST_DESCRIBED = 300;
const MOST_CANDIDATES = 20;

/**
 * What a person should see of a file before a plan: what can be said of it with these roles, or why they cannot be, and
 * then what can be said without them.
 */
export function previewOf(profile: ReadProfile, hints: RoleHints, choices: readonly ReadingChoice[]): DataPreview {
  const { manifest, problem } = manifestOrProblem(profile, hints);
  const { columns, pass } = profile;
  return {
    manifest,
    columns: columns.map((column) => columnPreview(profile, column)),
    rows: pass.firstRows(columns),
    candidates: candidatesOf(columns, hints),
    split: splitOf(manifest, hints),
    choices: [...choices],
    problem,
  };
}

const rolesErrors = new Set(['target_unsuitable', 'column_missing', 'invalid_request']);

function manifestOrProblem(profile: ReadProfile, hints: RoleHints): Pick<DataPreview, 'manifest' | 'problem'> {
  try {
    return { manifest: manifestOf(profile, hints), problem: null };
  } catch (error) {
    if (!(error instanceof AssayError) || !rolesErrors.has(error.code)) throw error;
    const { code, message, why, hint } = error;
    const problem = {
      code,
      message,
      ...(why === undefined ? {} : { why }),
      ...(hint === undefined ? {} : { hint }),
    };
    return { manifest: manifestOf(profile, { task: 'inference' }), problem };
  }
}

function columnPreview(profile: ReadProfile, column: DatasetColumn): ColumnPreview {
  return {
    name: column.name,
    missing: profile.used - column.nonNull,
    distribution: column.position < MOST_DESCRIBED ? distributionOf(profile, column) : null,
    asTarget: asTarget(column),
    asGroup: canSplit(column, 'group'),
    asTime: canSplit(column, 'time'),
  };
}

function asTarget(column: DatasetColumn): ColumnPreview['asTarget'] {
  const task = taskOf(column);
  try {
    checkTarget(column, task);
    return { task };
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    return { refusal: error.why ?? error.message };
  }
}

function canSplit(column: DatasetColumn, by: 'group' | 'time'): boolean {
  // A group of one row keeps nothing together.
  if (by === 'group' && column.distinctExact && column.distinct === column.nonNull) return false;
  if (by === 'time' && column.distinct < 2) return false;
  try {
    splitColumns([column], null, { [by]: column.name });
    return true;
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    return false;
  }
}

function candidatesOf(columns: readonly DatasetColumn[], hints: RoleHints): DataPreview['candidates'] {
  if (hints.target !== undefined && columns.some(({ name }) => name === hints.target))
    return [{ column: requireColumn(columns, hints.target, 'target').name, confidence: 1, because: 'said' }];
  const named = targetCandidates(columns);
  const last = lastColumnCandidate(columns);
  if (named.length === 0)
    return last === undefined
      ? []
      : [{ column: last.column.name, confidence: last.confidence, because: 'last-column' }];
  return named
    .slice(0, MOST_CANDIDATES)
    .map(({ column, confidence }) => ({ column: column.name, confidence, because: 'name' }));
}

function splitOf({ leakage = [] }: DatasetManifest, { group, time }: RoleHints): DataPreview['split'] {
  if (group !== undefined) return { by: 'group', column: group, because: 'said' };
  if (time !== undefined) return { by: 'time', column: time, because: 'said' };
  const sign = leakage.find(({ kind }) => kind === 'group-like') ?? leakage.find(({ kind }) => kind === 'time-like');
  if (sign === undefined) return { by: 'random', column: null, because: 'usual' };
  return sign.kind === 'group-like'
    ? { by: 'group', column: sign.columns[0]!, because: 'group-like' }
    : { by: 'time', column: sign.columns[0]!, because: 'time-like' };
}
