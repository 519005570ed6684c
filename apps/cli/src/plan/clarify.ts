import type { Client } from '@assay/client';
import type { Clarification, Plan } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import { safeText } from '../render/safe-text.ts';
import type { Session } from '../session.ts';

const MAX_TRIES = 3;
/** One answer can bring up the next question: encoding, separator, header, target. */
const MAX_QUESTIONS = 6;

/**
 * Answers the question of a plan: asks the person at the terminal, or rejects with `needs_clarification` that lists the
 * options. The plan stays as it is then.
 */
export async function clarified(session: Session, client: Client, plan: Plan): Promise<Plan> {
  let known = plan;
  for (let asked = 0; asked < MAX_QUESTIONS; asked += 1) {
    const { clarification } = known;
    if (clarification === null || clarification.answer !== null) return known;
    if (!session.io.interactive || session.json) throw needsClarification(plan.id, clarification);
    const answer = await ask(session, clarification);
    if (answer === undefined) throw needsClarification(plan.id, clarification);
    known = (await client.clarifyPlan({ plan: plan.id, body: { answer } })).plan;
  }
  return known;
}

/** A pending plan with a question that nobody has answered. */
export function hasQuestion({ status, clarification }: Plan): boolean {
  return status === 'pending' && clarification !== null && clarification.answer === null;
}

export function needsClarification(planId: string, { question, options, field }: Clarification): AssayError {
  const known = options.map(({ value, default: preferred }) => (preferred === true ? `${value} (default)` : value));
  return new AssayError('needs_clarification', question, {
    ...(known.length === 0 ? {} : { why: `possible answers: ${known.join(', ')}` }),
    hint: `${field === 'map' ? 'say it with --map, or go on with this plan: ' : ''}assay plan clarify ${planId} <answer>, then assay plan start ${planId}`,
    details: { planId, field, question, options },
  });
}

async function ask(session: Session, { question, options, open }: Clarification): Promise<string | undefined> {
  session.note(clarificationText(question, options));
  const preferred = options.find((option) => option.default === true)?.value;
  const prompt = preferred === undefined ? 'answer: ' : `answer [${safeText(preferred)}]: `;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const typed = (await session.io.ask(prompt)).trim();
    const answer = typed === '' ? preferred : (chosen(typed, options) ?? (open === true ? typed : undefined));
    if (answer !== undefined) return answer;
    session.note('type one of the values, or its number');
  }
  return undefined;
}

function chosen(typed: string, options: Clarification['options']): string | undefined {
  if (options.length === 0) return typed;
  const value = options.find((option) => option.value === typed)?.value;
  return value ?? (/^\d{1,4}$/.test(typed) ? options[Number(typed) - 1]?.value : undefined);
}

export function clarificationText(question: string, options: Clarification['options']): string {
  const lines = options.map(({ value, label }, at) => {
    const meaning = label === value ? '' : `  ${safeText(label)}`;
    return `  ${at + 1}. ${safeText(value)}${meaning}`;
  });
  return [`? ${safeText(question)}`, ...lines].join('\n');
}
