import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { canonicalJson, errorCode, errorText } from '@assay/foundation';
import type { Artifact, AssayEvent, Plan } from '@assay/contracts';
import { exists, sha256File, sha256Text } from '@assay/files';
import { createArtifactStore, createEvidenceStore, questPaths, type ArtifactStore } from '@assay/quest-repo';
import { systemClock } from '@assay/foundation';
import { expectedArtifact } from '../../quests/quest-index.ts';
import { isRecorded, type PublishedArtifact } from '../../verification/changed-artifacts.ts';
import { checkComparison } from './check-comparison.ts';
import { damage, note, type Finding } from './finding.ts';
import { editedReports, unclaimedFiles } from './unclaimed-files.ts';

/** What the journal says was published: artifact and evidence ids. */
export class PublishedRecords {
  /** With what the journal says of each. */
  readonly artifacts = new Map<string, PublishedArtifact>();
  /** With the hash of the record's bytes; null when the journal does not say. */
  readonly evidence = new Map<string, string | null>();

  add(event: AssayEvent): void {
    if (event.type === 'artifact.published') this.artifacts.set(event.data.artifactId, expectedArtifact(event));
    if (event.type === 'evidence.recorded') this.evidence.set(event.data.evidenceId, event.data.sha256 ?? null);
  }
}

/**
 * Compares records and files with the journal: an event without its file is damage, a changed file is damage, a file
 * without an event was left by a crash and counts for nothing.
 */
export async function checkPublishedFiles(
  { root, quest, plans }: CheckedQuest,
  published: PublishedRecords,
): Promise<Finding[]> {
  return [
    ...(await checkArtifacts({ root, quest, plans }, published)),
    ...(await checkEvidence({ root, plans }, published.evidence)),
  ];
}

interface CheckedQuest {
  readonly root: string;
  readonly quest: string;
  /** As the journal leaves them. */
  readonly plans: readonly Plan[];
}

/** A record that nobody published: what came between, and what can be done. */
function withoutEvent(what: string, planId: string | undefined, plans: readonly Plan[]): Finding {
  const plan = plans.find(({ id }) => id === planId);
  if (plan?.status === 'pending' || plan?.status === 'in_progress')
    return note(`${what} has no event; its task was interrupted, and publishes it when its plan goes on`);
  const between =
    plan?.status === 'canceled' ? 'its plan was canceled before it was published' : 'a crash came between';
  return note(`${what} has no event: ${between}, and it counts for nothing`, REPAIR);
}

const REPAIR = '"assay fsck --repair" moves it to the trash of its quest; the daemon must be down';

async function checkArtifacts({ root, quest, plans }: CheckedQuest, published: PublishedRecords): Promise<Finding[]> {
  const store = createArtifactStore({ root, quest, clock: systemClock });
  const findings: Finding[] = [];
  const known: Artifact[] = [];
  for (const [id, hashes] of published.artifacts) {
    const artifact = await store
      .read(id)
      .catch((error: unknown) => damage(`artifact ${id}: its record is damaged: ${errorText(error)}`));
    if (artifact === undefined)
      findings.push(damage(`artifact ${id}: its record is missing`, 'restore it from git or a backup'));
    else if ('severity' in artifact) findings.push(artifact);
    else {
      known.push(artifact);
      if (!(await isRecorded(artifact, hashes, store)))
        findings.push(
          damage(`artifact ${id} (${artifact.key}): its record was changed`, 'restore the record from git'),
        );
      else findings.push(...(await checkPlace(artifact, store, root)), ...checkComparison(artifact, published));
    }
  }
  for (const record of await recordsIn(root)) {
    const id = basename(record, '.json');
    const event = published.artifacts.get(id);
    if (event !== undefined && event.record !== record)
      findings.push(note(`${record} is a copy of a record that belongs elsewhere; it counts for nothing`));
    if (event !== undefined) continue;
    const orphan = await store.read(id).catch(() => undefined); // a damaged record claims no file
    findings.push(withoutEvent(`artifact ${id}: its record`, orphan?.producer.plan, plans));
    if (orphan !== undefined) known.push(orphan);
  }
  return [
    ...findings,
    ...(await unclaimedFiles(root, known)),
    ...(await editedReports(
      root,
      known.filter(({ id }) => published.artifacts.has(id)),
    )),
  ];
}

async function checkPlace(artifact: Artifact, store: ArtifactStore, root: string): Promise<Finding[]> {
  let file: string | undefined;
  try {
    file = store.fileOf(artifact);
  } catch (error) {
    return [damage(`artifact ${artifact.id} (${artifact.key}): ${errorText(error)}`, 'restore its record from git')];
  }
  return [...(await checkContent(artifact, file)), ...(await checkKeptCopy(artifact, root))];
}

/** The data set that is kept by hash for a manifest. */
async function checkKeptCopy(artifact: Artifact, root: string): Promise<Finding[]> {
  const kept = artifact.metadata['keptAs'];
  if (typeof kept !== 'string' || !/^\.assay\/blobs\/[0-9a-f]{64}$/.test(kept)) return [];
  const file = join(root, kept);
  const name = `the data set kept for artifact ${artifact.id}`;
  if (!(await exists(file)))
    return [damage(`${name} is missing: ${kept}`, 'put a copy of the data file with this hash there')];
  return (await sha256File(file)) === basename(kept)
    ? []
    : [damage(`${name} was changed: ${kept}`, 'put a copy of the data file with this hash there')];
}

async function checkContent(artifact: Artifact, file: string | undefined): Promise<Finding[]> {
  const name = `artifact ${artifact.id} (${artifact.key})`;
  if (file === undefined)
    return sha256Text(canonicalJson(artifact.value)) === artifact.sha256
      ? []
      : [damage(`${name}: its value was changed`, 'restore the record from git')];
  if (!(await exists(file)))
    return [damage(`${name}: its file ${artifact.path ?? ''} is missing`, 'restore it from git or a backup')];
  const { size } = await stat(file);
  if (size === artifact.size && (await sha256File(file)) === artifact.sha256) return [];
  return [damage(`${name}: its file ${artifact.path ?? ''} was changed`, 'restore it from git or a backup')];
}

async function checkEvidence(
  { root, plans }: Omit<CheckedQuest, 'quest'>,
  published: PublishedRecords['evidence'],
): Promise<Finding[]> {
  const store = createEvidenceStore(root);
  const findings: Finding[] = [];
  for (const [id, sha256] of published) {
    try {
      const record = await store.open(id);
      if (record === undefined) findings.push(damage(`evidence ${id}: its record is missing`, 'restore it from git'));
      else if (sha256 !== null && record.sha256 !== sha256)
        findings.push(damage(`evidence ${id}: its record was changed`, 'restore it from git'));
    } catch (error) {
      findings.push(damage(`evidence ${id}: its record is damaged: ${errorText(error)}`, 'restore it from git'));
    }
  }
  for (const name of await namesIn(questPaths(root).evidence)) {
    const id = basename(name, '.json');
    if (!name.endsWith('.json') || published.has(id)) continue;
    const orphan = await store.read(id).catch(() => undefined); // a damaged record names no plan
    findings.push(withoutEvent(`evidence ${id}: its record`, orphan?.plan, plans));
  }
  return findings;
}

/** Relative to the quest. */
async function recordsIn(root: string): Promise<string[]> {
  const folder = questPaths(root).artifacts;
  const records: string[] = [];
  for (const type of await namesIn(folder))
    for (const name of await namesIn(join(folder, type)))
      if (/^artifact_[0-9A-Z]{26}\.json$/.test(name)) records.push(relative(root, join(folder, type, name)));
  return records;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
