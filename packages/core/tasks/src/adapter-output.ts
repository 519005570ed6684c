import { lstat, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '@assay/foundation';
import type { DatasetManifest } from '@assay/contracts';
import { removeTree } from '@assay/files';
import {
  checkRunManifest,
  readClaimedMetrics,
  readPredictions,
  readRowsFile,
  type Predictions,
} from '@assay/evaluation';
import { BENCHMARK_SEED, type AdapterOutput } from './benchmark-run.ts';
import type { AdapterSpecValue } from './benchmark-values.ts';
import type { TaskContext } from './task-type.ts';

export interface CheckedOutput {
  readonly predictions: Predictions;
  /** The predictions under the rows of the data file, outside of what a run can write to. */
  readonly predictionsFile: string;
  /** What the adapter believes of itself; null when it says nothing. */
  readonly claimed: Readonly<Record<string, number | string>> | null;
}

/** File systems keep times in steps; a file written right at the start may look a little older. */
const CLOCK_SLACK_MS = 2000;

/** Reads what a run left: regular files of this run, every handed-out row exactly once, finite numbers. */
export async function checkOutput(
  context: TaskContext,
  output: AdapterOutput,
  expected: { readonly manifest: DatasetManifest; readonly spec: AdapterSpecValue; readonly limit: number },
): Promise<CheckedOutput> {
  const { manifest, spec, limit } = expected;
  // The folder above is our mount point and cannot be replaced from inside; everything below it is checked.
  const root = dirname(output.outputDir);
  const options = { root, notBefore: output.startedAt - CLOCK_SLACK_MS, signal: context.signal };
  const run = { datasetSha256: spec.data.dataset.sha256, sampleCount: limit, seed: BENCHMARK_SEED };
  await checkRunManifest(join(output.outputDir, 'run_manifest.json'), run, options);
  const checked = `${root}-checked`;
  await removeTree(checked); // left by a check that a restart cut short
  await mkdir(checked, { mode: 0o700 });
  const predictionsFile = join(checked, 'predictions.jsonl');
  const predictions = await readPredictions(join(output.outputDir, 'predictions.jsonl'), {
    ...options,
    renumberedTo: predictionsFile,
    ...(await firstRows(context, spec, limit)),
    task: manifest.suggestedTask,
    targetType: targetType(manifest),
  });
  const metricsFile = join(output.outputDir, 'metrics.json');
  const claimed = (await isThere(metricsFile))
    ? Object.fromEntries(await readClaimedMetrics(metricsFile, options))
    : null;
  return { predictions, predictionsFile, claimed };
}

/** Something stands there, be it a link that leads nowhere. */
async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** The first rows of the adapter's data file: those that it must predict. */
async function firstRows(context: TaskContext, spec: AdapterSpecValue, limit: number) {
  const { folder, rows } = spec.data;
  const { handedOut, order } = await readRowsFile(join(context.paths.root, folder, rows.file));
  if (order === undefined) return { handedOut: handedOut.subarray(0, limit) };
  const first = order.subarray(0, limit);
  return { handedOut: first.toSorted(), order: first };
}

export function targetType(manifest: DatasetManifest) {
  return manifest.columns.find((column) => column.name === manifest.targetColumn)?.inferredType;
}
