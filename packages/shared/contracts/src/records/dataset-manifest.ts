import * as z from 'zod';
import { sha256 } from './common.ts';

export const datasetFormats = ['csv', 'tsv', 'json', 'jsonl'] as const;
/** `date` = texts that all are dates of one form; `unknown` = the column holds no value at all. */
export const columnTypes = ['integer', 'number', 'boolean', 'date', 'text', 'unknown'] as const;
export const evaluationTasks = ['classification', 'regression', 'inference'] as const;

/** Encodings that are read, by their names in the Encoding Standard where they have one. */
export const dataEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'utf-32le',
  'utf-32be',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'iso-8859-2',
  'koi8-r',
] as const;
export const compressions = ['gzip', 'zip', 'bzip2', 'xz', 'zstd'] as const;
/** How the parts of a date follow one another. `either` = day and month cannot be told apart. */
export const dateForms = ['y-m-d', 'd/m/y', 'm/d/y', 'either'] as const;

/** What a row that cannot be read does: end the reading, or be left out and counted. */
const badRows = z.enum(['refuse', 'drop-rows']);

/** How a data file is read. What is absent is found by looking at the file, or has the usual value. */
export const readingOptions = z.object({
  /** The file of a ZIP archive that holds several. */
  member: z.string().min(1).max(4096).optional(),
  encoding: z.enum(dataEncodings).optional(),
  /** Rows with bytes that the encoding does not have; refused when absent. */
  onBadBytes: badRows.optional(),
  /** Of CSV and TSV: the character between cells. */
  delimiter: z
    .string()
    .regex(/^[\t\u0020\u0021\u0023-\u007e]$/, 'it must be one ASCII character and no quote')
    .optional(),
  /** The character around cells; `"` when absent. */
  quote: z.enum(['"', "'", 'none']).optional(),
  /** The decimal mark; a point when absent. */
  decimal: z.enum(['.', ',']).optional(),
  /** The character between groups of three digits. */
  thousands: z.enum([',', '.', ' ', "'", '_']).optional(),
  /** Whether the first row holds the column names; it does when absent. */
  header: z.enum(['present', 'absent']).optional(),
  /** Lines that begin with this character are no rows. */
  comment: z
    .string()
    .regex(/^[\u0021\u0023-\u007e]$/, 'it must be one ASCII character and no quote')
    .optional(),
  /** Rows with more or fewer cells than there are columns; refused when absent. */
  onRagged: badRows.optional(),
  /** Texts that are read as absent values, besides the usual ones. */
  missing: z.array(z.string().min(1)).max(100).optional(),
});
export type ReadingOptions = z.infer<typeof readingOptions>;

/** One thing that was found by looking at the file, how sure it is (0 … 1), and the signs of it. */
export const readingFinding = z.object({
  what: z.enum(['encoding', 'compression', 'delimiter', 'decimal', 'header', 'comment']),
  value: z.string(),
  confidence: z.number().min(0).max(1),
  evidence: z.array(z.string()),
});
export type ReadingFinding = z.infer<typeof readingFinding>;

export const leakageKinds = [
  'determines-target',
  'predicts-target',
  'row-id',
  'ordered-by-target',
  'target-in-name',
  'group-like',
  'time-like',
  'duplicate-rows',
] as const;

/** A sign that a good result may come from something else than skill. It never stops a benchmark. */
export const leakageWarning = z.object({
  kind: z.enum(leakageKinds),
  columns: z.array(z.string()),
  /** One sentence for people, with what was counted and on how many rows. */
  says: z.string(),
});
export type LeakageWarning = z.infer<typeof leakageWarning>;

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
  /** Of columns of dates. */
  dateForm: z.enum(dateForms).optional(),
  /** Of columns of texts: numbers that are not written as plain ones, and one of them. */
  writtenAs: z.object({ form: z.enum(['money', 'percent', 'infinite']), example: z.string() }).optional(),
});

/**
 * What is known of a data file after one streaming pass; the file itself stays where it is. With its members from
 * `readingOptions` the same rows are read again.
 */
export const datasetManifestSchema = readingOptions.extend({
  v: z.literal(1),
  name: z.string(),
  /** Absolute, with every symbolic link resolved. */
  path: z.string(),
  format: z.enum(datasetFormats),
  encoding: z.enum(dataEncodings),
  bom: z.boolean(),
  /** How the file is packed; `sha256` and `size` are of the packed bytes. */
  compression: z.enum(compressions).optional(),
  /** What was found by looking instead of being said. */
  findings: z.array(readingFinding).optional(),
  sha256,
  size: z.number().int().nonnegative(),
  mtimeMs: z.number(),
  rowCount: z.number().int().nonnegative(),
  columns: z.array(datasetColumn).min(1),
  inputColumns: z.array(z.string()),
  targetColumn: z.string().nullable(),
  /** Rows with the same value here belong together: never on both sides of a split, and resampled together. */
  groupColumn: z.string().optional(),
  /** Training rows come before the others in the order of this column. */
  timeColumn: z.string().optional(),
  suggestedTask: z.enum(evaluationTasks),
  /** The target's labels in canonical form, sorted, with their row counts (classification only, at most 1,000). */
  labels: z.array(z.object({ label: z.string(), count: z.number().int().positive() })).optional(),
  /** Of target and task, 0 … 1; below 0.7 a person is asked. */
  confidence: z.number().min(0).max(1),
  reasons: z.array(z.string()),
  /** Rows of the file that are neither handed out nor used for training, by why. `rowCount` counts them too. */
  excludedRows: z.object({
    missingTarget: z.number().int().nonnegative(),
    badBytes: z.number().int().nonnegative().optional(),
    ragged: z.number().int().nonnegative().optional(),
  }),
  leakage: z.array(leakageWarning).optional(),
  /** The first three rows, cells in the order of `columns`; long texts are cut. */
  preview: z.array(z.array(cell)).max(3),
  warnings: z.array(z.string()),
});

export type DatasetManifest = z.infer<typeof datasetManifestSchema>;
export type DatasetColumn = z.infer<typeof datasetColumn>;
export type DatasetFormat = (typeof datasetFormats)[number];
export type ColumnType = (typeof columnTypes)[number];
export type DataEncoding = (typeof dataEncodings)[number];
export type Compression = (typeof compressions)[number];
export type DateForm = (typeof dateForms)[number];
export type EvaluationTask = (typeof evaluationTasks)[number];
