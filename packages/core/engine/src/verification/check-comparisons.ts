import { join } from 'node:path';
import { canonicalJson } from '@assay/foundation';
import { comparisonSchema, type Artifact, type Comparison, type Evidence, type Mismatch } from '@assay/contracts';
import { provenNumbers } from '../comparison/assemble.ts';
import { conclusionOf, ranksOf, verdictOf } from '../comparison/conclude.ts';
import { familyOf, type FormalRuns } from '../comparison/formal-runs.ts';

/** The formal runs under the protocol of a comparison, up to the moment it was made; undefined without a journal. */
export type RunsBefore = (comparison: Comparison) => Promise<FormalRuns | undefined>;

/**
 * Checks what comparisons say: every number against its evidence, and verdicts, ranks, conclusion and the count of formal
 * runs by deriving them again. What was recorded wrongly is a mismatch of the numbers that it rests on.
 */
export async function checkComparisons(
  artifacts: readonly Artifact[],
  evidence: readonly Evidence[],
  runsBefore: RunsBefore | undefined,
): Promise<Mismatch[]> {
  const byId = new Map(evidence.map((one) => [one.id, one]));
  const found: Mismatch[] = [];
  for (const artifact of artifacts) {
    const cited = artifact.evidence.flatMap((id) => byId.get(id) ?? []);
    if (artifact.key !== 'comparison' || cited.length === 0) continue;
    const source = join('artifacts', artifact.type, `${artifact.id}.json`);
    const doubt = (one: Evidence, claimed = one.value): Mismatch => ({
      evidenceId: one.id,
      claimed,
      recomputed: one.value,
      source,
      reason: 'mismatch',
    });
    const parsed = comparisonSchema.safeParse(artifact.value);
    if (!parsed.success) {
      found.push(...cited.map((one) => doubt(one)));
      continue;
    }
    for (const { evidence: id, value, interval } of provenNumbers(parsed.data)) {
      const one = byId.get(id);
      if (one !== undefined && !shows(one, value, interval)) found.push(doubt(one, value));
    }
    const runs = await runsBefore?.(parsed.data);
    // A word that does not follow makes every number of the comparison's own doubtful.
    if (!follows(parsed.data, runs))
      found.push(...cited.filter((one) => one.comparison !== undefined).map((one) => doubt(one)));
  }
  return found;
}

function shows({ value, ci }: Evidence, claimed: number, interval: readonly [number, number] | undefined): boolean {
  if (claimed !== value) return false;
  if (interval === undefined || ci === undefined) return interval === undefined;
  return interval[0] === ci.low && interval[1] === ci.high;
}

/** Verdicts, ranks, conclusion and the correction are what the numbers give. */
function follows(comparison: Comparison, runs: FormalRuns | undefined): boolean {
  const { pairs, candidates, direction, alpha, attempts, family } = comparison;
  if (family !== familyOf(attempts.length)) return false;
  if (runs !== undefined && canonicalJson(runs.runs) !== canonicalJson(attempts)) return false;
  if (pairs.some((pair) => pair.verdict !== verdictOf(pair, direction, alpha))) return false;
  const ranks = ranksOf(candidates.length, pairs);
  if (candidates.some(({ rank }, at) => rank !== ranks[at])) return false;
  return canonicalJson(conclusionOf(comparison)) === canonicalJson(comparison.conclusion);
}
