import { answerText, seenAnswers, type AnswerFacts } from './answers.ts';
import type { Candidate, DatasetShape, LabelSource } from './candidate.ts';
import {
  booleanMapping,
  foldedMapping,
  labelFinder,
  foldLabel,
  sourcedMappings,
  valuesMapping,
  type SupportedMapping,
} from './label-evidence.ts';
import { guessedMappings, type GuessedMapping } from './label-guesses.ts';
import { labelMapText } from './label-map.ts';
import { whyOtherQuestion, yesAndNo } from './yes-or-no.ts';

/** What becomes of a repository's answers. */
export type SettledLabels =
  /** They are labels of the data already. */
  | { readonly is: 'same'; readonly notes: readonly string[] }
  /** One mapping is supported by evidence. */
  | ({ readonly is: 'mapped' } & SupportedMapping)
  /** Nothing, or too much, speaks for a mapping: a person must say it. */
  | { readonly is: 'open'; readonly why: string; readonly options: readonly GuessedMapping[] };

/**
 * Decides what the answers that the preflight saw mean in the labels of the data. A mapping needs evidence in the
 * repository; it is never fitted to the labels of rows, which nothing here knows: `labels` are only their names.
 */
export function settleLabels(
  facts: AnswerFacts,
  {
    dataset,
    candidate,
    sources,
  }: { readonly dataset: DatasetShape; readonly candidate: Candidate; readonly sources: readonly LabelSource[] },
): SettledLabels {
  const labels = (dataset.labels ?? []).map(({ label }) => label);
  const seen = seenAnswers(facts);
  if (dataset.suggestedTask !== 'classification' || labels.length === 0 || seen.length === 0)
    return { is: 'same', notes: [] };
  const other = candidate.needsTraining ? undefined : otherQuestion(facts, labels, { dataset, candidate });
  if (other !== undefined) return other;
  // Trained on labelled rows of this data, it says the data's own labels.
  const isSame = seen.every((value) => isLabel(value, labels)) && arePlacesLabels(facts, labels);
  const known = labelFinder(labels);
  const foreignScores = facts.scored ? [] : facts.score_keys.filter((name) => known(name) === undefined);
  if (isSame && foreignScores.length === 0)
    return { is: 'same', notes: facts.positions ? ['the place of the largest number in each list is the label'] : [] };
  if (foreignScores.length > 0)
    return {
      is: 'open',
      why: `it gives scores under names that are no labels: ${foreignScores.slice(0, 6).join(', ')}`,
      options: scoreOptions(facts, labels),
    };
  const texts = seen.map(answerText);
  const ambiguous = facts.positions ? undefined : sameButForCase(texts, labels);
  if (ambiguous !== undefined) return ambiguous;
  const folded = facts.positions ? undefined : foldedMapping(texts, labels);
  if (folded !== undefined) return { is: 'mapped', ...folded };
  const supported = distinct([
    ...sourcedMappings(facts, labels, sources),
    ...listed(booleanMapping(facts, labels, candidate)),
  ]);
  if (supported.length === 1) return { is: 'mapped', ...supported[0]! };
  if (supported.length > 1)
    return {
      is: 'open',
      why: `the repository says it in ${supported.length} different ways`,
      options: supported.map(({ mapping, evidence }) => ({ text: labelMapText(mapping), why: evidence })),
    };
  const named = texts.filter((said) => known(said) !== undefined);
  if (named.length > 0 && !facts.positions && seen.every((value) => typeof value === 'string'))
    return partly(texts, labels, named);
  return {
    is: 'open',
    why: `it says ${quoted(texts)}; the data has ${quoted(labels)}`,
    options: guessedMappings(facts, labels),
  };
}

/** A yes that may mean no: the function asks something else than the target does. */
function otherQuestion(
  facts: AnswerFacts,
  labels: readonly string[],
  { dataset, candidate }: { readonly dataset: DatasetShape; readonly candidate: Candidate },
): SettledLabels | undefined {
  const seen = seenAnswers(facts).map(answerText);
  const isYesOrNo = seen.every((said) => /^(true|false|yes|no|0|1)$/i.test(said));
  const sides = yesAndNo(labels);
  if (sides === undefined || !isYesOrNo) return undefined;
  const why = whyOtherQuestion(candidate.attribute, dataset.targetColumn);
  if (why === undefined) return undefined;
  const isYes = (said: string) => /^(true|yes|1)$/i.test(said);
  const all = seen.every((said) => /^[01]$/.test(said)) ? ['1', '0'] : ['true', 'false'];
  const names = seen.some((said) => /^(yes|no)$/i.test(said)) ? seen : all;
  const options = [
    { yes: sides.yes, no: sides.no, why: 'its yes is the yes of the data' },
    { yes: sides.no, no: sides.yes, why: 'the other way round' },
  ].map(({ yes, no, why: said }) => ({
    text: labelMapText(valuesMapping(names.map((name) => [name, isYes(name) ? yes : no]))),
    why: said,
  }));
  return { is: 'open', why, options };
}

