import * as z from 'zod';
import { sha256 } from './common.ts';

export const datasetFormats = ['csv', 'tsv', 'json', 'jsonl'] as const;
/** `unknown` = the column holds no value at all. */
export const columnTypes = ['integer', 'number', 'boolean', 'text', 'unknown'] as const;
export const evaluationTasks = ['classification', 'regression', 'inference'] as const;

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const datasetColumn = z.object({
  name: z.string().min(1),
  /** Zero-based place in the file (order of first appearance in JSON). */
  position: z.number().int().nonnegative(),
  inferredType: z.enum(columnTypes),
  nonNull: z.number().int().nonnegative(),
  /** Different texts among the non-missing cells; a lower bound when `distinctExact` is false. */
  distinct: z.number().int().nonnegative(),
  distinctExact: z.boolean(),
});

/** What is known of a data file after one streaming pass; the file itself stays where it is. */
export const datasetManifestSchema = z.object({
  v: z.literal(1),
  name: z.string(),
  /** Absolute, with every symbolic link resolved. */
  path: z.string(),
  format: z.enum(datasetFormats),
  encoding: z.literal('utf-8'),
  bom: z.boolean(),
  /** Of CSV and TSV. */
  delimiter: z.string().length(1).optional(),
  sha256,
  size: z.number().int().nonnegative(),
  mtimeMs: z.number(),
  rowCount: z.number().int().nonnegative(),
  columns: z.array(datasetColumn).min(1),
  inputColumns: z.array(z.string()),
  targetColumn: z.string().nullable(),
  suggestedTask: z.enum(evaluationTasks),
  /** The target's labels in canonical form, sorted, with their row counts (classification only, at most 1,000). */
  labels: z.array(z.object({ label: z.string(), count: z.number().int().positive() })).optional(),
  /** Of target and task, 0 … 1; below 0.7 a person is asked. */
  confidence: z.number().min(0).max(1),
  reasons: z.array(z.string()),
  excludedRows: z.object({ missingTarget: z.number().int().nonnegative() }),
  /** The first three rows, cells in the order of `columns`; long texts are cut. */
  preview: z.array(z.array(cell)).max(3),
  warnings: z.array(z.string()),
});

export type DatasetManifest = z.infer<typeof datasetManifestSchema>;
export type DatasetColumn = z.infer<typeof datasetColumn>;
export type DatasetFormat = (typeof datasetFormats)[number];
export type ColumnType = (typeof columnTypes)[number];
export type EvaluationTask = (typeof evaluationTasks)[number];
