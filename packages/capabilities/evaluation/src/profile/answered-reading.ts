import type { ReadingChoice, ReadingOptions } from '@assay/contracts';
import { inspectTable } from '../data/inspect/inspect-table.ts';

export interface AnsweredReading {
  /** What was said, and for what is open the likeliest answer. */
  readonly reading: ReadingOptions;
  readonly choices: readonly ReadingChoice[];
}

/** The file of an archive, encoding, delimiter and header can be open. */
const MOST_QUESTIONS = 4;

/**
 * Answers what a file leaves open with the likeliest option, so that it can be shown before a person decides. Throws the
 * refusal of a question without options, and what opening the file throws.
 */
export async function answeredReading(
  path: string,
  said: ReadingOptions,
  signal?: AbortSignal,
): Promise<AnsweredReading> {
  let reading = said;
  const choices: ReadingChoice[] = [];
  for (let asked = 0; asked < MOST_QUESTIONS; asked += 1) {
    const [open] = (await inspectTable(path, reading, signal)).questions;
    if (open === undefined) break;
    const { field, options, refusal } = open;
    const likely = options.find((option) => option.default === true) ?? options[0];
    if (likely === undefined) throw refusal;
    choices.push({
      field,
      taken: likely.value,
      options: options.map(({ value, label }) => ({ value, label })),
      why: refusal.why ?? refusal.message,
    });
    reading = { ...reading, [field]: likely.value };
  }
  return { reading, choices };
}
