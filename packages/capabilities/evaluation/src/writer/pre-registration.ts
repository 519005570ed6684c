import { canonicalJson } from '@assay/foundation';
import type { DatasetManifest } from '@assay/contracts';
import { sha256Text } from '@assay/files';
import { ALPHA } from '../comparison/compare-submissions.ts';
import { shapeOf, statedShape, type TableShape } from '../data/table-shape.ts';
import { BOOTSTRAP } from '../metrics/evaluation.ts';
import { LEVEL } from '../metrics/interval.ts';
import { thisEvaluator, type Evaluator } from '../recipes/evaluator.ts';
import { recipes } from '../recipes/recipes.ts';
import type { PreparedData } from '../split/prepare-data.ts';
import type { SplitFacts } from '../split/split-facts.ts';

/** How a run will be judged, fixed and hashed before it starts. */
export interface PreRegistration {
  readonly v: 1;
  readonly dataset: { readonly name: string; readonly sha256: string; readonly rowCount: number };
  /** How the file is read; what is not here is as usual. */
  readonly reading: Partial<TableShape>;
  readonly task: DatasetManifest['suggestedTask'];
  readonly targetColumn: string | null;
  readonly inputColumns: readonly string[];
  readonly split: SplitFacts;
  /** Rows of the file that take no part, by reason. */
  readonly exclusions: DatasetManifest['excludedRows'];
  readonly metrics: readonly { readonly name: string; readonly recipe: string; readonly direction: string }[];
  /** The metric that decides; the others inform. */
  readonly primary: string | null;
  readonly interval: {
    readonly level: number;
    readonly B: number;
    readonly seed: number;
    /** The column whose groups are resampled instead of rows. */
    readonly groups?: string;
  };
  /** How runs under the same registration are compared with one another. */
  readonly comparison: {
    readonly interval: 'paired bootstrap percentile';
    readonly seed: number;
    readonly correction: 'Holm over the pairs of all formal runs';
    readonly alpha: number;
  };
  readonly probes: readonly string[];
  readonly evaluator: Evaluator;
  readonly seed: number;
  /** Of the canonical JSON of everything above. */
  readonly sha256: string;
}

export interface PreRegistrationRequest {
  readonly manifest: DatasetManifest;
  readonly prepared: Pick<PreparedData, 'split'>;
  /** What the adapter is started with. */
  readonly seed: number;
}

const metricsOf = {
  classification: ['accuracy', 'macro_f1', 'precision', 'recall', 'f1', 'auroc', 'log_loss'],
  regression: ['mse', 'mae', 'rmse', 'r2'],
  inference: [],
} as const;

const primaryOf = { classification: 'accuracy', regression: 'rmse', inference: null } as const;

/** States data, split, metrics with direction, interval, probes and evaluator before the first attempt. Pure. */
export function preRegistration(request: PreRegistrationRequest): PreRegistration {
  const { manifest, prepared, seed } = request;
  const task = manifest.suggestedTask;
  const body = {
    v: 1 as const,
    dataset: { name: manifest.name, sha256: manifest.sha256, rowCount: manifest.rowCount },
    reading: statedShape(shapeOf(manifest)),
    task,
    targetColumn: manifest.targetColumn,
    inputColumns: manifest.inputColumns,
    split: prepared.split,
    exclusions: manifest.excludedRows,
    metrics: metricsOf[task].map((name) => {
      const recipe = recipes.find((candidate) => candidate.name === `metric.${name}`)!;
      return { name, recipe: `${recipe.name}@${recipe.version}`, direction: recipe.direction };
    }),
    primary: primaryOf[task],
    interval: {
      level: LEVEL,
      B: BOOTSTRAP.B,
      seed: BOOTSTRAP.seed,
      ...(manifest.groupColumn === undefined ? {} : { groups: manifest.groupColumn }),
    },
    comparison: {
      interval: 'paired bootstrap percentile' as const,
      seed: BOOTSTRAP.seed,
      correction: 'Holm over the pairs of all formal runs' as const,
      alpha: ALPHA,
    },
    probes: task === 'inference' ? [] : ['null', 'constant', 'shuffled_labels', 'oracle'],
    evaluator: thisEvaluator(),
    seed,
  };
  return { ...body, sha256: sha256Text(canonicalJson(body)) };
}

/** True when the registration is whole: its hash is that of its content. */
export function isWhole(registration: PreRegistration): boolean {
  const { sha256, ...body } = registration;
  return sha256Text(canonicalJson(body)) === sha256;
}

/** The members in which two registrations differ, such as `dataset` or `split`. */
export function differingParts(first: PreRegistration, second: PreRegistration): string[] {
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  names.delete('sha256');
  const part = (registration: PreRegistration, name: string) =>
    canonicalJson((registration as unknown as Record<string, unknown>)[name] ?? null);
  return [...names].filter((name) => part(first, name) !== part(second, name)).sort();
}
