import { AssayError } from '@assay/foundation';
import { JsonNumber, type StrictJson } from '../data/strict-json.ts';
import { readOutputObject, type ReadOutputOptions } from './read-output-json.ts';
import { outputLimits } from './read-predictions.ts';

export interface ExpectedRun {
  /** SHA-256 of the data file that the adapter was given. */
  readonly datasetSha256: string;
  /** Rows that were handed out. */
  readonly sampleCount: number;
  readonly seed: number;
}

/**
 * Reads `run_manifest.json` and compares what the adapter says that it did with what it was told to do. Throws
 * `predictions_other_dataset`, `predictions_incomplete`, `adapter_failed` or `output_*`. Proves nothing by itself.
 */
export async function checkRunManifest(
  file: string,
  expected: ExpectedRun,
  options: ReadOutputOptions = {},
): Promise<void> {
  const manifest = await readOutputObject(file, outputLimits.runManifest, options);
  const status = manifest.get('status');
  if (status !== 'ok')
    throw new AssayError('adapter_failed', `the run manifest says ${shown(status)} instead of "ok"`, {
      why: 'The adapter did not say that it finished its work.',
      hint: 'Read the log of the run for the reason.',
    });
  if (manifest.get('dataset_sha256') !== expected.datasetSha256)
    throw new AssayError('predictions_other_dataset', 'the predictions were made for another data file', {
      why: `The run manifest names ${shown(manifest.get('dataset_sha256'))}; the file handed out has the SHA-256 ${expected.datasetSha256}.`,
      hint: 'The adapter must hash and read the file behind --dataset.',
    });
  if (numberOf(manifest.get('sample_count')) !== expected.sampleCount)
    throw new AssayError('predictions_incomplete', 'the run manifest counts other rows than were handed out', {
      why: `It says ${shown(manifest.get('sample_count'))}; ${expected.sampleCount} rows were handed out.`,
      hint: 'Predict every row that was handed out.',
    });
  if (numberOf(manifest.get('seed')) !== expected.seed)
    throw new AssayError('output_malformed', 'the run manifest names another seed', {
      why: `It says ${shown(manifest.get('seed'))}; the run was started with ${expected.seed}.`,
      hint: 'The adapter must use the number behind --seed.',
    });
}

function numberOf(value: StrictJson | undefined): number | undefined {
  return value instanceof JsonNumber && value.isWhole ? Number(value.text) : undefined;
}

function shown(value: StrictJson | undefined): string {
  if (value === undefined) return 'nothing';
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'object' && value !== null ? 'something else' : JSON.stringify(value).slice(0, 120);
}
