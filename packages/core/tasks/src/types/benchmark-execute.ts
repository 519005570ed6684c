import { datasetManifestSchema } from '@assay/contracts';
import { checkOutput } from '../adapter-output.ts';
import { artifactFile, BENCHMARK_SEED, runAdapter } from '../benchmark-run.ts';
import { adapterSpecValue, runManifestValue, valueOf, workspaceValue } from '../benchmark-values.ts';
import type { TaskType } from '../task-type.ts';

/** The formal run. It never edits code; what it leaves is checked before it counts. */
export const benchmarkExecute: TaskType = {
  type: 'benchmark_execute',
  codeVersion: 3,
  async run(context) {
    const manifest = valueOf(datasetManifestSchema, await context.input('dataset_manifest'));
    const workspace = valueOf(workspaceValue, await context.input('workspace_path'));
    const spec = valueOf(adapterSpecValue, await context.input('validated_benchmark_adapter_spec'));
    const registration = await context.input('preregistration');
    const limit = spec.data.handedOut;
    const output = await runAdapter(context, {
      name: 'run',
      workspace,
      spec,
      adapterFile: artifactFile(context, await context.input(spec.adapterKey)),
      datasetManifest: manifest,
      limit,
    });
    const checked = await checkOutput(context, output, { manifest, spec, limit });
    const runManifest = runManifestValue.parse({
      status: 'ok',
      datasetSha256: spec.data.dataset.sha256,
      originalSha256: manifest.sha256,
      adapterSha256: spec.adapterSha256,
      repositoryFingerprint: workspace.fingerprint,
      preregistrationSha256: registration.sha256,
      predictionsAsLeftSha256: checked.predictions.sha256,
      sampleCount: limit,
      seed: BENCHMARK_SEED,
      seconds: output.session.exit.seconds,
      maxRssBytes: output.session.exit.maxRssBytes ?? null,
      cpuSeconds: output.session.exit.cpuSeconds ?? null,
      session: output.session.id,
      attestation: output.session.attestation,
      normalised: checked.predictions.normalised,
      wrote: output.wrote,
    });
    return {
      outputs: {
        benchmark_predictions: { type: 'json', file: checked.predictionsFile, mediaType: 'application/x-ndjson' },
        benchmark_run_manifest: { type: 'json', value: runManifest },
        benchmark_run_metrics: { type: 'metrics', value: { claimed: checked.claimed } },
      },
      summary: `${limit} rows predicted in ${output.session.exit.seconds.toFixed(1)} s`,
    };
  },
};
