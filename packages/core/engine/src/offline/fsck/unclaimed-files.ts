import { relative } from 'node:path';
import type { Artifact } from '@assay/contracts';
import { questPaths } from '@assay/quest-repo';
import { reportState, writtenReports } from '../../verification/written-reports.ts';
import { filesIn } from './files-in.ts';
import { note, type Finding } from './finding.ts';

const MOST_NAMED = 20;

/** Files among the artifacts that no record speaks of: a crash came before the record, or somebody put them there. */
export async function unclaimedFiles(root: string, artifacts: readonly Artifact[]): Promise<Finding[]> {
  const paths = questPaths(root);
  const claimed = new Set(artifacts.flatMap(({ path, metadata }) => [path, metadata['keptAs']]));
  const isRecord = /^artifacts\/[^/]+\/artifact_[0-9A-Z]{26}\.json$/;
  const found = [...(await filesIn(paths.artifacts)), ...(await filesIn(paths.blobs))]
    .map((file) => relative(root, file))
    .filter((file) => !claimed.has(file) && !isRecord.test(file));
  const notes = found
    .slice(0, MOST_NAMED)
    .map((file) => note(`the file ${file} belongs to no record; it counts for nothing`));
  if (found.length > MOST_NAMED) notes.push(note(`and ${found.length - MOST_NAMED} more files belong to no record`));
  return notes;
}

/** Rendered reports that are not the ones that were written: verification does not confirm their plan. */
export async function editedReports(root: string, published: readonly Artifact[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  const hint = 'restore it with git checkout; until then "assay verify" does not confirm it';
  for (const report of writtenReports(published)) {
    const state = await reportState(root, report);
    if (state === 'missing') findings.push(note(`the rendered report ${report.file} is gone`, hint));
    if (state === 'changed')
      findings.push(
        note(`the rendered report ${report.file} was edited: its words are no longer those that were written`, hint),
      );
  }
  return findings;
}
