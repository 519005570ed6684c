import { AssayError } from '@assay/foundation';
import { evaluateClassification } from './evaluate-classification.ts';
import { evaluateRegression } from './evaluate-regression.ts';
import type { Evaluation, EvaluationRequest } from './evaluation.ts';

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
