import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artifact, DatasetManifest, Evidence, EvaluationTask } from '@assay/contracts';
import { canonicalJson } from '@assay/foundation';
import { sha256Text } from '@assay/files';
import { temporaryFolder, type TemporaryFolder } from '@assay/testkit';
import {
  evaluate,
  evidenceFor,
  prepareData,
  profileDataset,
  readPredictions,
  readTargets,
  type Evaluation,
  type PreparedData,
  type ProfileOptions,
} from '../src/index.ts';
import { penguins } from './data-files.ts';

/** A quest folder with published predictions, a data file beside it, and the evidence of their evaluation. */
export interface QuestWithEvidence extends AsyncDisposable {
  readonly folder: TemporaryFolder;
  readonly root: string;
  readonly dataPath: string;
  readonly predictionsPath: string;
  readonly manifest: DatasetManifest;
  readonly prepared: PreparedData;
  readonly evaluation: Evaluation;
  readonly evidence: Evidence[];
  readonly artifacts: Map<string, Artifact>;
  readonly readArtifact: (id: string) => Promise<Artifact | undefined>;
}

export interface QuestOptions {
  readonly task?: Exclude<EvaluationTask, 'inference'>;
  readonly training?: boolean;
  readonly scores?: boolean;
  readonly keep?: boolean;
  /** The same rows in another file, and how it is read. */
  readonly data?: { readonly name: string; readonly content: Uint8Array; readonly hints: ProfileOptions };
}

export async function questWithEvidence(options: QuestOptions = {}): Promise<QuestWithEvidence> {
  const folder = await temporaryFolder('assay-quest');
  const root = join(folder.path, 'quest');
  await mkdir(join(root, 'artifacts', 'json', 'artifact_p'), { recursive: true });
  await mkdir(join(root, '.assay', 'blobs'), { recursive: true });
  const dataPath = join(folder.path, options.data?.name ?? 'penguins.csv');
  await writeFile(dataPath, options.data?.content ?? penguins(120));
  const target = options.task === 'regression' ? 'bill_length_mm' : 'species';
  const manifest = await profileDataset(dataPath, { target, ...options.data?.hints });
  await mkdir(join(folder.path, 'prepared'));
  const training = options.training ?? true;
  const prepared = await prepareData(manifest, join(folder.path, 'prepared'), { training, seed: 17 });
  const relativePath = 'artifacts/json/artifact_p/predictions.jsonl';
  const predictionsPath = join(root, relativePath);
  await writeFile(predictionsPath, predictionLines(prepared, options));
  if (options.keep === true) await copyFile(dataPath, join(root, '.assay', 'blobs', manifest.sha256));
  const targets = await readTargets(manifest, prepared.handedOut);
  const { handedOut } = prepared;
  const predictions = await readPredictions(predictionsPath, {
    handedOut,
    task: targets.task,
    targetType: targets.type,
  });
  const evaluation = await evaluate(
    targets.task === 'classification'
      ? {
          task: 'classification',
          targets: targets.labels!,
          predictions: predictions.labels!,
          scores: predictions.scores,
          labelType: targets.type,
          groups: targets.groups,
        }
      : { task: 'regression', targets: targets.values!, predictions: predictions.values!, groups: targets.groups },
  );
  const artifacts = new Map([
    ['artifact_p', artifact('artifact_p', { sha256: predictions.sha256, size: predictions.size, path: relativePath })],
    ['artifact_m', artifact('artifact_m', { sha256: sha256Text(canonicalJson(manifest)), size: 1, value: manifest })],
  ]);
  const evidence = evidenceFor({
    quest: 'quest_1',
    plan: 'plan_1',
    evaluation,
    manifest,
    split: prepared.split,
    predictions: artifacts.get('artifact_p')!,
    manifestArtifact: artifacts.get('artifact_m')!,
    computedAt: '2026-01-01T00:00:00.000Z',
    confusion: true,
    ...(options.keep === true ? { keptAs: `.assay/blobs/${manifest.sha256}` } : {}),
  });
  return {
    folder,
    root,
    dataPath,
    predictionsPath,
    manifest,
    prepared,
    evaluation,
    evidence,
    artifacts,
    readArtifact: async (id) => artifacts.get(id),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function predictionLines(prepared: PreparedData, options: QuestOptions): string {
  const species = ['Adelie', 'Chinstrap', 'Gentoo'];
  return Array.from(prepared.order.handedOut, (row) => {
    const guess = row % 4 === 0 ? 0 : (row * 7) % 3;
    const scores = Object.fromEntries(species.map((label, i) => [label, i === guess ? 0.5 : 0.25]));
    const prediction = options.task === 'regression' ? 40 + (row % 5) : species[guess];
    return JSON.stringify({ row_index: row, prediction, ...(options.scores === true ? { score: scores } : {}) });
  }).join('\n');
}

function artifact(id: string, rest: Pick<Artifact, 'sha256' | 'size'> & Partial<Artifact>): Artifact {
  return {
    v: 1,
    id,
    key: 'benchmark_predictions',
    type: 'json',
    quest: 'quest_1',
    producer: { attempt: 1 },
    mediaType: 'application/json',
    evidence: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    metadata: {},
    ...rest,
  };
}

/** Rewrites a text file of the quest. */
export async function edit(path: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(path, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`the edit of ${path} changed nothing`);
  await writeFile(path, changed);
}
