import * as z from 'zod';
import { evaluationTasks } from './dataset-manifest.ts';
import { sha256 } from './common.ts';

/** The values of a benchmark's artifacts that people see: written by the tasks, read by reports and the page. */

const interval = z.tuple([z.number(), z.number()]);

/** The artifact `benchmark_metrics`. */
export const benchmarkMetricsSchema = z.object({
  task: z.enum(['classification', 'regression']),
  rows: z.number().int(),
  metrics: z.record(z.string(), z.number()),
  intervals: z.record(z.string(), interval),
  /** Metric to evidence id. */
  evidence: z.record(z.string(), z.string()),
  /** Metrics that have no value here, with the reason. */
  undefined: z.record(z.string(), z.string()),
  labels: z.array(z.string()).nullable(),
  /** Rows = labels, columns = predictions, in the order of `labels`. */
  confusion: z.array(z.array(z.number())).nullable(),
  notes: z.array(z.string()),
});
export type BenchmarkMetrics = z.infer<typeof benchmarkMetricsSchema>;

const probe = z.object({
  passed: z.boolean(),
  metric: z.string(),
  value: z.number().nullable(),
  expected: z.string(),
});

/** The artifact `benchmark_validation_report`. */
export const validationReportSchema = z.object({
  ok: z.literal(true),
  probes: z.record(z.string(), probe),
  /** Claims of the adapter that agree with what was recomputed, and those about other things. */
  claims: z.object({ confirmed: z.array(z.string()), ignored: z.array(z.string()) }),
  checks: z.array(z.string()),
});
export type ValidationReport = z.infer<typeof validationReportSchema>;

/** How rows were divided; part of the pre-registration and of every evidence record. */
export const splitFactsSchema = z.object({
  /** `grouped` keeps groups on one side, `time` trains on what is earlier, `all` hands out every row. */
  method: z.enum(['stratified', 'shuffled', 'grouped', 'time', 'all']),
  prng: z.literal('xoshiro128**'),
  seed: z.number().int().min(0).max(0xffff_ffff),
  /** Share of the rows that is handed out; 1 without training. */
  testFraction: z.number(),
  handedOut: z.number().int().positive(),
  handedOutSha256: z.string(),
  train: z.number().int().nonnegative(),
  trainSha256: z.string(),
  /** At most this many rows were handed out. */
  limit: z.number().int().positive().optional(),
  /** Of a grouped split: the column, and how many groups are on each side. */
  group: z
    .object({
      column: z.string(),
      train: z.number().int().nonnegative(),
      handedOut: z.number().int().nonnegative(),
    })
    .optional(),
  /**
   * The order in which rows were handed out; inside the sandbox `row_index` counts them in it, in what is published it is
   * the row of the file. Absent in records of before rows were shuffled.
   */
  order: z
    .object({
      /** What the generator of the shuffle starts from. */
      from: z.literal('SHA-256 of seed and data'),
      handedOutSha256: z.string(),
      trainSha256: z.string(),
    })
    .optional(),
  /** Of a split by time: the column, the first time of the test rows, and rows left out because they have none. */
  time: z.object({ column: z.string(), from: z.number(), without: z.number().int().nonnegative() }).optional(),
});
export type SplitFacts = z.infer<typeof splitFactsSchema>;

/** The artifact `preregistration`, as far as people read it: what was fixed and hashed before the run. */
export const preRegistrationSchema = z.object({
  v: z.literal(1),
  dataset: z.object({ name: z.string(), sha256, rowCount: z.number().int() }),
  task: z.enum(evaluationTasks),
  targetColumn: z.string().nullable(),
  inputColumns: z.array(z.string()),
  split: splitFactsSchema,
  metrics: z.array(z.object({ name: z.string(), recipe: z.string(), direction: z.string() })),
  /** The metric that decides; the others inform. */
  primary: z.string().nullable(),
  interval: z.object({ level: z.number(), B: z.number(), seed: z.number(), groups: z.string().optional() }),
  probes: z.array(z.string()),
  evaluator: z.object({ name: z.string(), version: z.number(), sha256 }),
  seed: z.number(),
  /** Of the canonical JSON of the whole registration without this member. */
  sha256,
});
export type PreRegistrationRecord = z.infer<typeof preRegistrationSchema>;
