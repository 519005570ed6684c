import { AssayError } from '@assay/foundation';
import { checkedMapping } from '@assay/tasks';
import { datasetManifestSchema, planInputsSchema, type DatasetManifest, type Plan } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { Caller } from '../engine.ts';
import { openQuestion } from '../planning/open-question.ts';
import { ownedPlan } from './owned-plan.ts';

/** Answers the question of a plan; the answer becomes an input that is never guessed, and may leave another question. */
export async function clarifyPlan(deps: EngineDeps, caller: Caller, planId: string, answer: string): Promise<Plan> {
  const plan = await ownedPlan(deps, caller, planId);
  const { clarification, inputs } = plan;
  if (clarification === null)
    throw new AssayError('conflict', 'this plan has no open question', {
      hint: `start it: assay plan start ${planId}`,
    });
  const values = clarification.options.map((option) => option.value);
  if (clarification.open !== true && !values.includes(answer))
    throw new AssayError('invalid_request', `"${answer}" is not one of the answers`, {
      why: clarification.question,
      hint: `answer one of: ${values.join(', ')}`,
      details: { options: clarification.options },
    });
  const isMap = clarification.field === 'map';
  if (isMap) checkedMapping(answer, await manifestOf(deps, plan));
  const answered = planInputsSchema.parse({ ...inputs, [clarification.field]: answer });
  const { data } = answered;
  // Asked by a task, both come after every question about the data.
  const isLate = isMap || clarification.field === 'entrypoint';
  const next = data === undefined || isLate ? null : await openQuestion({ ...answered, data });
  await deps.scheduler.clarify(planId, { answer, by: caller.ownerId, inputs: answered, next });
  return deps.scheduler.plan(planId);
}

/** The profile of the plan's data, which stands before any question about labels. */
async function manifestOf(deps: EngineDeps, plan: Plan): Promise<DatasetManifest> {
  const { artifacts } = await deps.quests.get(plan.questId);
  const id = plan.artifacts['dataset_manifest'];
  return datasetManifestSchema.parse(id === undefined ? undefined : (await artifacts.read(id))?.value);
}
