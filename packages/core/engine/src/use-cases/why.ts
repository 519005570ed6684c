import { AssayError, idKind } from '@assay/foundation';
import type { Why } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { Caller } from '../engine.ts';
import { ownedPlan } from './owned-plan.ts';

/** One sentence that explains a state: of a plan of the caller, of its task (`plan/task`), of a quest. */
export async function why(deps: EngineDeps, caller: Caller, ref: string): Promise<Why> {
  await deps.recovered;
  const [first = '', task] = ref.split('/');
  switch (idKind(first)) {
    case 'plan': {
      await ownedPlan(deps, caller, first);
      const { state, sentence } = deps.scheduler.explain(first, task);
      return { ref, state, sentence };
    }
    case 'quest':
      return { ref, ...(await whyQuest(deps, first)) };
    default:
      throw new AssayError('invalid_request', `"${ref}" names nothing that has a state`, {
        hint: 'give a plan id, plan_…/task, or a quest id',
      });
  }
}

async function whyQuest(deps: EngineDeps, questId: string): Promise<{ state: string; sentence: string }> {
  const { journal, index, quest } = await deps.quests.get(questId);
  if (journal.problem !== null)
    return { state: 'stopped', sentence: `stopped: ${journal.problem.message}; ${journal.problem.why ?? ''}` };
  const running = index.state.plans.filter((plan) => plan.status === 'in_progress').length;
  if (running > 0)
    return {
      state: 'running',
      sentence: `running: ${running} of its ${index.state.plans.length} plans are in progress`,
    };
  return {
    state: 'idle',
    sentence: `idle: "${quest.title}" has ${index.state.plans.length} plans and none is in progress`,
  };
}