/** Answers or labels that only case and blanks tell apart: whether they are one is not for code to say. */
function sameButForCase(texts: readonly string[], labels: readonly string[]): SettledLabels | undefined {
  const byFold = byFoldOf(labels);
  const unclear = [...byFoldOf(texts)].flatMap(([fold, said]) => {
    const found = byFold.get(fold) ?? [];
    const isExact = said.every((name) => found.includes(name));
    return found.length === 0 || isExact || (said.length === 1 && found.length === 1) ? [] : [{ said, found }];
  });
  const [first] = unclear;
  if (first === undefined) return undefined;
  const rest = texts.flatMap((said): [string, string][] => {
    const found = byFold.get(foldLabel(said)) ?? [];
    return found.length === 1 ? [[said, found[0]!]] : found.includes(said) ? [[said, said]] : [];
  });
  const options = first.found.map((label) => ({
    text: labelMapText(valuesMapping([...new Map([...rest, ...first.said.map((said) => [said, label] as const)])])),
    why: `${quoted(first.said)} mean "${label}"`,
  }));
  const why = `only case and blanks tell ${quoted([...new Set([...first.said, ...first.found])])} apart`;
  return { is: 'open', why, options };
}

function byFoldOf(names: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of names) found.set(foldLabel(name), [...(found.get(foldLabel(name)) ?? []), name]);
  return found;
}

/** Some answers are labels of the data and others are not: those stay as they are and count as wrong. */
function partly(texts: readonly string[], labels: readonly string[], named: readonly string[]): SettledLabels {
  const other = texts.filter((said) => !named.includes(said));
  const note = `answers that are no label of the data stay as they are and count as wrong: ${quoted(other)}`;
  if (named.every((said) => labels.includes(said))) return { is: 'same', notes: [note] };
  const found = foldedMapping(named, labels)!;
  return { is: 'mapped', mapping: found.mapping, evidence: `${found.evidence}; ${note}` };
}

function isLabel(value: string | number | boolean, labels: readonly string[]): boolean {
  const isBoolean = labels.every((label) => label === 'true' || label === 'false');
  if (isBoolean && (value === 0 || value === 1)) return true;
  return labels.includes(answerText(value));
}

/** Places in a list of numbers are labels only when the labels are these places. */
function arePlacesLabels({ positions, vectors }: AnswerFacts, labels: readonly string[]): boolean {
  return (
    !positions || (vectors === labels.length && labels.every((label) => /^\d+$/.test(label) && Number(label) < vectors))
  );
}

/** A number under a name can be cut in two with `key=` and a threshold. */
function scoreOptions(facts: AnswerFacts, labels: readonly string[]): GuessedMapping[] {
  if (labels.length !== 2) return [];
  const key = facts.score_keys.find((name) => /compound|score|polarity|prob|conf/i.test(name));
  if (key === undefined) return [];
  const [first, second] = labels as readonly [string, string];
  return [
    { high: second, low: first },
    { high: first, low: second },
  ].map(({ high, low }) => ({
    text: labelMapText({
      key,
      threshold: { at: /compound|polarity/i.test(key) ? 0 : 0.5, high, low },
      values: [],
      isFolded: false,
    }),
    why: `the number under "${key}", cut in two`,
  }));
}

/** Mappings that say the same of every answer are one. */
function distinct(found: readonly SupportedMapping[]): SupportedMapping[] {
  const byText = new Map<string, SupportedMapping>();
  for (const one of found) {
    const text = labelMapText({
      ...one.mapping,
      values: [...one.mapping.values].sort((a, b) => (a[0] < b[0] ? -1 : 1)),
    });
    if (!byText.has(text)) byText.set(text, one);
  }
  return [...byText.values()];
}

function listed<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

function quoted(names: readonly string[]): string {
  const shown = names.slice(0, 6).map((name) => JSON.stringify(name.slice(0, 40)));
  return `${shown.join(', ')}${names.length > 6 ? ` and ${names.length - 6} more` : ''}`;
}
