import { answerText, seenAnswers, type AnswerFacts } from './answers.ts';
import type { Candidate, LabelSource } from './candidate.ts';
import type { LabelMapping } from './label-map.ts';
import { isTurnedRound, wordsOfName, yesAndNo } from './yes-or-no.ts';

/** A mapping, and what speaks for it. */
export interface SupportedMapping {
  readonly mapping: LabelMapping;
  readonly evidence: string;
}

/** Case, blanks, underscores and hyphens do not tell names apart. */
export function foldLabel(text: string): string {
  return text
    .trim()
    .replaceAll(/[\s_-]+/g, ' ')
    .toLowerCase();
}

export function valuesMapping(values: LabelMapping['values'], isFolded = false): LabelMapping {
  return { key: null, threshold: null, values, isFolded };
}

/** The label of the data with the same name; undefined when none has it, or two have it. */
export function labelFinder(labels: readonly string[]): (name: string) => string | undefined {
  const byFold = new Map<string, string | undefined>();
  for (const label of labels) {
    const fold = foldLabel(label);
    byFold.set(fold, byFold.has(fold) ? undefined : label);
  }
  return (name) => (labels.includes(name) ? name : byFold.get(foldLabel(name)));
}

/** The same names but for case and blanks; undefined when not all answers that were seen have one. */
export function foldedMapping(seen: readonly string[], labels: readonly string[]): SupportedMapping | undefined {
  const find = labelFinder(labels);
  if (!seen.every((said) => find(said) !== undefined)) return undefined;
  const renamed = seen.filter((said) => find(said) !== said).map((said) => `"${said}" is "${find(said)}"`);
  return {
    mapping: valuesMapping(
      labels.map((label) => [label, label]),
      true,
    ),
    evidence: `the names are the same but for case and blanks: ${renamed.slice(0, 4).join(', ')}`,
  };
}

/**
 * Mappings for which something stands in the repository: a list in whose order the answers count, pairs of answer and
 * name, or what the object itself calls its classes. Each maps all answers that were seen to labels of the data.
 */
export function sourcedMappings(
  facts: AnswerFacts,
  labels: readonly string[],
  sources: readonly LabelSource[],
): SupportedMapping[] {
  const seen = seenAnswers(facts).map(answerText);
  const all = facts.positions ? Array.from({ length: facts.vectors }, (_, at) => String(at)) : seen;
  const find = labelFinder(labels);
  const own: LabelSource[] =
    facts.classes === null
      ? []
      : [{ name: facts.classes.name, path: '', line: 0, list: facts.classes.labels.map(answerText), pairs: null }];
  return [...own, ...sources].flatMap((source) =>
    pairings(source).flatMap((pairs) => {
      const values = pairs.flatMap(([said, name]): [string, string][] => {
        const label = find(name);
        return label === undefined ? [] : [[said, label]];
      });
      const known = new Map(values);
      const isIdentity = values.every(([said, label]) => said === label);
      // Every answer has a label, and every label can be answered: else it speaks of something else.
      const isWhole =
        all.every((said) => known.has(said)) && labels.every((label) => values.some(([, to]) => to === label));
      return isWhole && !isIdentity
        ? [{ mapping: valuesMapping([...known]), evidence: sourceText(source, [...known]) }]
        : [];
    }),
  );
}

/** How a source can be read: by place, from left to right, from right to left. */
function pairings({ list, pairs }: LabelSource): (readonly (readonly [string, string])[])[] {
  if (list !== null) return [list.map((name, at) => [String(at), name] as const)];
  return pairs === null ? [] : [pairs, pairs.map(([said, name]) => [name, said] as const)];
}

function sourceText({ name, path, line }: LabelSource, values: readonly (readonly [string, string])[]): string {
  const where = path === '' ? `the object’s ${name}` : `${path}:${line} ${name}`;
  const shown = values.slice(0, 6).map(([said, label]) => `${said} = ${label}`);
  return `${where} says ${shown.join(', ')}${values.length > 6 ? ' …' : ''}`;
}

/** True and false as the two labels: by the words yes and no, or by the name of the function (`is_spam`). */
export function booleanMapping(
  facts: AnswerFacts,
  labels: readonly string[],
  candidate: Candidate,
): SupportedMapping | undefined {
  const seen = seenAnswers(facts);
  if (
    labels.length !== 2 ||
    !seen.every((value) => typeof value === 'boolean' || value === 'True' || value === 'False')
  )
    return undefined;
  const answers = yesAndNo(labels);
  if (answers !== undefined)
    return booleans(answers.yes, answers.no, `true and false are "${answers.yes}" and "${answers.no}"`);
  const words = wordsOfName(candidate.attribute);
  const named = labels.filter((label) => words.includes(foldLabel(label)));
  const rest = labels.find((label) => label !== named[0]);
  if (named.length !== 1 || rest === undefined || isTurnedRound(candidate.attribute)) return undefined;
  return booleans(
    named[0]!,
    rest,
    `${candidate.file}:${candidate.line} ${candidate.attribute} says true for "${named[0]}"`,
  );
}

function booleans(yes: string, no: string, evidence: string): SupportedMapping {
  return {
    mapping: valuesMapping([
      ['true', yes],
      ['True', yes],
      ['false', no],
      ['False', no],
    ]),
    evidence,
  };
}
