import { answerText, seenAnswers, type AnswerFacts } from './answers.ts';
import { foldLabel, valuesMapping } from './label-evidence.ts';
import { labelMapText, type LabelMapping } from './label-map.ts';

/** A mapping that nothing in the repository speaks for; only a person can choose it. */
export interface GuessedMapping {
  /** As it is written behind `--map`. */
  readonly text: string;
  readonly why: string;
}

const MOST = 6;

/** Mappings that could be meant, for a person to choose from; none when the answers are like nothing of the data. */
export function guessedMappings(facts: AnswerFacts, labels: readonly string[]): GuessedMapping[] {
  const seen = seenAnswers(facts);
  const ordered = isScore(facts) ? [] : numbered(facts, labels);
  const isNumbers = seen.every((value) => typeof value === 'number') && !facts.positions;
  const guesses = ordered.length === 0 && isNumbers ? thresholds(seen, labels) : ordered;
  return (guesses.length > 0 ? guesses : named(seen.map(answerText), labels)).slice(0, MOST);
}

/** Numbers between whole ones: a score, not a class. */
function isScore(facts: AnswerFacts): boolean {
  const seen = seenAnswers(facts);
  return seen.every((value) => typeof value === 'number') && seen.some((value) => !Number.isInteger(value));
}

function thresholds(seen: readonly number[], labels: readonly string[]): GuessedMapping[] {
  if (labels.length !== 2) return [];
  // A whole number of 0 is neither side: where it belongs is asked too.
  const isWhole = seen.every((value) => Number.isInteger(value));
  const ats = isWhole ? [1, 0] : seen.some((value) => value < 0) ? [0] : [0.5];
  const [first, second] = labels as readonly [string, string];
  return ats.flatMap((at) =>
    [
      { at, high: second, low: first },
      { at, high: first, low: second },
    ].map((threshold) => ({
      text: labelMapText({ ...valuesMapping([]), threshold }),
      why: `scores of ${at} and more mean ${threshold.high}`,
    })),
  );
}

/** Whole numbers from 0 or 1 on, one per label: in which order is not said. */
function numbered(facts: AnswerFacts, labels: readonly string[]): GuessedMapping[] {
  const seen = facts.positions
    ? Array.from({ length: facts.vectors }, (_, at) => at)
    : seenAnswers(facts).map((value) => numberOf(value));
  const numbers = seen.filter((value) => value !== undefined && Number.isInteger(value)) as number[];
  if (numbers.length < seen.length || numbers.length === 0) return [];
  const isSigned = labels.length === 2 && numbers.every((value) => value === -1 || value === 1);
  const least = Math.min(...numbers) >= 1 && Math.max(...numbers) === labels.length ? 1 : 0;
  if (!isSigned && numbers.some((value) => value < least || value >= labels.length + least)) return [];
  const isBoolean = seenAnswers(facts).every((value) => typeof value === 'boolean') && !facts.positions;
  const names =
    isBoolean && labels.length === 2
      ? ['false', 'true']
      : isSigned
        ? ['-1', '1']
        : labels.map((_, at) => String(at + least));
  return orders(labels).map((order, at) => ({
    text: labelMapText(valuesMapping(order.map((label, place) => [names[place]!, label]))),
    why: at === 0 ? 'the labels in alphabetical order' : 'another order',
  }));
}

function numberOf(value: string | number | boolean): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  return /^-?\d+$/.test(value) ? Number(value) : undefined;
}

/** All orders of up to three labels; of more only the first. */
function orders(labels: readonly string[]): (readonly string[])[] {
  if (labels.length > 3 || labels.length < 2) return labels.length < 2 ? [] : [labels];
  return labels.flatMap((first, at) => {
    const rest = labels.filter((_, other) => other !== at);
    return rest.length === 1
      ? [[first, ...rest]]
      : [
          [first, ...rest],
          [first, ...rest.toReversed()],
        ];
  });
}

/** Names that begin alike (`pos` and `positive`), or two names for two labels. */
function named(seen: readonly string[], labels: readonly string[]): GuessedMapping[] {
  const alike = seen.map((said) => labels.filter((label) => areAlike(said, label)));
  if (alike.every((found) => found.length === 1))
    return [
      guess(
        seen.map((said, at) => [said, alike[at]![0]!]),
        'the names begin alike',
      ),
    ];
  if (seen.length !== 2 || labels.length !== 2) return [];
  const [a, b] = seen as readonly [string, string];
  const [first, second] = labels as readonly [string, string];
  return [
    guess(
      [
        [a, first],
        [b, second],
      ],
      'two names for two labels',
    ),
    guess(
      [
        [a, second],
        [b, first],
      ],
      'the other way round',
    ),
  ];
}

function areAlike(said: string, label: string): boolean {
  const [a, b] = [foldLabel(said), foldLabel(label)];
  return a.length > 0 && b.length > 0 && (a.startsWith(b) || b.startsWith(a));
}

function guess(values: LabelMapping['values'], why: string): GuessedMapping {
  return { text: labelMapText(valuesMapping(values)), why };
}
