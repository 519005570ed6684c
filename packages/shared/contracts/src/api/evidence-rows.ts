import * as z from 'zod';
import { mismatchReasons } from '../records/evidence.ts';

/** Bounds of what one answer holds. */
export const ROWS_PER_PAGE = 1000;
export const MOST_INPUT_COLUMNS = 20;
export const MOST_POINTS = 1000;

export const evidenceRowsQuery = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(ROWS_PER_PAGE).default(50),
  /** `wrong`: rows of which a prediction is not the label; of a regression there are none. */
  only: z.enum(['all', 'wrong']).default('all'),
  /** `error`: the largest difference first; of a classification the order of the file. */
  order: z.enum(['file', 'error']).default('file'),
});
export type EvidenceRowsQuery = z.output<typeof evidenceRowsQuery>;

const answer = z.union([z.string(), z.number()]);

/** Why what is shown is not proven any more; null when the files are those of the record. */
const doubt = { problem: z.enum(mismatchReasons).nullable(), source: z.string() };

/** The rows that a number was computed from, read again from predictions and data. */
export const evidenceRowsBody = z.object({
  ...doubt,
  task: z.enum(['classification', 'regression']).nullable(),
  /** Rows behind the number, how many of them are wrong (classification), and how many fit the query. */
  total: z.number().int(),
  wrong: z.number().int().nullable(),
  matched: z.number().int(),
  offset: z.number().int(),
  target: z.string().nullable(),
  /** Input columns whose cells follow, and how many more there are. */
  inputs: z.array(z.string()),
  moreInputs: z.number().int(),
  rows: z.array(
    z.object({
      /** Zero-based row of the data file. */
      row: z.number().int(),
      target: answer,
      /** One, or those of the two sides of a comparison. */
      predictions: z.array(answer),
      /** Cells in the order of `inputs`, cut when long; null where there is no value. */
      inputs: z.array(z.string().nullable()),
    }),
  ),
});
export type EvidenceRows = z.infer<typeof evidenceRowsBody>;

/** Differences between predicted and actual values of a regression, predicted − actual. */
export const residualsBody = z.object({
  ...doubt,
  total: z.number().int(),
  /** Every `step`th row. */
  step: z.number().int().positive(),
  points: z.array(z.object({ row: z.number().int(), actual: z.number(), predicted: z.number() })),
  /** Counts between neighbouring edges, over all rows. */
  histogram: z.object({ edges: z.array(z.number()), counts: z.array(z.number().int()) }),
});
export type Residuals = z.infer<typeof residualsBody>;
