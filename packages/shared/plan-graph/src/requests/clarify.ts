import {
  planInputsSchema,
  type Clarification as NextQuestion,
  type EventDraft,
  type PlanInputs,
} from '@assay/contracts';
import { at } from '../commands.ts';
import type { PlanState } from '../plan-state.ts';
import { hasEnded, refusal } from './refuse.ts';

export interface Clarification {
  readonly answer: string;
  readonly by: string;
  /** The plan's inputs afterwards; by default the answer is set in them. */
  readonly inputs?: PlanInputs;
  /** What is asked after this answer. */
  readonly next?: NextQuestion | null;
}

/**
 * Answers the open question of a plan; the answer becomes the input that the question names. Throws
 * `plan_not_runnable` when the plan has ended, `conflict` when there is no open question and `invalid_request` for an answer that is none of the options.
 */
export function clarifyDrafts(state: PlanState, { answer, by, inputs, next: question }: Clarification): EventDraft[] {
  const { id, status, clarification } = state.head;
  if (hasEnded(state))
    throw refusal(state, 'plan_not_runnable', {
      what: `plan ${id} is ${status}`,
      why: 'its question has lost its meaning',
      hint: 'make a new plan',
    });
  if (clarification === null || clarification.answer !== null)
    throw refusal(state, 'conflict', { what: `plan ${id} has no open question` });
  const { field } = clarification;
  const options = clarification.options.map(({ value }) => value);
  if (options.length > 0 && clarification.open !== true && !options.includes(answer))
    throw refusal(state, 'invalid_request', {
      what: `"${answer}" is not one of the answers`,
      hint: `the answers are: ${options.join(', ')}`,
      details: { field, options },
    });
  const next = inputs ?? { ...state.head.inputs, [field]: valueOf(field, answer) };
  const parsed = planInputsSchema.safeParse(next);
  if (!parsed.success || !(field in parsed.data))
    throw refusal(state, 'invalid_request', { what: `"${answer}" cannot be used as ${field}`, details: { field } });
  const asked = question === undefined || question === null ? {} : { next: question };
  return [{ type: 'plan.clarified', ...at(state), data: { answer, by, inputs: parsed.data, ...asked } }];
}

/** Answers are text; two inputs are not. */
function valueOf(field: string, answer: string): PlanInputs[keyof PlanInputs] {
  if (field === 'input') return [answer];
  if (field === 'limit') return Number(answer);
  return answer;
}
