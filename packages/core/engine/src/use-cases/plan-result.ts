import { join } from 'node:path';
import * as z from 'zod';
import {
  datasetManifestSchema,
  leakageWarning,
  type Artifact,
  type BenchmarkResult,
  type Evidence,
  type Failure,
  type Plan,
} from '@assay/contracts';
import { preflightReportValue, validationReportValue } from '@assay/tasks';
import type { EngineDeps } from '../deps.ts';
import type { Caller } from '../engine.ts';
import type { QuestHandle } from '../quests/quest-handle.ts';
import { recomputeQuest } from './evidence.ts';
import { ownedPlan } from './owned-plan.ts';

/** What a benchmark gave so far: metrics with intervals, probes, and how many numbers verify now. */
export async function planResult(deps: EngineDeps, caller: Caller, planId: string): Promise<BenchmarkResult> {
  const plan = await ownedPlan(deps, caller, planId);
  const quest = await deps.quests.get(plan.questId);
  const evidence = await evidenceOfPlan(quest, planId);
  const validation = validationReportValue.safeParse(
    (await artifactOf(quest, plan, 'benchmark_validation_report'))?.value,
  ).data;
  const report = await artifactOf(quest, plan, 'evaluation_report');
  const { ok, total } = await recomputeQuest(deps, plan.questId, planId);
  const rendered = report?.metadata['rendered'];
  const error = failureOfPlan(plan);
  return {
    planId,
    questId: plan.questId,
    status: plan.status,
    metrics: Object.fromEntries(evidence.map(({ metric, value }) => [metric, value])),
    intervals: Object.fromEntries(
      evidence.flatMap(({ metric, ci }) => (ci === undefined ? [] : [[metric, [ci.low, ci.high] as [number, number]]])),
    ),
    probes: validation?.probes ?? {},
    verified: { ok, total },
    ...(await whatWasDone(quest, plan)),
    report: typeof rendered === 'string' ? join(quest.paths.root, rendered) : null,
    seconds: plan.usage.activeSeconds,
    ...wallSeconds(plan),
    ...(error === null ? {} : { error: { ...error, details: error.details ?? {} } }),
  };
}

/** What the person said is not told back. */
const WAS_SAID = /^the (target|task|inputs) (was|were) given/;

/** Which entry point ran and what should be known about data and task, as soon as it is known. */
async function whatWasDone(
  quest: QuestHandle,
  plan: Plan,
): Promise<Pick<BenchmarkResult, 'entrypoint' | 'labels' | 'otherEntrypoints' | 'notes'>> {
  const preflight = preflightReportValue.safeParse(
    (await artifactOf(quest, plan, 'benchmark_preflight_report'))?.value,
  ).data;
  const manifest = datasetManifestSchema.safeParse((await artifactOf(quest, plan, 'dataset_manifest'))?.value).data;
  const leakage = (manifest?.leakage ?? []).map(({ says }) => says);
  // Signs of leakage come first: a list of notes may be cut at its end.
  const about =
    manifest === undefined
      ? []
      : [
          `task: ${manifest.suggestedTask} of ${manifest.targetColumn ?? 'nothing'}`,
          ...leakage,
          ...(await aboutSplit(quest, plan)),
          ...manifest.reasons.filter((reason) => !WAS_SAID.test(reason)),
          ...manifest.warnings.filter((warning) => !leakage.includes(warning)),
        ];
  return {
    entrypoint: preflight?.passed.entrypoint ?? null,
    labels: preflight?.passed.labels ?? null,
    otherEntrypoints: preflight?.passed.others.map((other) => other.entrypoint) ?? [],
    notes: [...about, ...(preflight?.passed.notes ?? []), ...(preflight?.normalised ?? [])],
  };
}

const adapterReport = z.object({
  leakage: z.array(leakageWarning).optional(),
  hiddenFiles: z.array(z.object({ path: z.string(), reason: z.string() })).optional(),
});

/** What both sides of the split have in common, and copies of the data in the repository. */
async function aboutSplit(quest: QuestHandle, plan: Plan): Promise<string[]> {
  const report = adapterReport.safeParse((await artifactOf(quest, plan, 'benchmark_adapter_report'))?.value).data;
  return [
    ...(report?.leakage ?? []).map(({ says }) => says),
    ...(report?.hiddenFiles ?? []).map(({ path, reason }) => `${path} was hidden from the run: ${reason}`),
  ];
}

/** The metrics of a plan from their evidence; counts (rows, cells of the confusion matrix) are not metrics. */
async function evidenceOfPlan(quest: QuestHandle, planId: string): Promise<Evidence[]> {
  const entries = quest.index.state.evidence.filter((entry) => entry.plan === planId);
  const found = await Promise.all(
    entries.map(({ id }) => quest.evidence.read(id).catch(() => undefined)), // verification says what is wrong with it
  );
  return found.filter((one) => one !== undefined).filter(({ direction }) => direction !== 'none');
}

function wallSeconds({ tasks }: Plan): { wallSeconds?: number } {
  const times = (at: 'startedAt' | 'finishedAt') =>
    tasks.flatMap((task) => (task[at] === null ? [] : [Date.parse(task[at])]));
  const [starts, ends] = [times('startedAt'), times('finishedAt')];
  if (starts.length === 0 || ends.length === 0) return {};
  return { wallSeconds: Math.max(0, Math.max(...ends) - Math.min(...starts)) / 1000 };
}

async function artifactOf(quest: QuestHandle, plan: Plan, key: string): Promise<Artifact | undefined> {
  const id = plan.artifacts[key];
  return id === undefined ? undefined : quest.artifacts.read(id);
}

/** The first failed task says more than the plan's own error. */
function failureOfPlan(plan: Plan): Failure | null {
  if (plan.status !== 'failed' && plan.status !== 'canceled') return null;
  return plan.tasks.find((task) => task.status === 'failed')?.error ?? plan.error;
}
