import { AssayError, idKind } from '@assay/foundation';
import type { Why } from '@assay/contracts';
import { adapterReportValue, preflightReportValue } from '@assay/tasks';
import type { EngineDeps } from '../deps.ts';
import type { Caller } from '../engine.ts';
import { whyComparison } from './comparisons.ts';
import { ownedPlan } from './owned-plan.ts';

/** One sentence that explains a state: of a plan of the caller, of its task (`plan/task`), of a comparison, of a quest. */
export async function why(deps: EngineDeps, caller: Caller, ref: string): Promise<Why> {
  await deps.recovered;
  const [first = '', task] = ref.split('/');
  switch (idKind(first)) {
    case 'plan': {
      await ownedPlan(deps, caller, first);
      const { state, sentence } = deps.scheduler.explain(first, task);
      return { ref, state, sentence: `${sentence}${await whyAdapter(deps, first, task)}` };
    }
    case 'quest':
      return { ref, ...(await whyQuest(deps, first)) };
    case 'comparison':
      return { ref, ...(await whyComparison(deps, caller, first)) };
    default:
      throw new AssayError('invalid_request', `"${ref}" names nothing that has a state`, {
        hint: 'give a plan id, plan_…/task, a comparison id, or a quest id',
      });
  }
}

/** Of the tasks that choose what is called: what speaks for it, what its answers mean, and what was not chosen. */
async function whyAdapter(deps: EngineDeps, planId: string, task: string | undefined): Promise<string> {
  const isAdapter = task === 'benchmark_adapter_generate' || task === 'benchmark_adapter_preflight';
  const plan = deps.scheduler.plan(planId);
  if (!isAdapter || plan.tasks.find(({ id }) => id === task)?.status !== 'completed') return '';
  const { artifacts } = await deps.quests.get(plan.questId);
  const read = async (key: string) => {
    const id = plan.artifacts[key];
    return id === undefined ? undefined : (await artifacts.read(id))?.value;
  };
  if (task === 'benchmark_adapter_preflight') {
    const passed = preflightReportValue.safeParse(await read('benchmark_preflight_report')).data?.passed;
    if (passed === undefined) return '';
    const { labels, evidence, way } = passed;
    const mapped =
      labels === null ? 'its answers are labels already' : `its answers mean ${labels.map} (${labels.evidence})`;
    return `; handed over: ${way}; ${mapped}; chosen because ${evidence.slice(0, MOST_SIGNS).join('; ')}`;
  }
  const report = adapterReportValue.safeParse(await read('benchmark_adapter_report')).data;
  if (report === undefined) return '';
  const { evidence, others, rejected } = report;
  const not = [
    ...others.map(({ entrypoint }) => `${entrypoint} (less sure)`),
    ...rejected.map(({ entrypoint, reason }) => `${entrypoint} (${reason})`),
  ];
  const left =
    not.length === 0
      ? ''
      : `; not chosen: ${not.slice(0, MOST_SIGNS).join('; ')}${not.length > MOST_SIGNS ? ` and ${not.length - MOST_SIGNS} more` : ''}`;
  return `; chosen because ${evidence.slice(0, MOST_SIGNS).join('; ')}${left}`;
}

const MOST_SIGNS = 5;

async function whyQuest(deps: EngineDeps, questId: string): Promise<{ state: string; sentence: string }> {
  const { journal, index, quest } = await deps.quests.get(questId);
  if (journal.problem !== null)
    return { state: 'stopped', sentence: `stopped: ${journal.problem.message}; ${journal.problem.why ?? ''}` };
  const { plans } = index.state;
  const running = plans.filter((plan) => plan.status === 'in_progress').length;
  if (running > 0)
    return {
      state: 'running',
      sentence: `running: ${running} of its ${counted(plans.length)} ${running === 1 ? 'is' : 'are'} in progress`,
    };
  return {
    state: 'idle',
    sentence: `idle: "${quest.title}" has ${plans.length === 0 ? 'no plans' : `${counted(plans.length)}, none in progress`}`,
  };
}

function counted(plans: number): string {
  return plans === 1 ? '1 plan' : `${plans} plans`;
}
