import { join } from 'node:path';
import { AssayError, isoTime } from '@assay/foundation';
import { datasetManifestSchema, type Artifact, type DatasetManifest } from '@assay/contracts';
import {
  checkClaimedMetrics,
  evaluate,
  evidenceFor,
  largestPublished,
  readPredictions,
  readRowsFile,
  readTargets,
  runProbes,
  type Evaluation,
  type EvaluationRequest,
  type Predictions,
  type Probe,
  type Targets,
} from '@assay/evaluation';
import { exists } from '@assay/files';
import type { RepositoryManifest } from '@assay/repositories';
import { targetType } from '../adapter-output.ts';
import { artifactFile, BENCHMARK_SEED } from '../benchmark-run.ts';
import {
  adapterSpecValue,
  runManifestValue,
  valueOf,
  type AdapterSpecValue,
  type BenchmarkMetricsValue,
  type ValidationReportValue,
} from '../benchmark-values.ts';
import { requireKept } from '../kept-files.ts';
import { labelsOf, requireKnownLabel } from '../known-labels.ts';
import type { TaskContext, TaskType } from '../task-type.ts';

/**
 * Joins the predictions to the labels that the run never saw, recomputes every metric, compares what the adapter
 * claimed, and proves by probes that the evaluator tells good from bad on this very data.
 */
export const benchmarkValidate: TaskType = {
  type: 'benchmark_validate',
  codeVersion: 2,
  async run(context) {
    const manifestArtifact = await context.input('dataset_manifest');
    const manifest = valueOf(datasetManifestSchema, manifestArtifact);
    const spec = valueOf(adapterSpecValue, await context.input('validated_benchmark_adapter_spec'));
    const runManifest = valueOf(runManifestValue, await context.input('benchmark_run_manifest'));
    const predictionsArtifact = await context.input('benchmark_predictions');
    await requireSameProtocol(context, runManifest.preregistrationSha256);
    const { predictions, targets, split } = await joined(context, { manifest, spec, predictionsArtifact });
    const request = requestOf(predictions, targets, context.signal);
    if (request.task === 'classification') requireKnownLabel(request.predictions, labelsOf(manifest, request.targets));
    const evaluation = await evaluate(request);
    const claims = await claimsOf(context, evaluation);
    const probes = await runProbes(request, { seed: BENCHMARK_SEED, signal: context.signal });
    const { commit } = (await context.input('repo_manifest')).value as RepositoryManifest;
    const evidence = evidenceFor({
      quest: context.plan.questId,
      plan: context.plan.id,
      evaluation,
      manifest,
      split,
      predictions: predictionsArtifact,
      manifestArtifact,
      sandbox: runManifest.attestation,
      computedAt: isoTime(context.clock.now()),
      confusion: true,
      ...keptCopy(manifestArtifact),
      ...(commit === null ? {} : { commit }),
    });
    const metrics: BenchmarkMetricsValue = {
      task: evaluation.task,
      rows: evaluation.rows,
      metrics: { ...evaluation.metrics },
      intervals: Object.fromEntries(
        Object.entries(evaluation.intervals).map(([name, { low, high }]) => [name, [low, high]]),
      ),
      evidence: Object.fromEntries(evidence.map(({ metric, id }) => [metric, id])),
      undefined: { ...evaluation.undefined },
      labels: evaluation.labels === undefined ? null : [...evaluation.labels],
      confusion: evaluation.confusion === undefined ? null : evaluation.confusion.map((row) => [...row]),
      notes: [...evaluation.notes],
    };
    const report: ValidationReportValue = {
      ok: true,
      probes: probesByName(probes),
      claims,
      checks: checksDone(evaluation, predictions),
    };
    return {
      evidence,
      outputs: {
        benchmark_metrics: { type: 'metrics', value: metrics, evidence: evidence.map(({ id }) => id) },
        benchmark_validation_report: { type: 'json', value: report },
      },
      summary: headline(evaluation),
    };
  },
};

