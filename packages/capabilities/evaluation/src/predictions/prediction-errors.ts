import { AssayError } from '@assay/foundation';

const CONTRACT =
  'Each line is {"row_index": <whole number>, "prediction": <value>} and may have "score": {<label>: <probability>}.';

/** Where in the predictions file something is wrong. */
export interface PredictionPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Of the data file, zero-based. */
  readonly row?: number | undefined;
}

export function malformed(place: PredictionPlace, why: string): AssayError {
  return new AssayError('output_malformed', `line ${place.line} of ${place.file} is not a prediction`, {
    why: `${why}.`,
    hint: CONTRACT,
    details: { line: place.line, ...(place.row === undefined ? {} : { row: place.row }) },
  });
}

export function notFinite(place: PredictionPlace, what: string): AssayError {
  return new AssayError('predictions_not_finite', `line ${place.line} of ${place.file} holds ${what}`, {
    why: 'NaN and infinite numbers are no predictions.',
    hint: 'Find out why the model gives them; do not replace them by a constant.',
    details: { line: place.line, row: place.row },
  });
}

export function outOfRange(place: PredictionPlace, total: number): AssayError {
  return new AssayError(
    'predictions_out_of_range',
    `${place.file} has the row_index ${place.row}, which was not handed out`,
    {
      why: `Line ${place.line}; ${total} rows were handed out, each with its row_index.`,
      hint: 'Copy row_index from the data file that the adapter was given.',
      details: { line: place.line, row: place.row },
    },
  );
}

export function duplicated(place: PredictionPlace): AssayError {
  return new AssayError(
    'predictions_duplicated',
    `${place.file} predicts row ${place.row} of the data file more than once`,
    {
      why: `Line ${place.line} repeats it.`,
      hint: 'Write exactly one prediction for every row.',
      details: { line: place.line, row: place.row },
    },
  );
}

export function incomplete(
  file: string,
  missing: readonly number[],
  counts: { missing: number; total: number },
): AssayError {
  return new AssayError('predictions_incomplete', `${counts.missing} of ${counts.total} rows have no prediction`, {
    why: `${file} lacks the rows of the data file ${missing.join(', ')}${counts.missing > missing.length ? ', …' : ''}.`,
    hint: 'Predict every row that was handed out; a row that cannot be predicted is a failure of the model.',
    details: { missing: counts.missing, total: counts.total, first: missing },
  });
}
