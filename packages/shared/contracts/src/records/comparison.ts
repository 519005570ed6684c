import * as z from 'zod';
import { failure, id, instant, sha256 } from './common.ts';

const interval = z.tuple([z.number(), z.number()]);

/** A number with the evidence that proves it. */
const proven = z.object({ value: z.number(), interval: interval.optional(), evidence: id });

/** What is known of the code of two plans, the least difference first. `unknown`: it could not be looked at. */
export const codeRelations = ['same', 'same_tokens', 'seed_only', 'different', 'unknown'] as const;
export type PairCode = (typeof codeRelations)[number];

/**
 * `first_better`, `second_better`: the interval of the primary metric excludes zero after the correction, and the code
 * differs in more than seeds and comments. Everything else is `not_distinguishable`.
 */
export const pairVerdicts = ['first_better', 'second_better', 'not_distinguishable'] as const;
export type PairVerdict = (typeof pairVerdicts)[number];

const candidate = z.object({
  plan: id,
  /** Short and unique in the comparison. */
  name: z.string(),
  repository: z.string(),
  commit: z.string().nullable(),
  entrypoint: z.string(),
  /** 1 = no other was shown to be better; equal ranks are ties. */
  rank: z.number().int().positive(),
  /** The plan's own numbers, by metric. */
  metrics: z.record(z.string(), proven),
});
export type ComparedCandidate = z.infer<typeof candidate>;

/** A pair by places in `candidates`; differences are first − second. */
const pair = z.object({
  first: z.number().int().nonnegative(),
  second: z.number().int().nonnegative(),
  code: z.enum(codeRelations),
  /** Up to five files that make it so. */
  files: z.array(z.string()),
  /** By metric, each with its paired 95 % interval; they are not corrected and decide nothing. */
  differences: z.record(z.string(), proven),
  /** Of the primary metric; null when it has no interval. */
  test: z
    .object({
      corrected: proven,
      /** Of the corrected and of the simultaneous interval. */
      levels: z.tuple([z.number(), z.number()]),
      simultaneous: proven,
      pBootstrap: proven,
      pHolm: proven,
      firstOnly: proven,
      secondOnly: proven,
      pExact: proven,
    })
    .nullable(),
  verdict: z.enum(pairVerdicts),
});
export type ComparedPair = z.infer<typeof pair>;

/** A formal run under the protocol. Every one counts, shown or not, whatever it ended with. */
const attempt = z.object({
  plan: id,
  attempt: z.number().int().positive(),
  outcome: z.enum(['completed', 'failed', 'unfinished']),
  /** Of the failure. */
  code: z.string().nullable(),
});
export type FormalRun = z.infer<typeof attempt>;

/** Why a named plan is not among the candidates. */
const notCompared = failure.extend({ plan: id, name: z.string() });
export type NotCompared = z.infer<typeof notCompared>;

/** The value of a comparison's artifact: plans of one quest under one protocol, with what can be said of them. */
export const comparisonSchema = z.object({
  v: z.literal(1),
  id,
  quest: id,
  protocol: z.object({
    /** Of the pre-registration that all candidates share. */
    sha256,
    /** Where it was registered first, and where the first formal run under it began: places in the journal. */
    registeredSeq: z.number().int().positive(),
    firstRunSeq: z.number().int().positive(),
  }),
  task: z.enum(['classification', 'regression']),
  rows: z.number().int().positive(),
  dataset: z.object({ name: z.string(), sha256 }),
  primary: z.string(),
  direction: z.enum(['higher', 'lower']),
  attempts: z.array(attempt),
  /** Pairs of formal runs: the number of comparisons that the verdicts are corrected for. */
  family: z.number().int().positive(),
  alpha: z.number(),
  candidates: z.array(candidate).min(1),
  pairs: z.array(pair),
  notCompared: z.array(notCompared),
  /** What can be said, in words and without numbers. */
  conclusion: z.array(z.string()),
  createdAt: instant,
});
export type Comparison = z.infer<typeof comparisonSchema>;
