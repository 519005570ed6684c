import { AssayError } from '@assay/foundation';
import { planInputsSchema, type Plan } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { Caller } from '../engine.ts';
import { openQuestion } from '../planning/open-question.ts';
import { ownedPlan } from './owned-plan.ts';

/** Answers the question of a plan; the answer becomes an input that is never guessed, and may leave another question. */
export async function clarifyPlan(deps: EngineDeps, caller: Caller, planId: string, answer: string): Promise<Plan> {
  const { clarification, inputs } = await ownedPlan(deps, caller, planId);
  if (clarification === null)
    throw new AssayError('conflict', 'this plan has no open question', {
      hint: `start it: assay plan start ${planId}`,
    });
  const values = clarification.options.map((option) => option.value);
  if (!values.includes(answer))
    throw new AssayError('invalid_request', `"${answer}" is not one of the answers`, {
      why: clarification.question,
      hint: `answer one of: ${values.join(', ')}`,
      details: { options: clarification.options },
    });
  const answered = planInputsSchema.parse({ ...inputs, [clarification.field]: answer });
  const { data } = answered;
  const next = data === undefined ? null : await openQuestion({ ...answered, data });
  await deps.scheduler.clarify(planId, { answer, by: caller.ownerId, inputs: answered, next });
  return deps.scheduler.plan(planId);
}
