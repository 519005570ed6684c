import { join } from 'node:path';
import { AssayError, canonicalJson } from '@assay/foundation';
import type { Artifact, Evidence, Mismatch } from '@assay/contracts';
import { exists, sha256File, sha256Text } from '@assay/files';
import type { ArtifactStore } from '@assay/quest-repo';

/** What the journal says of an artifact that was published. */
export interface PublishedArtifact {
  readonly record: string;
  /** Of the content; null when the journal does not say. */
  readonly sha256: string | null;
  /** Of the record's bytes; null in journals of older versions. */
  readonly recordSha256: string | null;
  /** The plan or comparison that published it; null for what stands before them, such as a protocol. */
  readonly owner: string | null;
}

export interface ArtifactsRequest {
  readonly artifacts: Pick<ArtifactStore, 'fileOf' | 'recordHash'>;
  readonly published?: ReadonlyMap<string, PublishedArtifact> | undefined;
}

/**
 * A number rests on what was published beside it: tables and reports that name it, and everything else of its plan, such
 * as the pre-registration with seed and metrics. When one of these was changed or is gone, the numbers are not confirmed.
 */
export async function changedArtifacts(
  { artifacts, published }: ArtifactsRequest,
  records: readonly Artifact[],
  evidence: readonly Evidence[],
): Promise<Mismatch[]> {
  const resting = restingOn(evidence);
  const mismatches: Mismatch[] = [];
  const doubt = (numbers: readonly Evidence[], source: string, reason: Mismatch['reason']) =>
    mismatches.push(
      ...numbers.map((one) => ({ evidenceId: one.id, claimed: one.value, recomputed: one.value, source, reason })),
    );
  for (const artifact of records) {
    const known = published?.get(artifact.id);
    if (published !== undefined && known === undefined) continue; // no event: it counts for nothing
    const numbers = resting(artifact.evidence, known?.owner ?? ownerOf(artifact.producer));
    if (numbers.length === 0) continue;
    if (known !== undefined && !(await isRecorded(artifact, known, artifacts))) {
      doubt(numbers, known.record, 'source_changed');
      continue;
    }
    // A large file that is a source of a number is hashed with that number; the others are what fsck looks at.
    if (artifact.path?.startsWith('.assay/') === true && artifact.evidence.length === 0) continue;
    const reason = await contentProblem(artifact, artifacts);
    if (reason !== undefined) doubt(numbers, artifact.path ?? recordOf(artifact), reason);
  }
  const there = new Set(records.map(({ id }) => id));
  for (const [id, { owner, record }] of published ?? [])
    if (!there.has(id)) doubt(resting([], owner), record, 'source_missing');
  return mismatches;
}

/** Whether a record is, byte for byte, the one whose publication was journaled; at least its content is. */
export async function isRecorded(
  artifact: Artifact,
  { sha256, recordSha256 }: Pick<PublishedArtifact, 'sha256' | 'recordSha256'>,
  artifacts: Pick<ArtifactStore, 'recordHash'>,
): Promise<boolean> {
  if (sha256 !== null && sha256 !== artifact.sha256) return false;
  return recordSha256 === null || (await artifacts.recordHash(artifact)) === recordSha256;
}

/** The numbers that an artifact names, or else those of the plan or comparison that published it. */
function restingOn(evidence: readonly Evidence[]) {
  const byId = new Map(evidence.map((one) => [one.id, one]));
  return (cited: readonly string[], owner: string | null): Evidence[] => {
    const named = cited.flatMap((id) => byId.get(id) ?? []);
    if (named.length > 0 || owner === null) return named;
    return evidence.filter((one) => ownerOf(one) === owner);
  };
}

function ownerOf({
  plan,
  comparison,
}: {
  readonly plan?: string | undefined;
  readonly comparison?: string | undefined;
}) {
  return plan ?? comparison ?? null;
}

function recordOf(artifact: Artifact): string {
  return join('artifacts', artifact.type, `${artifact.id}.json`);
}

async function contentProblem(
  artifact: Artifact,
  artifacts: ArtifactsRequest['artifacts'],
): Promise<Mismatch['reason'] | undefined> {
  const file = publishedFile(artifact, artifacts);
  if (file === 'elsewhere') return 'source_changed';
  if (file === undefined)
    return sha256Text(canonicalJson(artifact.value)) === artifact.sha256 ? undefined : 'source_changed';
  if (!(await exists(file))) return 'source_missing';
  return (await sha256File(file)) === artifact.sha256 ? undefined : 'source_changed';
}

/** The path of a record that was changed may lead anywhere. */
function publishedFile(artifact: Artifact, artifacts: ArtifactsRequest['artifacts']): string | undefined {
  try {
    return artifacts.fileOf(artifact);
  } catch (error) {
    if (error instanceof AssayError) return 'elsewhere';
    throw error;
  }
}
