import { AssayError } from '@assay/foundation';
import type { ColumnType } from '@assay/contracts';
import { evaluateClassification } from './evaluate-classification.ts';
import { evaluateRegression } from './evaluate-regression.ts';
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

/**
 * Computes every metric of the task, each with a 95 % bootstrap interval. The same input gives the same bytes on every
 * machine. Throws `predictions_incomplete` when the counts differ, `metric_undefined` for no rows at all,
 * `predictions_not_finite` for NaN or infinity.
 */
export async function evaluate(request: EvaluationRequest): Promise<Evaluation> {
  const total = request.targets.length;
  if (request.predictions.length !== total)
    throw new AssayError(
      'predictions_incomplete',
      `there are ${request.predictions.length} predictions for ${total} rows`,
      {
        why: 'Every row needs exactly one prediction.',
        hint: 'Predict every row that was handed out.',
        details: { predictions: request.predictions.length, total },
      },
    );
  if (total === 0)
    throw new AssayError('metric_undefined', 'there is nothing to measure', {
      why: 'No row was predicted.',
      hint: 'Hand out at least one row.',
    });
  return request.task === 'classification' ? evaluateClassification(request) : evaluateRegression(request);
}
