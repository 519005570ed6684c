import * as z from 'zod';

/** How rows were divided; part of the pre-registration and of every evidence record. */
export const splitFactsSchema = z.object({
  method: z.enum(['stratified', 'shuffled', 'all']),
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
});

export type SplitFacts = z.infer<typeof splitFactsSchema>;
