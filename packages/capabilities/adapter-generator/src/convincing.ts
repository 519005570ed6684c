import type { Candidate } from './candidate.ts';
import { confidenceThreshold } from './choose.ts';
import type { Judged } from './judge-entry-point.ts';

/** As sure as a candidate may be that only its use speaks for and that has rivals: a person is asked. */
const DOUBTED = 0.55;
/** This far ahead of the others, a candidate has no rivals. */
const AHEAD = 0.12;

/**
 * Candidates with names that say nothing of predictions are taken by themselves only when one of them stands out: what a
 * README shows of several functions cannot say which of them the target is about.
 */
export function convincing(found: readonly Judged[], others: readonly Candidate[]): Candidate[] {
  const sure = [...found.map(({ candidate }) => candidate), ...others].filter(
    ({ confidence }) => confidence >= confidenceThreshold,
  );
  return found.map(({ candidate, standing }) => {
    if (!standing.byUse || candidate.confidence <= DOUBTED) return candidate;
    const rival = sure.find(
      (other) => other.entrypoint !== candidate.entrypoint && other.confidence > candidate.confidence - AHEAD,
    );
    if (rival === undefined && standing.isShown) return candidate;
    const why =
      rival === undefined
        ? 'only tests call it, and its name says nothing of predictions'
        : `its name says nothing of predictions, and ${rival.entrypoint} could be meant as well`;
    return {
      ...candidate,
      confidence: DOUBTED,
      evidence: [...candidate.evidence, `${candidate.file}:${candidate.line} ${why}`],
    };
  });
}
