import type { Client } from '@assay/client';
import type { BenchmarkResult, Plan } from '@assay/contracts';

const MAX_LOOKED_UP = 50;

/** Which metrics of a result could not be confirmed and why; asks only when some could not. */
export async function unconfirmedMetrics(
  client: Client,
  plan: Plan,
  { verified }: BenchmarkResult,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (verified.ok === verified.total) return found;
  const { mismatches } = await client.verifyPlan({ plan: plan.id });
  for (const { evidenceId, reason } of mismatches.slice(0, MAX_LOOKED_UP)) {
    const { metric } = await client.getEvidence({ quest: plan.questId, evidence: evidenceId });
    found.set(metric, reason);
  }
  return found;
}
