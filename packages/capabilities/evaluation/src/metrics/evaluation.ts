import type { ColumnType } from '@assay/contracts';
import type { ClassMetrics } from './confusion.ts';
import type { Interval } from './interval.ts';
import type { Scores } from './scores.ts';

/** Seed and number of resamples of every interval. */
export const BOOTSTRAP = { seed: 17, B: 2000 } as const;

interface Common {
  readonly seed?: number | undefined;
  /** Resamples; 0 = no intervals. */
  readonly B?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Group numbers, row by row: rows of one group are resampled together. */
  readonly groups?: Uint32Array | undefined;
}

export interface ClassificationRequest extends Common {
  readonly task: 'classification';
  /** Canonical labels, row by row. */
  readonly targets: readonly string[];
  readonly predictions: readonly string[];
  readonly scores?: Scores | undefined;
  /** Type of the target column: numbers are ordered by value. Text when absent. */
  readonly labelType?: ColumnType | undefined;
}

export interface RegressionRequest extends Common {
  readonly task: 'regression';
  readonly targets: ArrayLike<number>;
  readonly predictions: ArrayLike<number>;
}

export type EvaluationRequest = ClassificationRequest | RegressionRequest;

export interface Evaluation {
  readonly task: 'classification' | 'regression';
  readonly rows: number;
  /** `accuracy, macro_f1, precision/<label>, recall/<label>, f1/<label>, auroc, log_loss` or `mse, mae, rmse, r2`. */
  readonly metrics: Readonly<Record<string, number>>;
  readonly intervals: Readonly<Record<string, Interval>>;
  /** Metrics that have no value here, with the reason. */
  readonly undefined: Readonly<Record<string, string>>;
  /** Classification: the union of labels in targets and predictions. */
  readonly labels?: readonly string[];
  readonly perClass?: readonly ClassMetrics[];
  /** Rows = targets, columns = predictions, both in the order of `labels`. Absent with more than 100 labels. */
  readonly confusion?: readonly (readonly number[])[];
  readonly notes: readonly string[];
}
