import { join } from 'node:path';
import { AssayError, isoTime, newId } from '@assay/foundation';
import { comparisonSchema, type ComparedPair, type ComparisonResult, type Plan } from '@assay/contracts';
import {
  ALPHA,
  comparisonEvidence,
  compareSubmissions,
  joinSubmissions,
  type SubmissionComparison,
} from '@assay/evaluation';
import { exists } from '@assay/files';
import { metricsOf, pairsWith } from '../comparison/assemble.ts';
import { conclusionOf, ranksOf } from '../comparison/conclude.ts';
import { familyOf, formalRuns, type FormalRuns } from '../comparison/formal-runs.ts';
import { gatherPlans, type Gathered } from '../comparison/gather-plans.ts';
import { relateCode } from '../comparison/relate-code.ts';
import { publishComparison, renderedComparison, type MadeComparison } from '../comparison/publish.ts';
import type { EngineDeps } from '../deps.ts';
import type { Caller } from '../engine.ts';
import type { QuestHandle } from '../quests/quest-handle.ts';
import { recomputeComparison } from './evidence.ts';
import { ownedPlan } from './owned-plan.ts';

/**
 * Compares plans of one quest that share a protocol, and publishes the comparison with evidence and report. Plans that
 * cannot be compared are named with their reason. Rejects with `not_comparable` when the plans belong to several quests,
 * or none gave a result.
 */
export async function comparePlans(
  deps: EngineDeps,
  caller: Caller,
  planIds: readonly string[],
): Promise<ComparisonResult> {
  const plans = await plansOf(deps, caller, planIds);
  const quest = await questOf(deps, plans);
  const gathered = await gatherPlans(quest, plans);
  const runs = await runsUnder(quest, gathered);
  const made = await compute(deps, quest, { gathered, runs });
  await publishComparison(quest, made);
  const { ok, total } = await recomputeComparison(deps, quest.quest.id, made.comparison.id);
  return { comparison: made.comparison, verified: { ok, total }, report: join(quest.paths.root, made.rendered) };
}

async function plansOf(deps: EngineDeps, caller: Caller, planIds: readonly string[]): Promise<Plan[]> {
  const twice = planIds.find((id, at) => planIds.indexOf(id) !== at);
  if (twice !== undefined)
    throw new AssayError('invalid_request', `the plan ${twice} is named twice`, { hint: 'name each plan once' });
  return Promise.all(planIds.map((id) => ownedPlan(deps, caller, id)));
}

async function questOf(deps: EngineDeps, plans: readonly Plan[]): Promise<QuestHandle> {
  const ids = new Set(plans.map(({ questId }) => questId));
  if (ids.size === 1) return deps.quests.get([...ids][0]!);
  throw new AssayError('not_comparable', 'plans of several quests cannot be compared', {
    why: 'a comparison proves its numbers from the files of one quest, where every formal run is counted',
    hint: 'benchmark the repositories in one command: assay benchmark --repo A --repo B --data F',
  });
}

/** Every formal run under the protocol counts; it must have been registered before the first of them. */
async function runsUnder(quest: QuestHandle, { registration }: Gathered) {
  const readArtifact = (id: string) => quest.artifacts.read(id);
  const runs = await formalRuns(quest.journal.scan({ after: 0 }), registration.sha256, { readArtifact });
  const { registeredSeq, firstRunSeq } = runs;
  if (registeredSeq !== null && firstRunSeq !== null && registeredSeq < firstRunSeq)
    return { ...runs, registeredSeq, firstRunSeq };
  throw new AssayError('not_comparable', 'the protocol was not registered before the first formal run', {
    why: 'the journal of the quest does not say so',
    hint: 'benchmark the repositories again',
  });
}

interface Known {
  readonly gathered: Gathered;
  readonly runs: FormalRuns & { readonly registeredSeq: number; readonly firstRunSeq: number };
}

async function compute(deps: EngineDeps, quest: QuestHandle, known: Known): Promise<MadeComparison> {
  const { gathered, runs } = known;
  const { registration, measured, notCompared } = gathered;
  const { manifest, manifestArtifact } = measured[0]!;
  const id = newId('comparison');
  const family = familyOf(runs.runs.length);
  const primary = registration.primary ?? '';
  const result = await resultOf(quest, gathered, family);
  const kept = manifestArtifact.metadata['keptAs'];
  const evidence =
    measured.length < 2
      ? []
      : comparisonEvidence({
          quest: quest.quest.id,
          comparison: id,
          result,
          family,
          primary,
          split: registration.split,
          compared: measured.map(({ name, predictions }) => ({ name, predictions })),
          manifest,
          manifestArtifact,
          ...(typeof kept === 'string' ? { keptAs: kept } : {}),
          computedAt: isoTime(deps.clock.now()),
        });
  const direction =
    registration.metrics.find(({ name }) => name === primary)?.direction === 'lower' ? 'lower' : 'higher';
  const related = await relatedPairs(quest, gathered);
  const pairs = pairsWith(result, evidence, { related, direction, alpha: ALPHA });
  const ranks = ranksOf(measured.length, pairs);
  const candidates = measured.map((one, at) => ({
    plan: one.plan.id,
    name: one.name,
    repository: one.plan.inputs.repository ?? '',
    commit: one.commit,
    entrypoint: one.entrypoint,
    rank: ranks[at]!,
    metrics: metricsOf(one),
  }));
  const comparison = comparisonSchema.parse({
    v: 1,
    id,
    quest: quest.quest.id,
    protocol: { sha256: registration.sha256, registeredSeq: runs.registeredSeq, firstRunSeq: runs.firstRunSeq },
    task: measured[0]!.metrics.task,
    rows: registration.split.handedOut,
    dataset: { name: manifest.name, sha256: manifest.sha256 },
    primary,
    direction,
    attempts: runs.runs,
    family,
    alpha: ALPHA,
    candidates,
    pairs,
    notCompared,
    conclusion: conclusionOf({ candidates, pairs, notCompared, primary, family }),
    createdAt: isoTime(deps.clock.now()),
  });
  return { comparison, evidence, rendered: renderedComparison(id) };
}

async function relatedPairs(quest: QuestHandle, { measured }: Gathered) {
  const related: Pick<ComparedPair, 'first' | 'second' | 'code' | 'files'>[] = [];
  for (const [first, one] of measured.entries())
    for (const [place, other] of measured.slice(first + 1).entries())
      related.push({ first, second: first + 1 + place, ...(await relateCode(quest.paths.root, one, other)) });
  return related;
}

async function resultOf(
  quest: QuestHandle,
  { registration, measured }: Gathered,
  family: number,
): Promise<SubmissionComparison> {
  const { manifest } = measured[0]!;
  const kept = join(quest.paths.blobs, manifest.sha256);
  const atOrigin = await exists(manifest.path);
  const joined = await joinSubmissions({
    root: quest.paths.root,
    files: measured.map(({ predictions }) => ({
      path: quest.artifacts.fileOf(predictions) ?? '',
      sha256: predictions.sha256,
    })),
    manifest,
    dataPath: !atOrigin && (await exists(kept)) ? kept : undefined,
    split: registration.split,
  });
  if ('submissions' in joined)
    return compareSubmissions({ submissions: joined.submissions, primary: registration.primary ?? '', family });
  throw new AssayError('predictions_other_dataset', 'the predictions of these plans are not what was recorded', {
    why:
      joined.problem === 'mismatch' ? 'the data no longer gives the rows that were handed out' : 'a file was changed',
    hint: `assay verify ${quest.quest.id} says which`,
  });
}
