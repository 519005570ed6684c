export {
  type CallStyle,
  type Candidate,
  type CandidateKind,
  type DatasetShape,
  type InputColumn,
  type InputShape,
  type LookedAt,
  type Recognition,
  type RejectedEntryPoint,
  type TrainingCall,
} from './candidate.ts';
export { chooseCandidate, confidenceThreshold } from './choose.ts';
export { recogniseEntryPoints } from './recognise.ts';
export { parseScan, type ScanResult } from './scan-result.ts';
export { writeAdapter, type WrittenAdapter } from './write-adapter.ts';
