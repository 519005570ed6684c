import { comparisonSchema, type Artifact } from '@assay/contracts';
import { citedEvidence } from '../../comparison/assemble.ts';
import { damage, type Finding } from './finding.ts';

/** A comparison is readable, and every number that it shows was recorded. Other artifacts have nothing to check here. */
export function checkComparison(
  artifact: Artifact,
  recorded: { readonly evidence: Pick<ReadonlySet<string>, 'has'> },
): Finding[] {
  if (artifact.key !== 'comparison') return [];
  const name = `artifact ${artifact.id} (comparison)`;
  const parsed = comparisonSchema.safeParse(artifact.value);
  if (!parsed.success) return [damage(`${name}: it is not a comparison`, 'restore the record from git')];
  return citedEvidence(parsed.data)
    .filter((id) => !recorded.evidence.has(id))
    .map((id) => damage(`${name}: it cites evidence ${id}, which was never recorded`, 'restore the record from git'));
}
