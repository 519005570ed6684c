export { readTable, type ReadTableOptions, type TableFacts } from './data/read-table.ts';
export { profileDataset, type ProfileOptions } from './profile/profile-dataset.ts';
export { prepareData, type PreparedData, type PrepareOptions } from './split/prepare-data.ts';
export type { SplitFacts } from './split/split-facts.ts';
export { readRowsFile, type RowsFile } from './split/rows-file.ts';
export { openOutput, type OpenOutputOptions, type OutputFile } from './predictions/open-output.ts';
export {
  outputLimits,
  readPredictions,
  type Predictions,
  type ReadPredictionsOptions,
} from './predictions/read-predictions.ts';
export { readTargets, type ReadTargetsOptions, type Targets } from './predictions/read-targets.ts';
export { BOOTSTRAP, evaluate, type Evaluation, type EvaluationRequest } from './metrics/evaluate.ts';
export type { ClassMetrics } from './metrics/confusion.ts';
export type { Interval } from './metrics/interval.ts';
export type { Scores } from './metrics/scores.ts';
