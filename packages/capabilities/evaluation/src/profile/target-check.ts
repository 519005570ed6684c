import { AssayError } from '@assay/foundation';
import type { DatasetColumn, EvaluationTask } from '@assay/contracts';
import { limits } from '../data/limits.ts';
import type { NumberStyle } from '../data/number-style.ts';
import { canonicalLabel, compareLabels } from '../data/typed-cell.ts';
import { plainNumbersHint, recognisedText } from './number-texts.ts';
import type { ValueCounter } from './value-counter.ts';

export interface LabelCount {
  readonly label: string;
  readonly count: number;
}

/** More distinct numbers than this are quantities, not labels. */
export const MOST_NUMERIC_LABELS = 20;

/** Classification, or regression when the column holds numbers with more than 20 distinct values. */
export function taskOf(column: DatasetColumn): Exclude<EvaluationTask, 'inference'> {
  const numeric = column.inferredType === 'integer' || column.inferredType === 'number';
  return numeric && (column.distinct > MOST_NUMERIC_LABELS || !column.distinctExact) ? 'regression' : 'classification';
}

/** Throws `target_unsuitable` when the column cannot be the target of the task; says what to do instead. */
export function checkTarget(column: DatasetColumn, task: EvaluationTask): void {
  if (column.nonNull === 0) throw unsuitable(column, 'it holds no value', 'Name a column that holds the answers.');
  if (task === 'inference') return;
  if (column.distinctExact && column.distinct < 2)
    throw unsuitable(
      column,
      'every row has the same value (one class)',
      'Name a target with at least two different values; nothing can be measured on a constant.',
    );
  if (task === 'regression') {
    if (column.inferredType !== 'integer' && column.inferredType !== 'number')
      throw unsuitable(
        column,
        `its cells are ${recognisedText(column) ?? column.inferredType}, and a regression needs numbers`,
        numericHint(column) ?? 'Use --task classification, or name a numeric target.',
      );
    return;
  }
  if (!column.distinctExact || column.distinct > limits.labels)
    throw unsuitable(
      column,
      `it has ${column.distinctExact ? '' : 'at least '}${column.distinct} different values; a classification takes at most ${limits.labels}`,
      numericHint(column) ??
        (column.inferredType === 'text' ? 'Name a target with fewer labels.' : 'Use --task regression.'),
    );
}

function numericHint(column: DatasetColumn): string | undefined {
  const hint = plainNumbersHint(column);
  return hint && `${hint.charAt(0).toUpperCase()}${hint.slice(1)}; then it can be the target of a regression.`;
}

/**
 * The labels of a classification in canonical form with their counts. Two texts that mean the same label, such as 1 and
 * 1.0 in a column of numbers, are refused: counting them as one would be a silent edit of the data.
 */
export function labelCounts(column: DatasetColumn, values: ValueCounter, numbers?: NumberStyle): readonly LabelCount[] {
  const seen = new Map<string, { readonly text: string; readonly count: number }>();
  for (const { text, count } of values.entries()) {
    if (text === undefined)
      throw unsuitable(column, `a label is longer than ${limits.labelBytes} bytes`, 'Name a column with short labels.');
    const label = canonicalLabel(numbers?.plain(text) ?? text, column.inferredType);
    const other = seen.get(label);
    if (other !== undefined)
      throw unsuitable(
        column,
        `"${other.text}" and "${text}" are two spellings of one label`,
        'Write each label in one way in the file.',
      );
    seen.set(label, { text, count });
  }
  const compare = compareLabels(column.inferredType);
  return [...seen].map(([label, { count }]) => ({ label, count })).sort((a, b) => compare(a.label, b.label));
}

function unsuitable(column: DatasetColumn, why: string, hint: string): AssayError {
  return new AssayError('target_unsuitable', `the column "${column.name}" cannot be the target`, {
    why: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    hint,
    details: { column: column.name, type: column.inferredType, distinct: column.distinct },
  });
}
