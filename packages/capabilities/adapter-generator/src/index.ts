export {
  type CallStyle,
  type Candidate,
  type CandidateKind,
  type DatasetShape,
  type InputColumn,
  type InputShape,
  type LabelSource,
  type LookedAt,
  type Recognition,
  type RejectedEntryPoint,
  type TrainingCall,
  type Way,
} from './candidate.ts';
export { answerFacts, type AnswerFacts } from './answers.ts';
export { answerNotes, whyDoubtful } from './doubtful-answers.ts';
export { settleLabels, type SettledLabels } from './settle-labels.ts';
export type { GuessedMapping } from './label-guesses.ts';
export { chooseCandidate, confidenceThreshold } from './choose.ts';
export { labelMapText, parseLabelMap, unknownLabels, type LabelMapping } from './label-map.ts';
export { recogniseEntryPoints, type RecogniseOptions } from './recognise.ts';
export { parseScan, type ScanResult } from './scan-result.ts';
export { writeAdapter, type WriteOptions, type WrittenAdapter } from './write-adapter.ts';
