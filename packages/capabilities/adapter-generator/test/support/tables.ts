import type { ColumnType, EvaluationTask } from '@assay/contracts';
import type { DatasetShape } from '../../src/index.ts';

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

/** A small data set: rows with their target, and which of them are for training. */
export interface Table {
  readonly shape: DatasetShape;
  /** Without the target. */
  readonly test: readonly Row[];
  readonly train: readonly Row[];
}

function table(
  target: readonly [name: string, type: ColumnType, task: EvaluationTask],
  columns: Readonly<Record<string, ColumnType>>,
  rows: { readonly test: readonly (readonly Cell[])[]; readonly train: readonly (readonly Cell[])[] },
): Table {
  const [targetColumn, targetType, suggestedTask] = target;
  const inputColumns = Object.keys(columns);
  const types = { ...columns, [targetColumn]: targetType };
  const named = (cells: readonly Cell[], names: readonly string[]) =>
    Object.fromEntries(names.map((name, at) => [name, cells[at] ?? null]));
  return {
    shape: {
      columns: Object.entries(types).map(([name, inferredType], position) => ({
        name,
        position,
        inferredType,
        nonNull: 1,
        distinct: 1,
        distinctExact: true,
      })),
      inputColumns,
      targetColumn,
      suggestedTask,
    },
    test: rows.test.map((cells) => named(cells, inputColumns)),
    train: rows.train.map((cells) => named(cells, [...inputColumns, targetColumn])),
  };
}

/** Two numbers, two labels; rows 0 … 3 are handed out. */
export const flowers = table(
  ['kind', 'text', 'classification'],
  { petal_length: 'number', petal_width: 'number' },
  {
    test: [
      [1.4, 0.2],
      [4.7, 1.4],
      [1.3, 0.2],
      [4.5, 1.5],
    ],
    train: [
      [1.5, 0.3, 'round'],
      [4.9, 1.5, 'long'],
      [1.6, 0.2, 'round'],
      [4.1, 1.3, 'long'],
      [1.4, 0.1, 'round'],
      [5.1, 1.6, 'long'],
    ],
  },
);

/** The same flowers with a hole in the second handed-out row. */
export const flowersWithHole: Table = {
  ...flowers,
  test: flowers.test.map((row, at) => (at === 1 ? { ...row, petal_width: null } : row)),
};

export const messages = table(
  ['label', 'text', 'classification'],
  { text: 'text' },
  {
    test: [['A great day'], ['bad service'], ['really GOOD'], ['love it, good']],
    train: [
      ['good good great', 'pos'],
      ['bad awful', 'neg'],
      ['great love', 'pos'],
      ['awful service bad', 'neg'],
    ],
  },
);

/** The same messages under a target that says what it is about. */
export const feelings: Table = {
  ...messages,
  shape: {
    ...messages.shape,
    targetColumn: 'sentiment',
    columns: messages.shape.columns.map((one) => (one.name === 'label' ? { ...one, name: 'sentiment' } : one)),
  },
  train: messages.train.map(({ text, label }) => ({ text: text ?? null, sentiment: label ?? null })),
};

/** Numbers that are names: their digits count, not their size. */
export const cards = table(
  ['valid', 'boolean', 'classification'],
  { number: 'integer' },
  {
    test: [[4242424242424242], [4242424242424241], [5555555555554444], [5555555555554443]],
    train: [
      [4000056655665556, true],
      [4000056655665555, false],
    ],
  },
);

/** Two measures that name no unit. */
export const people = table(
  ['bmi', 'number', 'regression'],
  { weight: 'number', height: 'number' },
  {
    test: [
      [50, 2],
      [81, 1.5],
    ],
    train: [
      [100, 2, 25],
      [36, 1.5, 16],
    ],
  },
);

/** Numbers and texts with missing values. */
export const rooms = table(
  ['kind', 'text', 'classification'],
  { size: 'number', colour: 'text' },
  {
    test: [
      [12, 'red'],
      [30, 'blue'],
      [null, 'red'],
      [31, null],
    ],
    train: [
      [10, 'red', 'small'],
      [11, 'red', 'small'],
      [33, 'blue', 'large'],
      [34, null, 'large'],
      [null, 'blue', 'large'],
    ],
  },
);

/** One number and a price of three per unit. */
export const prices = table(
  ['price', 'number', 'regression'],
  { size: 'number' },
  {
    test: [[10], [100], [7]],
    train: [
      [1, 3],
      [3, 9],
    ],
  },
);

export const digits = table(
  ['digit', 'integer', 'classification'],
  { a: 'integer', b: 'integer' },
  {
    test: [
      [1, 2],
      [3, 4],
    ],
    train: [
      [1, 1, 0],
      [4, 4, 1],
    ],
  },
);

/** Chinese reviews. */
export const reviews = table(
  ['情感', 'text', 'classification'],
  { 评论: 'text' },
  {
    test: [['非常喜欢这个产品'], ['质量太差'], ['喜欢, 很好'], ['差评, 失望']],
    train: [
      ['很好', '好评'],
      ['太差', '差评'],
      ['喜欢', '好评'],
      ['失望', '差评'],
    ],
  },
);

/** Forty different numbers with two labels: enough rows for the checks. */
export const many = table(
  ['kind', 'text', 'classification'],
  { petal_length: 'number', petal_width: 'number' },
  {
    test: Array.from({ length: 40 }, (_, at) => [1 + at / 10, 0.1 + at / 40]),
    train: [
      [1.5, 0.3, 'round'],
      [4.9, 1.5, 'long'],
    ],
  },
);

/** Forty different messages. */
export const manyMessages = table(
  ['label', 'text', 'classification'],
  { text: 'text' },
  {
    test: Array.from({ length: 40 }, (_, at) => [at % 3 === 0 ? `good day number ${at}` : `bad service number ${at}`]),
    train: [
      ['good', 'pos'],
      ['bad', 'neg'],
    ],
  },
);

/** A text and the seconds that it means. */
export const durations = table(
  ['seconds', 'integer', 'regression'],
  { duration: 'text' },
  {
    test: [['1m'], ['2h'], ['3m']],
    train: [
      ['5m', 300],
      ['1h', 3600],
    ],
  },
);
