import { planSchema, type AssayEvent } from '@assay/contracts';
import type { Projected, Projection } from '@assay/event-store';
import { planOf, planStateOf, reducePlan, type PlanState } from '@assay/plan-graph';
import type { PlanJournal } from './plan-journal.ts';

/** A plan as its quest's journal tells it. */
export interface BookedPlan {
  readonly state: PlanState;
  /** Time of the last event that speaks of the plan: the last sign of life before an interruption. */
  readonly lastAt: string;
}

export type BookedPlans = ReadonlyMap<string, BookedPlan>;

/** All plans of a quest, folded from its journal. */
export const plansProjection: Projection<BookedPlans> = {
  name: 'plans',
  version: 1,
  initial: () => new Map(),
  reduce: reduceBook,
  serialize: (plans) => [...plans.values()].map(({ state, lastAt }) => ({ plan: planOf(state), lastAt })),
  parse: (stored) => new Map((stored as StoredPlan[]).map(parsePlan)),
};

interface StoredPlan {
  readonly plan: unknown;
  readonly lastAt: string;
}

function parsePlan({ plan, lastAt }: StoredPlan): [string, BookedPlan] {
  const state = planStateOf(planSchema.parse(plan));
  if (Number.isNaN(Date.parse(lastAt))) throw new Error(`not an instant: ${lastAt}`);
  return [state.head.id, { state, lastAt }];
}

function reduceBook(plans: BookedPlans, event: AssayEvent): BookedPlans {
  const planId = event.scope.plan;
  if (planId === undefined) return plans;
  const state = reducePlan(plans.get(planId)?.state, event);
  return state === undefined ? plans : new Map(plans).set(planId, { state, lastAt: event.at });
}

/** The plans of one quest: what its journal says, and the way to add to it. */
export class PlanBook {
  readonly journal: PlanJournal;
  readonly #projected: Projected<BookedPlans>;

  private constructor(journal: PlanJournal, projected: Projected<BookedPlans>) {
    this.journal = journal;
    this.#projected = projected;
  }

  static async open(journal: PlanJournal): Promise<PlanBook> {
    return new PlanBook(journal, await journal.project(plansProjection));
  }

  get plans(): BookedPlans {
    return this.#projected.state;
  }
}
