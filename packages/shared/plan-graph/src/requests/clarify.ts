import { planInputsSchema, type EventDraft, type PlanInputs } from '@assay/contracts';
import { at } from '../commands.ts';
import type { PlanState } from '../plan-state.ts';
import { refusal } from './refuse.ts';

/**
 * Answers the open question of a plan; the answer becomes the input that the question names. Throws `conflict` when
 * there is no open question and `invalid_request` for an answer that is none of the options.
 */
export function clarifyDrafts(state: PlanState, by: string, answer: string): EventDraft[] {
  const { id, clarification, inputs } = state.head;
  if (clarification === null || clarification.answer !== null)
    throw refusal(state, 'conflict', { what: `plan ${id} has no open question` });
  const options = clarification.options.map(({ value }) => value);
  if (options.length > 0 && !options.includes(answer))
    throw refusal(state, 'invalid_request', {
      what: `"${answer}" is not one of the answers`,
      hint: `the answers are: ${options.join(', ')}`,
      details: { field: clarification.field, options },
    });
  const parsed = planInputsSchema.safeParse({ ...inputs, [clarification.field]: valueOf(clarification.field, answer) });
  if (!parsed.success || !(clarification.field in parsed.data))
    throw refusal(state, 'invalid_request', {
      what: `"${answer}" cannot be used as ${clarification.field}`,
      details: { field: clarification.field },
    });
  return [{ type: 'plan.clarified', ...at(state), data: { answer, by, inputs: parsed.data } }];
}

/** Answers are text; two inputs are not. */
function valueOf(field: string, answer: string): PlanInputs[keyof PlanInputs] {
  if (field === 'input') return [answer];
  if (field === 'limit') return Number(answer);
  return answer;
}
