import { join, relative } from 'node:path';
import type { Artifact } from '@assay/contracts';
import { sha256File } from '@assay/files';
import { questPaths } from '@assay/quest-repo';
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

/** Rendered reports whose text is not the one that was written. Their numbers are what verification checks. */
export async function editedReports(root: string, artifacts: readonly Artifact[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { type, metadata } of artifacts) {
    const { rendered, renderedSha256 } = metadata;
    if (type !== 'report' || typeof rendered !== 'string' || typeof renderedSha256 !== 'string') continue;
    const file = join(root, rendered);
    if (relative(questPaths(root).documents, file).startsWith('..')) continue; // a record from elsewhere is not believed
    const [known] = await filesIn(file);
    if (known === undefined) findings.push(note(`the rendered report ${rendered} is gone`, 'restore it from git'));
    else if ((await sha256File(known)) !== renderedSha256)
      findings.push(
        note(
          `the rendered report ${rendered} was edited: its words are no longer those that were written`,
          'see what changed with git diff; "assay verify" checks its numbers',
        ),
      );
  }
  return findings;
}
