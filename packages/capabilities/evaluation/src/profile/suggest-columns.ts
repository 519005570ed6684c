import { AssayError } from '@assay/foundation';
import type { DatasetColumn } from '@assay/contracts';

/** A column that may be the target, how sure its name makes us (0 … 1), and why. */
export interface TargetCandidate {
  readonly column: DatasetColumn;
  readonly confidence: number;
  readonly reason: string;
}

/** Names that data sets give to what is to be predicted, in lower case without separators. */
const targetNames = new Map<string, number>([
  ...names(0.95, ['target', 'label', 'labels', 'groundtruth', 'goldlabel', 'ytrue']),
  ...names(0.9, ['class', 'y', 'classlabel', 'targetclass', 'species', 'answer', '标签', '类别', '目标']),
  ...names(0.85, ['outcome', 'diagnosis', 'survived', 'sentiment', 'category', 'response', 'churn', 'verdict']),
  ...names(0.75, ['quality', 'price', 'variety', 'output', 'result', 'grade', 'medhouseval', 'medv', 'saleprice']),
]);

const idNames = new Set([
  'id',
  'index',
  'rowid',
  'rownames',
  'rownumber',
  'uuid',
  'guid',
  'unnamed0',
  'column1',
  'sno',
]);

/** The name under which rows are numbered in the files that an adapter gets. */
export const ROW_INDEX = 'row_index';

function names(confidence: number, words: readonly string[]): readonly (readonly [string, number])[] {
  return words.map((word) => [word, confidence] as const);
}

/** A name without what people write in different ways. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Columns whose name says that they are the target, the surest first; two that are nearly equal are both doubted. */
export function targetCandidates(columns: readonly DatasetColumn[]): readonly TargetCandidate[] {
  const found = columns.flatMap((column): TargetCandidate[] => {
    const confidence = nameConfidence(column.name);
    if (confidence === undefined || column.inferredType === 'unknown') return [];
    return [{ column, confidence, reason: `the column is called "${column.name}"` }];
  });
  found.sort((a, b) => b.confidence - a.confidence || b.column.position - a.column.position);
  const [first, second] = found;
  if (first === undefined || second === undefined || first.confidence - second.confidence >= 0.1) return found;
  const reason = `"${first.column.name}" and "${second.column.name}" could both be the target`;
  return [{ column: first.column, confidence: 0.5, reason }, ...found.slice(1)];
}

function nameConfidence(name: string): number | undefined {
  const exact = targetNames.get(plainName(name));
  if (exact !== undefined) return exact;
  return /(^|[_\s.-])(target|label|class)([_\s.-]|$)/i.test(name) ? 0.75 : undefined;
}

/** A last column with few values is often the target; a guess that a person should confirm. */
export function lastColumnCandidate(columns: readonly DatasetColumn[]): TargetCandidate | undefined {
  const column = columns.at(-1);
  if (column === undefined || columns.length < 2) return undefined;
  if (!column.distinctExact || column.distinct < 2 || column.distinct > 20 || column.distinct * 2 > column.nonNull)
    return undefined;
  return {
    column,
    confidence: 0.5,
    reason: `no column has a name that says target; the last one, "${column.name}", has only ${column.distinct} values`,
  };
}

/** Throws `column_missing`, which lists the columns that there are. */
export function requireColumn(columns: readonly DatasetColumn[], name: string, role: string): DatasetColumn {
  const column = columns.find((candidate) => candidate.name === name);
  if (column !== undefined) return column;
  const known = columns.map((candidate) => candidate.name);
  throw new AssayError('column_missing', `there is no column "${name}" to be the ${role}`, {
    why: `The columns are: ${known.slice(0, 50).join(', ')}${known.length > 50 ? `, … (${known.length} in all)` : ''}.`,
    hint: `Name one of them as the ${role}.`,
    details: { column: name, columns: known.slice(0, 1000) },
  });
}

export interface InputColumns {
  readonly names: readonly string[];
  readonly notes: readonly string[];
}

/** All columns but the target, without those that only number the rows, hold nothing, or are called row_index. */
export function defaultInputs(columns: readonly DatasetColumn[], target: string | null, rows: number): InputColumns {
  const inputs: string[] = [];
  const notes: string[] = [];
  for (const column of columns) {
    if (column.name === target) continue;
    const why = whyNoInput(column, rows);
    if (why === undefined) inputs.push(column.name);
    else notes.push(`"${column.name}" is not an input: ${why}`);
  }
  return { names: inputs, notes };
}

function whyNoInput(column: DatasetColumn, rows: number): string | undefined {
  if (column.name === ROW_INDEX) return `${ROW_INDEX} is how rows are numbered here`;
  if (column.inferredType === 'unknown') return 'it holds no value';
  // What has no name of its own is called column_1: it numbers the rows only when it holds whole numbers.
  if (plainName(column.name) === 'column1' && column.inferredType !== 'integer') return undefined;
  const everyRowDiffers = column.nonNull === rows && (!column.distinctExact || column.distinct === rows);
  if (idNames.has(plainName(column.name)) && everyRowDiffers && rows > 1) return 'it only numbers the rows';
  return undefined;
}

/** Checks the inputs that a person named. */
export function givenInputs(
  columns: readonly DatasetColumn[],
  input: readonly string[],
  target: string | null,
): readonly string[] {
  for (const name of input) {
    requireColumn(columns, name, 'input');
    if (name === target || name === ROW_INDEX)
      throw new AssayError('invalid_request', `"${name}" cannot be an input column`, {
        why:
          name === target
            ? 'It is the target: the answer would stand in the question.'
            : `${ROW_INDEX} is how rows are numbered here.`,
        hint: 'Leave it out of the inputs, or rename it in the file.',
      });
  }
  return [...new Set(input)];
}
