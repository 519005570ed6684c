import type { EvidenceRows, EvidenceRowsQuery, Residuals } from '@assay/contracts';
import { residualsBehind, rowsBehind } from '@assay/evaluation';
import type { EngineDeps } from '../deps.ts';
import type { EvidencePlace } from '../engine.ts';
import { getEvidence } from './evidence.ts';

/** The rows that a number was computed from. */
export async function evidenceRows(
  deps: EngineDeps,
  { quest, evidence }: EvidencePlace,
  query: EvidenceRowsQuery,
  signal: AbortSignal,
): Promise<EvidenceRows> {
  const { paths, artifacts } = await deps.quests.get(quest);
  const record = await getEvidence(deps, quest, evidence);
  return rowsBehind(paths.root, record, { readArtifact: (id) => artifacts.read(id), query, signal });
}

/** Predicted and actual values behind a number of a regression. */
export async function evidenceResiduals(
  deps: EngineDeps,
  { quest, evidence }: EvidencePlace,
  signal: AbortSignal,
): Promise<Residuals> {
  const { paths, artifacts } = await deps.quests.get(quest);
  const record = await getEvidence(deps, quest, evidence);
  return residualsBehind(paths.root, record, { readArtifact: (id) => artifacts.read(id), signal });
}
