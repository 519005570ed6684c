import { newId } from '@assay/foundation';
import type { Artifact, DatasetManifest, Evidence } from '@assay/contracts';
import type { SubmissionComparison } from '../comparison/compare-submissions.ts';
import { BOOTSTRAP } from '../metrics/evaluation.ts';
import { comparisonValues } from '../recipes/comparison-recipes.ts';
import type { MetricValue } from '../recipes/recipes.ts';
import type { SplitFacts } from '../split/split-facts.ts';

export interface ComparisonEvidenceRequest {
  readonly quest: string;
  /** The id of the comparison. */
  readonly comparison: string;
  readonly result: SubmissionComparison;
  readonly family: number;
  readonly primary: string;
  readonly split: SplitFacts;
  /** The compared submissions in their order: how each is called, and its published predictions. */
  readonly compared: readonly {
    readonly name: string;
    readonly predictions: Pick<Artifact, 'id' | 'sha256' | 'path'>;
  }[];
  readonly manifest: DatasetManifest;
  readonly manifestArtifact: Pick<Artifact, 'id' | 'sha256'>;
  /** Where a copy of the data file is kept, relative to the quest root. */
  readonly keptAs?: string | undefined;
  /** ISO 8601, UTC. */
  readonly computedAt: string;
}

/** One evidence record for each number of a comparison. */
export function comparisonEvidence(request: ComparisonEvidenceRequest): Evidence[] {
  return comparisonValues(request.result).map((value) => recordOf(value, request));
}

function recordOf(value: MetricValue, request: ComparisonEvidenceRequest): Evidence {
  const { compared, manifestArtifact, family, primary, split } = request;
  return {
    v: 1,
    id: newId('ev'),
    quest: request.quest,
    comparison: request.comparison,
    statement: statementOf(value, request),
    metric: value.metric,
    value: value.value,
    direction: value.recipe.direction,
    recipe: {
      name: value.recipe.name,
      version: value.recipe.version,
      inputs: [
        ...compared.map(({ predictions: { id, sha256 } }) => ({
          artifact: id,
          sha256,
          select: 'prediction and score by row_index',
        })),
        { artifact: manifestArtifact.id, sha256: manifestArtifact.sha256, select: 'target column by row' },
      ],
      parameters: { ...value.parameters, seed: BOOTSTRAP.seed, family, primary, split },
    },
    sources: sourcesOf(request),
    computedAt: request.computedAt,
    ...(value.interval === undefined ? {} : { ci: { ...value.interval } }),
  };
}

function sourcesOf({ compared, manifest, split, keptAs }: ComparisonEvidenceRequest): Evidence['sources'] {
  const target = `column ${manifest.targetColumn ?? ''} of the ${split.handedOut} rows handed out`;
  return [
    ...compared.map(({ predictions }) => ({
      file: predictions.path ?? '',
      sha256: predictions.sha256,
      locator: { kind: 'file' as const, value: `${split.handedOut} predictions` },
    })),
    {
      file: manifest.path,
      sha256: manifest.sha256,
      locator: { kind: 'rows', value: target },
      ...(keptAs === undefined ? {} : { keptAs }),
    },
  ];
}

function statementOf(
  { recipe, parameters }: MetricValue,
  { compared, manifest, split }: ComparisonEvidenceRequest,
): string {
  const name = (place: unknown) => compared[Number(place)]?.name ?? '';
  const what = recipe.name.slice('comparison.'.length).replaceAll('_', ' ');
  const on = `${split.handedOut} rows of ${manifest.name}, target ${manifest.targetColumn ?? ''}`;
  return `${what} of ${String(parameters['metric'])}: ${name(parameters['first'])} minus ${name(parameters['second'])} on ${on}`;
}
