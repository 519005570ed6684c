import { join, relative } from 'node:path';
import type { Artifact, Evidence, Mismatch } from '@assay/contracts';
import { sha256File } from '@assay/files';
import { questPaths } from '@assay/quest-repo';
import { filesIn } from '../offline/fsck/files-in.ts';

/** A rendered report as it was written. */
export interface WrittenReport {
  /** Relative to the quest. */
  readonly file: string;
  readonly sha256: string;
  readonly artifact: Artifact;
}

/**
 * The rendered reports whose hash was stored with their artifact; older ones are not here. A task that ran again wrote
 * its report again, so the last one of a file counts.
 */
export function writtenReports(artifacts: readonly Artifact[]): WrittenReport[] {
  const last = new Map<string, WrittenReport>();
  for (const artifact of [...artifacts].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const { rendered, renderedSha256 } = artifact.metadata;
    if (artifact.type === 'report' && typeof rendered === 'string' && typeof renderedSha256 === 'string')
      last.set(rendered, { file: rendered, sha256: renderedSha256, artifact });
  }
  return [...last.values()];
}

/** What became of a rendered report since it was written; a path out of the documents is not believed. */
export async function reportState(
  root: string,
  { file, sha256 }: Pick<WrittenReport, 'file' | 'sha256'>,
): Promise<'same' | 'changed' | 'missing'> {
  const path = join(root, file);
  if (relative(questPaths(root).documents, path).startsWith('..')) return 'changed';
  const [known] = await filesIn(path);
  if (known === undefined) return 'missing';
  return (await sha256File(known)) === sha256 ? 'same' : 'changed';
}

/** Reports that are not byte for byte what was written, each as a mismatch of the first number that is its own. */
export async function changedReports(
  root: string,
  reports: readonly WrittenReport[],
  evidence: readonly Evidence[],
): Promise<Mismatch[]> {
  const byId = new Map(evidence.map((one) => [one.id, one]));
  const found: Mismatch[] = [];
  for (const report of reports) {
    const { evidence: cited, producer } = report.artifact;
    const own = cited.find((id) => {
      const one = byId.get(id);
      return one !== undefined && one.plan === producer.plan && one.comparison === producer.comparison;
    });
    const evidenceId = own ?? cited[0];
    if (evidenceId === undefined || !byId.has(evidenceId)) continue;
    const state = await reportState(root, report);
    if (state === 'same') continue;
    found.push({
      evidenceId,
      claimed: null,
      recomputed: byId.get(evidenceId)!.value,
      source: report.file,
      reason: state === 'missing' ? 'source_missing' : 'source_changed',
    });
  }
  return found;
}
