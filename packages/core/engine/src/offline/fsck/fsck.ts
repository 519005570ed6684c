import { join } from 'node:path';
import { errorText } from '@assay/foundation';
import type { EventScope, Plan } from '@assay/contracts';
import { checkJournal } from '@assay/event-store';
import { questPaths, readQuestFile } from '@assay/quest-repo';
import { refuseNewerHome } from '../../home/home-version.ts';
import { homePaths } from '../../home/home.ts';
import { questIds } from '../find-quest.ts';
import { damage, note, type Finding } from './finding.ts';
import type { PlanHistory } from './plan-history.ts';
import { checkPublishedFiles, type PublishedRecords } from './published-files.ts';
import { readHistory } from './read-history.ts';
import { checkSessions } from './session-files.ts';
import { checkUploads } from './upload-files.ts';

export interface FsckReport {
  /** True when no promise is broken. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** Checks every promise about a home's files. Reads only; changes nothing, also beside a running daemon. */
export async function fsck(home: string, signal?: AbortSignal): Promise<FsckReport> {
  const paths = homePaths(home);
  await refuseNewerHome(home);
  const findings: Finding[] = [];
  for (const questId of await questIds(paths.quests)) {
    signal?.throwIfAborted();
    const found = await checkQuest(home, join(paths.quests, questId), questId);
    findings.push(...found.map((finding) => ({ ...finding, message: `${questId}: ${finding.message}` })));
  }
  findings.push(...(await checkUploads(paths.uploads, signal)));
  return { ok: findings.every((finding) => finding.severity !== 'damage'), findings };
}

async function checkQuest(home: string, root: string, questId: string): Promise<Finding[]> {
  const paths = questPaths(root);
  const findings: Finding[] = [];
  try {
    const quest = await readQuestFile(paths.questFile);
    if (quest.id !== questId) findings.push(damage(`quest.yaml names another quest, ${quest.id}`));
  } catch (error) {
    findings.push(damage(errorText(error), 'restore it with: git checkout quest.yaml'));
  }
  const journal = await checkJournalFiles(join(root, '.assay'), questId);
  findings.push(...journal);
  if (journal.some((finding) => finding.severity === 'damage')) return findings;
  return [...findings, ...(await checkHistory(home, root, questId))];
}

async function checkJournalFiles(dir: string, questId: string): Promise<Finding[]> {
  const report = await checkJournal(dir, questId);
  const findings = report.damage.map(({ file, offset, reason }) =>
    damage(`${file}, byte ${offset}: ${reason}`, 'restore this file from a backup; the events before it are whole'),
  );
  if (report.newer !== null) findings.push(damage(report.newer, 'use the newer version of Assay'));
  if (report.generation === undefined && report.damage.length === 0)
    findings.push(note('the generation file of the journal is missing or damaged; it is written anew'));
  if (report.torn !== null)
    findings.push(note(`${report.torn.bytes} bytes at the end of ${report.torn.file} are a write that did not finish`));
  return findings;
}

async function checkHistory(home: string, root: string, questId: string): Promise<Finding[]> {
  const { history, published } = await readHistory(root, questId);
  const running = history.plans.filter((plan) => plan.status === 'in_progress');
  return [
    ...history.findings,
    ...unknownArtifacts(history, published),
    ...running.map((plan) => note(`plan ${plan.id} is in progress; without a daemon it waits to be resumed`)),
    ...(await checkPublishedFiles({ root, quest: questId, plans: history.plans }, published)),
    ...(await checkSessions(home, questPaths(root).sessions, (scope) => isOver(history.plans, scope))),
  ];
}

/** A task that will not run again by itself: its lost command is history. */
function isOver(plans: readonly Plan[], scope: EventScope): boolean {
  const plan = plans.find((candidate) => candidate.id === scope.plan);
  if (plan === undefined || ['completed', 'failed', 'canceled'].includes(plan.status)) return true;
  return plan.tasks.some((task) => task.id === scope.task && task.status !== 'in_progress');
}

/** Every artifact that a plan points at was published. */
function unknownArtifacts(history: PlanHistory, published: PublishedRecords): Finding[] {
  return history.plans.flatMap((plan) =>
    Object.entries(plan.artifacts)
      .filter(([, id]) => !published.artifacts.has(id))
      .map(([key, id]) => damage(`plan ${plan.id} points at ${key} (${id}), which was never published`)),
  );
}
