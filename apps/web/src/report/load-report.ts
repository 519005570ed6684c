import type { Client } from '@assay/client';
import {
  benchmarkMetricsSchema,
  datasetManifestSchema,
  preRegistrationSchema,
  validationReportSchema,
  type BenchmarkMetrics,
  type BenchmarkResult,
  type DatasetManifest,
  type Evidence,
  type Plan,
  type PreRegistrationRecord,
  type ValidationReport,
} from '@assay/contracts';
import { AssayError } from '@assay/foundation';

/** The part of a schema of contracts that is used here. */
interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly { readonly message: string }[] } };
}

/** All that a report shows: recorded values, checked by the schemas that wrote them. */
export interface LoadedReport {
  readonly metrics: BenchmarkMetrics;
  readonly validation: ValidationReport;
  readonly registration: PreRegistrationRecord;
  readonly manifest: DatasetManifest;
  /** By metric, in the order of the records. */
  readonly evidence: ReadonlyMap<string, Evidence>;
  readonly result: BenchmarkResult;
}

export async function loadReport(client: Client, plan: Plan, signal: AbortSignal): Promise<LoadedReport> {
  const read = async <T>(key: string, schema: Schema<T>): Promise<T> => {
    const artifact = await client.getArtifact({ quest: plan.questId, artifact: plan.artifacts[key] ?? '' }, { signal });
    const parsed = schema.safeParse(artifact.value);
    if (parsed.success) return parsed.data;
    throw new AssayError('artifact_invalid', `the record "${key}" is of another version than this page`, {
      why: parsed.error.issues[0]?.message ?? '',
      hint: 'load the page again; if it stays, run assay fsck',
    });
  };
  const [metrics, validation, registration, manifest, evidence, result] = await Promise.all([
    read('benchmark_metrics', benchmarkMetricsSchema),
    read('benchmark_validation_report', validationReportSchema),
    read('preregistration', preRegistrationSchema),
    read('dataset_manifest', datasetManifestSchema),
    evidenceOf(client, plan, signal),
    client.planResult({ plan: plan.id }, { signal }),
  ]);
  return { metrics, validation, registration, manifest, evidence, result };
}

async function evidenceOf(client: Client, plan: Plan, signal: AbortSignal): Promise<Map<string, Evidence>> {
  const found = new Map<string, Evidence>();
  for (let cursor: string | undefined; ;) {
    const query = { limit: 500, ...(cursor === undefined ? {} : { cursor }) };
    const page = await client.listEvidence({ quest: plan.questId, query }, { signal });
    for (const record of page.evidence) if (record.plan === plan.id) found.set(record.metric, record);
    if (page.nextCursor === null) return found;
    cursor = page.nextCursor;
  }
}
