import { newId } from '@assay/foundation';
import type { Artifact, Attestation, DatasetManifest, Evidence } from '@assay/contracts';
import { BOOTSTRAP, type Evaluation } from '../metrics/evaluation.ts';
import type { Interval } from '../metrics/interval.ts';
import { metricValues, type MetricValue } from '../recipes/recipes.ts';
import type { SplitFacts } from '../split/split-facts.ts';

export interface EvidenceRequest {
  readonly quest: string;
  readonly plan?: string | undefined;
  readonly evaluation: Evaluation;
  readonly manifest: DatasetManifest;
  readonly split: SplitFacts;
  /** The published predictions; `path` is relative to the quest root. */
  readonly predictions: Pick<Artifact, 'id' | 'sha256' | 'path'>;
  /** The artifact that holds the manifest. */
  readonly manifestArtifact: Pick<Artifact, 'id' | 'sha256'>;
  /** Where a copy of the data file is kept, relative to the quest root. */
  readonly keptAs?: string | undefined;
  readonly sandbox?: Attestation | undefined;
  readonly commit?: string | undefined;
  /** ISO 8601, UTC. */
  readonly computedAt: string;
  /** What the intervals were made with; the fixed ones when absent. */
  readonly bootstrap?: { readonly seed: number; readonly B: number };
  /** Also one record for each cell of the confusion matrix (at most 20 labels). */
  readonly confusion?: boolean;
}

const CONFUSION_LABELS = 20;

/** One evidence record for each number of an evaluation: metrics, metrics per label, and the number of rows. */
export function evidenceFor(request: EvidenceRequest): Evidence[] {
  const confusion = request.confusion === true && (request.evaluation.labels?.length ?? 0) <= CONFUSION_LABELS;
  return metricValues(request.evaluation, { confusion }).map((value) => recordOf(value, request));
}

function recordOf(value: MetricValue, request: EvidenceRequest): Evidence {
  const { manifest, predictions, manifestArtifact, evaluation } = request;
  const { seed, B } = request.bootstrap ?? BOOTSTRAP;
  return {
    v: 1,
    id: newId('ev'),
    quest: request.quest,
    ...(request.plan === undefined ? {} : { plan: request.plan }),
    statement: statementOf(value, manifest, evaluation.rows),
    metric: value.metric,
    value: value.value,
    direction: value.recipe.direction,
    recipe: {
      name: value.recipe.name,
      version: value.recipe.version,
      inputs: [
        { artifact: predictions.id, sha256: predictions.sha256, select: 'prediction and score by row_index' },
        { artifact: manifestArtifact.id, sha256: manifestArtifact.sha256, select: 'target column by row' },
      ],
      parameters: { ...value.parameters, seed, B, split: request.split },
    },
    sources: sourcesOf(request),
    ...(request.sandbox === undefined ? {} : { sandbox: request.sandbox }),
    ...(request.commit === undefined ? {} : { commit: request.commit }),
    computedAt: request.computedAt,
    ...(value.interval === undefined ? {} : { ci: ciOf(value.interval) }),
  };
}

function sourcesOf(request: EvidenceRequest): Evidence['sources'] {
  const { manifest, predictions, evaluation } = request;
  return [
    {
      file: predictions.path ?? '',
      sha256: predictions.sha256,
      locator: { kind: 'file', value: `${evaluation.rows} predictions` },
    },
    {
      file: manifest.path,
      sha256: manifest.sha256,
      locator: {
        kind: 'rows',
        value: `column ${manifest.targetColumn ?? ''} of the ${evaluation.rows} rows handed out`,
      },
      ...(request.keptAs === undefined ? {} : { keptAs: request.keptAs }),
    },
  ];
}

function statementOf(value: MetricValue, manifest: DatasetManifest, rows: number): string {
  const on = `${rows} rows of ${manifest.name}, target ${manifest.targetColumn ?? ''}`;
  return value.metric === 'rows' ? `rows evaluated: ${on}` : `${value.metric} on ${on}`;
}

function ciOf(interval: Interval): NonNullable<Evidence['ci']> {
  return { ...interval };
}
