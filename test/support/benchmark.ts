import type { BenchmarkResult, Plan } from '@assay/contracts';
import type { TestDaemon } from '@assay/testkit';

export interface FinishedBenchmark {
  readonly plan: Plan;
  readonly result: BenchmarkResult;
  /** Code of the first failed task, or null. */
  readonly failure: string | null;
}

export interface BenchmarkRequest {
  readonly repository: string;
  readonly data: string;
  readonly target?: string;
  readonly task?: 'classification' | 'regression';
  readonly input?: string[];
  readonly limit?: number;
  readonly install?: boolean;
  readonly python?: string;
  readonly group?: string;
}

/** Creates a benchmark plan, runs it to its end and reads what came out. */
export async function runBenchmark(
  daemon: TestDaemon,
  inputs: BenchmarkRequest,
  limitMs?: number,
): Promise<FinishedBenchmark> {
  const { plan } = await daemon.client.createPlan({ body: { inputs } });
  await daemon.client.executePlan({ plan: plan.id });
  return finishBenchmark(daemon, plan.id, limitMs);
}

/** Waits for the end of a plan that runs; one that asks a question would wait for ever, so that is an error. */
export async function finishBenchmark(
  daemon: TestDaemon,
  planId: string,
  limitMs = 120_000,
): Promise<FinishedBenchmark> {
  const limit = AbortSignal.timeout(limitMs);
  for await (const item of daemon.client.followPlan(planId, { signal: limit }))
    if (item.kind === 'event' && item.event.type === 'plan.question_asked') await refuseQuestion(daemon, planId);
  const { plan } = await daemon.client.getPlan({ plan: planId });
  const result = await daemon.client.planResult({ plan: planId });
  return { plan, result, failure: plan.tasks.find((task) => task.status === 'failed')?.error?.code ?? null };
}

/** Questions that were answered since are told again from the start: only an open one counts. */
async function refuseQuestion(daemon: TestDaemon, planId: string): Promise<void> {
  const { clarification } = (await daemon.client.getPlan({ plan: planId })).plan;
  if (clarification?.answer !== null) return;
  const options = clarification.options.map(({ value }) => value).join(', ');
  throw new Error(`the plan asks: ${clarification.question} (${options})`);
}