/** The run was judged by the protocol that was registered before it. */
async function requireSameProtocol(context: TaskContext, expected: string): Promise<void> {
  const registration = await context.input('preregistration');
  if (registration.sha256 === expected) return;
  throw new AssayError('predictions_other_dataset', 'the run was made under another pre-registration', {
    why: `it names ${expected}, the plan has ${registration.sha256}`,
    hint: 'create the plan again',
  });
}

async function joined(
  context: TaskContext,
  known: {
    readonly manifest: DatasetManifest;
    readonly spec: AdapterSpecValue;
    readonly predictionsArtifact: Artifact;
  },
) {
  const { manifest, spec, predictionsArtifact } = known;
  const rowsFile = join(context.paths.root, spec.data.folder, spec.data.rows.file);
  await requireKept(rowsFile, 'the list of the rows that were handed out');
  const { handedOut, split } = await readRowsFile(rowsFile);
  const predictions = await readPredictions(artifactFile(context, predictionsArtifact), {
    handedOut,
    task: manifest.suggestedTask,
    targetType: targetType(manifest),
    maxBytes: largestPublished(handedOut.length),
    signal: context.signal,
  });
  if (predictions.sha256 !== predictionsArtifact.sha256)
    throw new AssayError('predictions_other_dataset', 'the predictions are not the ones that the run left', {
      why: `their hash is ${predictions.sha256}, recorded was ${predictionsArtifact.sha256}`,
      hint: 'retry the task benchmark_execute',
    });
  const targets = await readTargets(manifest, handedOut, {
    path: await labelsPath(context, manifest),
    signal: context.signal,
  });
  return { predictions, targets, split };
}

/** The user's file; when it is gone, the copy that the quest keeps by hash. */
async function labelsPath(context: TaskContext, manifest: DatasetManifest): Promise<string | undefined> {
  if (await exists(manifest.path)) return undefined;
  const kept = join(context.paths.blobs, manifest.sha256);
  return (await exists(kept)) ? kept : undefined;
}

function requestOf(predictions: Predictions, targets: Targets, signal: AbortSignal): EvaluationRequest {
  if (targets.task === 'regression')
    return {
      task: 'regression',
      targets: targets.values!,
      predictions: predictions.values!,
      groups: targets.groups,
      signal,
    };
  return {
    task: 'classification',
    targets: targets.labels!,
    predictions: predictions.labels!,
    scores: predictions.scores,
    labelType: targets.type,
    groups: targets.groups,
    signal,
  };
}

async function claimsOf(context: TaskContext, evaluation: Evaluation): Promise<ValidationReportValue['claims']> {
  const { claimed } = (await context.input('benchmark_run_metrics')).value as {
    claimed: Record<string, unknown> | null;
  };
  if (claimed === null) return { confirmed: [], ignored: [] };
  const { confirmed, ignored } = checkClaimedMetrics(claimed, evaluation.metrics);
  return { confirmed: [...confirmed], ignored: [...ignored] };
}

function keptCopy(manifest: Artifact): { keptAs?: string } {
  const kept = manifest.metadata['keptAs'];
  return typeof kept === 'string' ? { keptAs: kept } : {};
}

function checksDone(evaluation: Evaluation, predictions: Predictions): string[] {
  return [
    `each of the ${evaluation.rows} rows that were handed out has exactly one prediction`,
    'repository, data and adapter had the same hashes before and after the run',
    'the labels were joined outside of the sandbox',
    ...predictions.normalised,
  ];
}

function probesByName(probes: readonly Probe[]): ValidationReportValue['probes'] {
  return Object.fromEntries(
    probes.map(({ name, passed, metric, value, expected }) => [name, { passed, metric, value, expected }]),
  );
}

function headline({ task, metrics, rows }: Evaluation): string {
  const names = task === 'classification' ? ['accuracy', 'macro_f1'] : ['rmse', 'r2'];
  const shown = names
    .filter((name) => metrics[name] !== undefined)
    .map((name) => `${name} ${metrics[name]!.toFixed(4)}`);
  return `${shown.join(', ')} on ${rows} rows`;
}
