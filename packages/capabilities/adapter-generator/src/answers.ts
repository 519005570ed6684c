import * as z from 'zod';

/** What an adapter tells of its answers with `--checks` (assets/python/adapter_checks.py). */
const answer = z.union([z.string(), z.number(), z.boolean()]);
/** Answers in the order of the rows that were asked, or why there are none. */
const answers = z.union([z.array(answer), z.string()]).nullable();

export const answerFacts = z.object({
  v: z.literal(1),
  /** Which of the ways of calling gave the answers. */
  way: z.number().int().nonnegative(),
  seconds: z.number(),
  load_seconds: z.number(),
  outputs: z.array(answer),
  /** Keys of the scores that came with the answers. */
  score_keys: z.array(z.string()),
  /** True when the scores of every row sum to one. */
  scored: z.boolean(),
  classes: z.object({ name: z.string(), labels: z.array(answer) }).nullable(),
  again: answers,
  reversed: answers,
  spread: z.object({
    rows: z.number().int(),
    different: z.number().int(),
    outputs: z.array(answer),
    problem: z.string().nullable(),
    /** Columns whose values the answers are. */
    equal: z.array(z.string()),
  }),
  /** True when an answer is the place of the largest number in a list. */
  positions: z.boolean(),
  /** Length of these lists. */
  vectors: z.number().int(),
  columns: z.object({ without_effect: z.array(z.string()) }).nullable(),
});

export type AnswerFacts = z.infer<typeof answerFacts>;
export type Answer = z.infer<typeof answer>;

/** An answer as a label: 1.0 and 1 are the same. */
export function answerText(value: Answer): string {
  return typeof value === 'string' ? value : String(value);
}

/** Every different answer that was seen. */
export function seenAnswers({ outputs, spread }: AnswerFacts): Answer[] {
  return [...new Map([...outputs, ...spread.outputs].map((value) => [answerText(value), value])).values()];
}
