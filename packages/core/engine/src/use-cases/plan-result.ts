import { join } from 'node:path';
import type { Artifact, BenchmarkResult, Failure, Plan } from '@assay/contracts';
import { benchmarkMetricsValue, validationReportValue } from '@assay/tasks';
import type { EngineDeps } from '../deps.ts';
import type { Caller } from '../engine.ts';
import type { QuestHandle } from '../quests/quest-handle.ts';
import { recomputeQuest } from './evidence.ts';
import { ownedPlan } from './owned-plan.ts';

/** What a benchmark gave so far: metrics with intervals, probes, and how many numbers verify now. */
export async function planResult(deps: EngineDeps, caller: Caller, planId: string): Promise<BenchmarkResult> {
  const plan = await ownedPlan(deps, caller, planId);
  const quest = await deps.quests.get(plan.questId);
  const metrics = benchmarkMetricsValue.safeParse((await artifactOf(quest, plan, 'benchmark_metrics'))?.value).data;
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
    metrics: metrics?.metrics ?? {},
    intervals: metrics?.intervals ?? {},
    probes: validation?.probes ?? {},
    verified: { ok, total },
    report: typeof rendered === 'string' ? join(quest.paths.root, rendered) : null,
    seconds: plan.usage.activeSeconds,
    ...(error === null ? {} : { error: { ...error, details: error.details ?? {} } }),
  };
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
