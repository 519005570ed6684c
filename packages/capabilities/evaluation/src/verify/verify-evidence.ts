import type { Evidence, Mismatch, Verification } from '@assay/contracts';
import { agreesWith, isOfComparison, recalculation } from './compare.ts';
import { groupKey, recompute, type ReadArtifact } from './recompute.ts';
import { recomputeComparison } from './recompute-comparison.ts';

export interface VerifyOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Computes every number again from the predictions and the original data, and compares value and interval. Reads the
 * artifact files and the data file (or its kept copy) and nothing else; nothing that was computed earlier is believed.
 * A number is confirmed only when the data file, where it still stands, has the recorded hash.
 */
export async function verifyEvidence(
  questRoot: string,
  evidence: readonly Evidence[],
  readArtifact: ReadArtifact,
  options: VerifyOptions = {},
): Promise<Verification> {
  const groups = new Map<string, Evidence[]>();
  for (const one of evidence) {
    const key = groupKey(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  const found = new Map<Evidence, Mismatch>();
  for (const members of groups.values()) {
    const [first] = members as [Evidence, ...Evidence[]];
    const make = isOfComparison(first.recipe) ? recomputeComparison : recompute;
    const again = await make(questRoot, first, { readArtifact, signal: options.signal });
    const values = recalculation(again);
    for (const one of members) {
      const mismatch = agreesWith(one, again, values);
      if (mismatch !== undefined) found.set(one, mismatch);
    }
  }
  const mismatches = evidence.flatMap((one) => found.get(one) ?? []);
  return { ok: evidence.length - mismatches.length, total: evidence.length, mismatches };
}
