import type { DatasetManifest } from '@assay/contracts';
import type { EvaluationRequest } from '../metrics/evaluation.ts';
import { chooseRows } from '../split/choose-rows.ts';
import { recordedOrder } from '../split/hand-out-order.ts';
import { rowsSha256 } from '../split/row-list.ts';
import type { SplitFacts } from '../split/split-facts.ts';
import { largestPublished, readPredictions } from './read-predictions.ts';
import { readTargets } from './read-targets.ts';

export interface PredictionFile {
  readonly path: string;
  readonly sha256: string;
}

export interface JoinRequest {
  /** The folder below which no component of a path may be a link. */
  readonly root: string;
  /** Predictions of the same rows. */
  readonly files: readonly PredictionFile[];
  readonly manifest: DatasetManifest;
  /** Where the data is when not at the manifest's own path. */
  readonly dataPath?: string | undefined;
  readonly split: SplitFacts;
  readonly signal?: AbortSignal | undefined;
}

/** `mismatch`: the split does not give the rows that it names. `source_changed`: a file is not the recorded one. */
export type Joined =
  | {
      /** Rows of the data file, in the order of targets and predictions. */
      readonly rows: Uint32Array;
      readonly submissions: readonly EvaluationRequest[];
    }
  | { readonly problem: 'mismatch' | 'source_changed' };

/**
 * Joins published predictions to the labels of the original data, in the order of the files. The rows that were handed
 * out are chosen and put in their order again from the data: a shorter list of easy rows does not pass. Throws what reading data and
 * predictions throws.
 */
export async function joinSubmissions(request: JoinRequest): Promise<Joined> {
  const { root, files, manifest, dataPath, split, signal } = request;
  const from = { path: dataPath, signal };
  const training = split.method !== 'all';
  const { handedOut, trainRows } = await chooseRows(manifest, { training, seed: split.seed, limit: split.limit }, from);
  if (handedOut.length !== split.handedOut || rowsSha256(handedOut) !== split.handedOutSha256)
    return { problem: 'mismatch' };
  if (recordedOrder({ handedOut, trainRows, datasetSha256: manifest.sha256 }, split) === 'mismatch')
    return { problem: 'mismatch' };
  const targets = await readTargets(manifest, handedOut, from);
  const { task, type: targetType } = targets;
  const submissions: EvaluationRequest[] = [];
  for (const { path, sha256 } of files) {
    const maxBytes = largestPublished(handedOut.length);
    const predictions = await readPredictions(path, { root, handedOut, task, targetType, maxBytes, signal });
    if (predictions.sha256 !== sha256) return { problem: 'source_changed' };
    submissions.push(
      task === 'classification'
        ? {
            task,
            targets: targets.labels!,
            predictions: predictions.labels!,
            scores: predictions.scores,
            labelType: targetType,
            groups: targets.groups,
          }
        : { task, targets: targets.values!, predictions: predictions.values!, groups: targets.groups },
    );
  }
  return { rows: handedOut, submissions };
}
