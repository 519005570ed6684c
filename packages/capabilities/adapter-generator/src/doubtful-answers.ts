import { answerText, seenAnswers, type AnswerFacts } from './answers.ts';
import type { DatasetShape } from './candidate.ts';

/** Different rows that must have been asked before equal answers say anything. */
const ENOUGH_ROWS = 30;

/**
 * Why answers cannot be predictions of the target although they look like some; undefined when nothing speaks against
 * them. No label of a row is known here: only whether the answers depend on the rows, and of what kind they are.
 */
export function whyDoubtful(facts: AnswerFacts, dataset: DatasetShape): string | undefined {
  const { spread, outputs, reversed } = facts;
  const seen = seenAnswers(facts);
  const isWide = spread.different >= ENOUGH_ROWS;
  if (spread.equal.length > 0) return `its answers are the values of the column ${spread.equal[0]}`;
  if (isWide && seen.length === 1)
    return `it gives the same answer, ${JSON.stringify(seen[0])}, for ${spread.different} different rows`;
  if (
    Array.isArray(reversed) &&
    outputs.length >= 3 &&
    sameList(reversed, outputs) &&
    !sameList(outputs.toReversed(), outputs)
  )
    return 'its answers follow the place of a row in the list and not the row';
  return dataset.suggestedTask === 'classification' ? doubtfulLabels(facts, dataset) : doubtfulNumbers(facts, dataset);
}

function doubtfulLabels(facts: AnswerFacts, dataset: DatasetShape): string | undefined {
  const seen = seenAnswers(facts);
  const known = new Set((dataset.labels ?? []).map(({ label }) => label));
  const foreign = seen.filter((value) => !known.has(answerText(value)));
  const rows = facts.spread.different;
  if (known.size === 0 || rows < ENOUGH_ROWS || foreign.length === 0) return undefined;
  const isMany = foreign.length > Math.max(20, 3 * known.size) && foreign.length > 0.4 * rows;
  if (!isMany) return undefined;
  if (foreign.every((value) => typeof value === 'string'))
    return `it gives ${foreign.length} different texts for ${rows} rows, and the data has ${known.size} labels`;
  // Two labels can be two sides of a threshold.
  return known.size > 2 || foreign.every((value) => Number.isInteger(value))
    ? `it gives ${foreign.length} different numbers for ${rows} rows, and the data has ${known.size} labels`
    : undefined;
}

function doubtfulNumbers(facts: AnswerFacts, dataset: DatasetShape): string | undefined {
  const target = dataset.columns.find(({ name }) => name === dataset.targetColumn);
  const isClass = seenAnswers(facts).every((value) => value === 0 || value === 1);
  return isClass && facts.spread.different >= ENOUGH_ROWS && (target?.distinct ?? 0) > 20
    ? 'it gives only 0 and 1, and the target is a quantity'
    : undefined;
}

/** What a person should know of answers that are taken. */
export function answerNotes(facts: AnswerFacts): string[] {
  const { outputs, again, reversed, columns, spread } = facts;
  const notes: string[] = [];
  if (Array.isArray(again) && !sameList(again, outputs))
    notes.push('asked twice for the same rows, it gave other answers');
  else if (Array.isArray(reversed) && !sameList(reversed.toReversed(), outputs))
    notes.push('its answers depend on the order of the rows');
  if (spread.different >= 8 && seenAnswers(facts).length === 1)
    notes.push(
      `the preflight saw one answer only, ${JSON.stringify(seenAnswers(facts)[0])}, for ${spread.different} different rows`,
    );
  if (columns !== null && columns.without_effect.length > 0 && seenAnswers(facts).length > 1)
    notes.push(`exchanging values between the first rows changed no answer for: ${columns.without_effect.join(', ')}`);
  return notes;
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at]);
}
