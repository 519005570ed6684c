export { readKnownTable } from './data/manifest-reader.ts';
export { inspectTable, type Inspection, type ReadingQuestion } from './data/inspect/inspect-table.ts';
export type { RowView } from './data/row-view.ts';
export { labelNotes } from './profile/label-notes.ts';
export { recognisedText } from './profile/number-texts.ts';
export { previewOf } from './profile/preview-data.ts';
export { answeredReading, type AnsweredReading } from './profile/answered-reading.ts';
export { profileDataset, readProfile, type ProfileOptions, type ReadProfile } from './profile/profile-dataset.ts';
export { chooseSplit, prepareData, type PreparedData, type PrepareOptions } from './split/prepare-data.ts';
export type { WrittenFile } from './split/line-writer.ts';
export type { SplitFacts } from './split/split-facts.ts';
export { readRowsFile, type RowsFile } from './split/rows-file.ts';
export { rowsSha256 } from './split/row-list.ts';
export { openOutput, type OpenOutputOptions, type OutputFile } from './predictions/open-output.ts';
export type { ReadOutputOptions } from './predictions/read-output-json.ts';
export {
  largestPublished,
  outputLimits,
  readPredictions,
  type Predictions,
  type ReadPredictionsOptions,
} from './predictions/read-predictions.ts';
export { joinSubmissions, type JoinRequest, type PredictionFile } from './predictions/join-submissions.ts';
export { readTargets, type ReadTargetsOptions, type Targets } from './predictions/read-targets.ts';
export { checkRunManifest, type ExpectedRun } from './predictions/run-manifest.ts';
export {
  checkClaimedMetrics,
  readClaimedMetrics,
  type ClaimCheck,
  type ClaimedMetrics,
} from './predictions/claimed-metrics.ts';
export { evaluate } from './metrics/evaluate.ts';
export { BOOTSTRAP, type Evaluation, type EvaluationRequest } from './metrics/evaluation.ts';
export type { ClassMetrics } from './metrics/confusion.ts';
export type { Interval } from './metrics/interval.ts';
export type { Scores } from './metrics/scores.ts';
export {
  ALPHA,
  compareSubmissions,
  MOST_COMPARED,
  type ComparisonRequest,
  type MetricDifference,
  type PrimaryTest,
  type SubmissionComparison,
} from './comparison/compare-submissions.ts';
export { runProbes, type Probe, type ProbeOptions, type ProbeTargets } from './probes/run-probes.ts';
export { recipes, type Recipe } from './recipes/recipes.ts';
export { thisEvaluator, type Evaluator } from './recipes/evaluator.ts';
export {
  differingParts,
  isWhole,
  preRegistration,
  type PreRegistration,
  type PreRegistrationRequest,
} from './writer/pre-registration.ts';
export { evidenceFor, type EvidenceRequest } from './writer/evidence-for.ts';
export { comparisonEvidence, type ComparisonEvidenceRequest } from './writer/comparison-evidence.ts';
export { codeSpan, renderReport, type RenderOptions } from './writer/render-report.ts';
export { residualsBehind, rowsBehind } from './verify/rows-behind.ts';
export type { ReadArtifact } from './verify/recompute.ts';
export { verifyEvidence, type VerifyOptions } from './verify/verify-evidence.ts';
