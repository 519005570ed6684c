import { AssayError } from '@assay/foundation';
import type { DatasetColumn, EvaluationTask } from '@assay/contracts';
import {
  defaultInputs,
  givenInputs,
  lastColumnCandidate,
  requireColumn,
  targetCandidates,
  type TargetCandidate,
} from './suggest-columns.ts';
import { splitColumns } from './split-columns.ts';
import { checkTarget, MOST_NUMERIC_LABELS, taskOf } from './target-check.ts';

/** What a person said about the data; what is said is never guessed. */
export interface RoleHints {
  readonly target?: string | undefined;
  readonly input?: readonly string[] | undefined;
  readonly task?: EvaluationTask | undefined;
  readonly group?: string | undefined;
  readonly time?: string | undefined;
}

export interface Roles {
  readonly target: DatasetColumn | undefined;
  readonly task: EvaluationTask;
  readonly inputs: readonly string[];
  readonly group: string | undefined;
  readonly time: string | undefined;
  readonly confidence: number;
  readonly reasons: readonly string[];
}

/**
 * Decides target, task and inputs from hints, then names, then shape. Throws `column_missing`, `target_unsuitable` or
 * `invalid_request` for hints that cannot be followed.
 */
export function chooseRoles(columns: readonly DatasetColumn[], rows: number, hints: RoleHints): Roles {
  const chosen = chooseTarget(columns, hints);
  const target = chosen?.column;
  if (target === undefined && hints.task !== undefined && hints.task !== 'inference')
    throw noTarget(columns, hints.task);
  const task = hints.task ?? (target === undefined ? 'inference' : taskOf(target));
  if (target !== undefined) checkTarget(target, task);
  const { group, time, notes } = splitColumns(columns, target?.name ?? null, hints);
  const inputs =
    hints.input === undefined
      ? defaultInputs(
          columns.filter(({ name }) => name !== group),
          target?.name ?? null,
          rows,
        )
      : { names: givenInputs(columns, hints.input, target?.name ?? null), notes: ['the inputs were given'] };
  if (inputs.names.length === 0) throw noInputs(columns);
  const doubt = hints.task === undefined && target !== undefined ? taskDoubt(target) : undefined;
  const confidence = chosen === undefined ? (hints.task === 'inference' ? 1 : 0.5) : chosen.confidence;
  return {
    target,
    task,
    inputs: inputs.names,
    group,
    time,
    confidence: Math.min(confidence, doubt?.confidence ?? 1),
    reasons: [
      chosen?.reason ?? 'no column looks like a target, so predictions are made and nothing is measured',
      hints.task === undefined ? whyTask(task, target) : `the task was given: ${task}`,
      ...(doubt === undefined ? [] : [doubt.reason]),
      ...inputs.notes,
      ...notes,
    ],
  };
}

function chooseTarget(columns: readonly DatasetColumn[], hints: RoleHints): TargetCandidate | undefined {
  if (hints.target !== undefined) {
    const column = requireColumn(columns, hints.target, 'target');
    return { column, confidence: 1, reason: `the target was given: "${column.name}"` };
  }
  if (hints.task === 'inference') return undefined;
  const free = columns.filter((column) => hints.input?.includes(column.name) !== true);
  return targetCandidates(free)[0] ?? lastColumnCandidate(free);
}

function whyTask(task: EvaluationTask, target: DatasetColumn | undefined): string {
  if (target === undefined) return 'without a target the task is inference';
  const distinct = `${target.distinctExact ? '' : 'at least '}${target.distinct} different values`;
  return task === 'regression'
    ? `"${target.name}" holds numbers with ${distinct} (more than ${MOST_NUMERIC_LABELS}), so the task is regression`
    : `"${target.name}" has ${distinct} of type ${target.inferredType}, so the task is classification`;
}

/** Whole numbers with about twenty values, or fractions with few, can be meant either way. */
function taskDoubt(target: DatasetColumn): { readonly confidence: number; readonly reason: string } | undefined {
  if (!target.distinctExact) return undefined;
  const integerDoubt = target.inferredType === 'integer' && target.distinct > 10 && target.distinct <= 40;
  const fractionDoubt = target.inferredType === 'number' && target.distinct <= MOST_NUMERIC_LABELS;
  if (!integerDoubt && !fractionDoubt) return undefined;
  return {
    confidence: 0.65,
    reason: `${target.distinct} different ${target.inferredType === 'integer' ? 'whole ' : ''}numbers can be labels or quantities: say which with the task`,
  };
}

function noTarget(columns: readonly DatasetColumn[], task: EvaluationTask): AssayError {
  return new AssayError('column_missing', `no column looks like the target of a ${task}`, {
    why: `The columns are: ${columns
      .map(({ name }) => name)
      .slice(0, 50)
      .join(', ')}.`,
    hint: 'Name the target column.',
    details: { columns: columns.map(({ name }) => name).slice(0, 1000) },
  });
}

function noInputs(columns: readonly DatasetColumn[]): AssayError {
  return new AssayError('column_missing', 'no column is left to be an input', {
    why: `The columns are: ${columns
      .map(({ name }) => name)
      .slice(0, 50)
      .join(', ')}.`,
    hint: 'Give a file with at least one column besides the target, or name the inputs.',
    details: { columns: columns.map(({ name }) => name).slice(0, 1000) },
  });
}
