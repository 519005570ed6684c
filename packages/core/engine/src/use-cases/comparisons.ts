import { join } from 'node:path';
import { AssayError, isId } from '@assay/foundation';
import { comparisonSchema, type Comparison, type ComparisonResult, type ComparisonSummary } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { Caller, Page } from '../engine.ts';
import { pageOf } from '../pages.ts';
import { renderedComparison } from '../comparison/publish.ts';
import type { QuestHandle } from '../quests/quest-handle.ts';
import { recomputeComparison } from './evidence.ts';
import { ownedPlan } from './owned-plan.ts';

/** Comparisons of the caller's plans, newest first, of one quest or of all. */
export async function listComparisons(
  deps: EngineDeps,
  caller: Caller,
  query: Page & { readonly quest?: string | undefined },
): Promise<{ comparisons: ComparisonSummary[]; nextCursor: string | null }> {
  await deps.recovered;
  const quests = query.quest === undefined ? (await deps.quests.all()).quests : [await deps.quests.get(query.quest)];
  const own = new Set(deps.scheduler.list().flatMap(({ id, ownerId }) => (ownerId === caller.ownerId ? [id] : [])));
  const made = quests
    .flatMap((quest) => quest.index.state.comparisons.map((entry) => ({ ...entry, quest })))
    .filter(({ plans }) => plans.every((id) => own.has(id)))
    .sort((a, b) => b.id.localeCompare(a.id)); // ids grow with time
  const { items, nextCursor } = pageOf(made, query, ({ id }) => id);
  const comparisons: ComparisonSummary[] = [];
  for (const { quest, artifact } of items) comparisons.push(summaryOf(await readComparison(quest, artifact)));
  return { comparisons, nextCursor };
}

/** A comparison that was made, with how many of its numbers verify now. */
export async function getComparison(deps: EngineDeps, caller: Caller, comparisonId: string): Promise<ComparisonResult> {
  const { quest, comparison } = await ownedComparison(deps, caller, comparisonId);
  const { ok, total } = await recomputeComparison(deps, quest.quest.id, comparisonId);
  return { comparison, verified: { ok, total }, report: join(quest.paths.root, renderedComparison(comparisonId)) };
}

/** What was concluded, in one sentence, and whether its numbers still verify. */
export async function whyComparison(
  deps: EngineDeps,
  caller: Caller,
  comparisonId: string,
): Promise<{ state: string; sentence: string }> {
  const { comparison, verified } = await getComparison(deps, caller, comparisonId);
  const said = comparison.conclusion.join(' ').replace(/\.$/, '');
  const { ok, total } = verified;
  const checked =
    ok === total
      ? `${total} of ${total} numbers verify now`
      : `only ${ok} of ${total} numbers verify now: "assay verify ${comparisonId}" says which do not`;
  const runs = comparison.attempts.length;
  return {
    state: ok === total ? 'made' : 'not_confirmed',
    sentence: `${ok === total ? 'made' : 'not confirmed'}: ${said}; corrected for all ${runs} formal ${runs === 1 ? 'run' : 'runs'} under its protocol; ${checked}`,
  };
}

async function ownedComparison(
  deps: EngineDeps,
  caller: Caller,
  comparisonId: string,
): Promise<{ readonly quest: QuestHandle; readonly comparison: Comparison }> {
  await deps.recovered;
  for (const quest of isId('comparison', comparisonId) ? (await deps.quests.all()).quests : []) {
    const entry = quest.index.state.comparisons.find(({ id }) => id === comparisonId);
    if (entry === undefined) continue;
    for (const plan of entry.plans) await ownedPlan(deps, caller, plan);
    return { quest, comparison: await readComparison(quest, entry.artifact) };
  }
  throw new AssayError('not_found', `there is no comparison ${comparisonId}`, {
    hint: 'list them with: assay comparison list',
  });
}

async function readComparison(quest: QuestHandle, artifactId: string): Promise<Comparison> {
  const parsed = comparisonSchema.safeParse((await quest.artifacts.read(artifactId))?.value);
  if (parsed.success) return parsed.data;
  throw new AssayError('record_invalid', `the record of a comparison in ${quest.quest.id} cannot be read`, {
    why: `artifact ${artifactId} is missing or is not what a comparison looks like`,
    hint: 'run "assay fsck"; restore the file from git or a backup, or compare the plans again',
  });
}

function summaryOf({ id, quest, createdAt, dataset, primary, candidates, notCompared, conclusion }: Comparison) {
  return {
    id,
    quest,
    createdAt,
    dataset: dataset.name,
    primary,
    candidates: candidates.map(({ plan, name, rank }) => ({ plan, name, rank })),
    notCompared: notCompared.map(({ plan, name }) => ({ plan, name })),
    conclusion: conclusion[0] ?? '',
  };
}
