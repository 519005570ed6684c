import type { QuestSummary } from '@assay/contracts';
import type { QuestHandle } from '../quests/quest-handle.ts';

/** A quest as lists show it. */
export function summaryOf(handle: QuestHandle): QuestSummary {
  const { quest, journal, index } = handle;
  return {
    ...quest,
    root: handle.paths.root,
    lastSeq: journal.lastSeq,
    lastActivityAt: index.state.lastAt ?? quest.created_at,
    plans: index.state.plans.map((plan) => ({ ...plan })),
    problem:
      journal.problem === null ? null : `${journal.problem.message} (${journal.problem.why ?? journal.problem.code})`,
  };
}
