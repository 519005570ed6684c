import * as z from 'zod';

/** How rows were divided; part of the pre-registration and of every evidence record. */
export const splitFactsSchema = z.object({
  /** `grouped` keeps groups on one side, `time` trains on what is earlier, `all` hands out every row. */
  method: z.enum(['stratified', 'shuffled', 'grouped', 'time', 'all']),
  prng: z.literal('xoshiro128**'),
  seed: z.number().int().min(0).max(0xffff_ffff),
  /** Share of the rows that is handed out; 1 without training. */
  testFraction: z.number(),
  handedOut: z.number().int().positive(),
  handedOutSha256: z.string(),
  train: z.number().int().nonnegative(),
  trainSha256: z.string(),
  /** At most this many rows were handed out. */
  limit: z.number().int().positive().optional(),
  /** Of a grouped split: the column, and how many groups are on each side. */
  group: z
    .object({
      column: z.string(),
      train: z.number().int().nonnegative(),
      handedOut: z.number().int().nonnegative(),
    })
    .optional(),
  /** Of a split by time: the column, the first time of the test rows, and rows left out because they have none. */
  time: z.object({ column: z.string(), from: z.number(), without: z.number().int().nonnegative() }).optional(),
});

export type SplitFacts = z.infer<typeof splitFactsSchema>;
