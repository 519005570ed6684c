import * as z from 'zod';
import {
  artifactKey,
  attestationSchema,
  benchmarkMetricsSchema,
  sha256,
  validationReportSchema,
  type Artifact,
  type BenchmarkMetrics,
  type ValidationReport,
} from '@assay/contracts';

/** Values that the benchmark tasks hand to one another, with their checks. */

export const workspaceValue = z.object({
  /** Relative to the quest root. */
  path: z.string(),
  fingerprint: sha256,
});
export type WorkspaceValue = z.infer<typeof workspaceValue>;

export const preparedDataValue = z.object({
  /** Folder with the files below, relative to the quest root. */
  folder: z.string(),
  dataset: z.object({ file: z.string(), sha256 }),
  train: z.object({ file: z.string(), sha256 }).nullable(),
  rows: z.object({ file: z.string(), sha256 }),
  handedOut: z.number().int().positive(),
});
export type PreparedDataValue = z.infer<typeof preparedDataValue>;

/** A mapping of answers to labels, as it is written behind `--map`, and what speaks for it. */
export const labelsValue = z.object({ map: z.string(), evidence: z.string() });
export type LabelsValue = z.infer<typeof labelsValue>;

export const adapterSpecValue = z.object({
  entrypoint: z.string(),
  strategy: z.string(),
  confidence: z.number(),
  needsTraining: z.boolean(),
  adapterSha256: sha256,
  /** The artifact that holds the adapter's file. */
  adapterKey: artifactKey,
  /** Top-level modules that the entry point's files import and Python does not bring. */
  thirdPartyImports: z.array(z.string()),
  /** Files that hold the data set itself, relative to the workspace; they appear empty in every run. */
  masked: z.array(z.string()),
  data: preparedDataValue,
  preflightPassed: z.boolean(),
  /** True when it writes beside its own files: it runs on a copy of the repository that is thrown away. */
  privateCopy: z.boolean().default(false),
  /** What the answers are called in the data; null when they are taken as they are. */
  labels: labelsValue.nullable().default(null),
});
export type AdapterSpecValue = z.infer<typeof adapterSpecValue>;

/** The checked value of an artifact. Throws a ZodError when a record was edited into something else. */
export function valueOf<T>(schema: z.ZodType<T>, artifact: Artifact): T {
  return schema.parse(artifact.value);
}

export const runManifestValue = z.object({
  status: z.literal('ok'),
  datasetSha256: sha256,
  originalSha256: sha256,
  adapterSha256: sha256,
  repositoryFingerprint: sha256,
  preregistrationSha256: sha256,
  /** What the run itself left, before its rows got the numbers of the data file. */
  predictionsAsLeftSha256: sha256.optional(),
  sampleCount: z.number().int().positive(),
  seed: z.number().int(),
  seconds: z.number(),
  maxRssBytes: z.number().nullable(),
  cpuSeconds: z.number().nullable(),
  session: z.string(),
  attestation: attestationSchema,
  /** Every reading of a prediction that was not literal, in words. */
  normalised: z.array(z.string()),
  /** Files that it wrote into its private copy of the repository; at most ten. */
  wrote: z.array(z.string()).default([]),
});
export type RunManifestValue = z.infer<typeof runManifestValue>;

export const benchmarkMetricsValue = benchmarkMetricsSchema;
export type BenchmarkMetricsValue = BenchmarkMetrics;

export const validationReportValue = validationReportSchema;
export type ValidationReportValue = ValidationReport;

/** The part of the generator's report that explains the choice. */
export const adapterReportValue = z.object({
  evidence: z.array(z.string()),
  others: z.array(z.object({ entrypoint: z.string(), confidence: z.number() })),
  rejected: z.array(z.object({ entrypoint: z.string(), reason: z.string() })),
});

export const preflightReportValue = z.object({
  rows: z.number().int(),
  attempts: z.array(
    z.object({ entrypoint: z.string(), adapterSha256: sha256, ok: z.boolean(), problem: z.string().nullable() }),
  ),
  normalised: z.array(z.string()),
  /** What was installed besides, when the entry point imported something only while it ran. */
  installed: z.unknown().optional(),
  /** The entry point that runs in the formal run. */
  passed: z.object({
    entrypoint: z.string(),
    confidence: z.number(),
    evidence: z.array(z.string()),
    notes: z.array(z.string()),
    /** How rows are handed over, in words. */
    way: z.string().default(''),
    labels: labelsValue.nullable().default(null),
    privateCopy: z.boolean().default(false),
    /** What else was recognised, the best first. */
    others: z.array(z.object({ entrypoint: z.string(), confidence: z.number() })),
  }),
});
