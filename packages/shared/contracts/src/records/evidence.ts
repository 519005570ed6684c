import * as z from 'zod';
import { id, instant, sha256 } from './common.ts';

/** Where in a file the proof stands. `row` is the zero-based row of the data set. */
export const locator = z.object({
  kind: z.enum(['row', 'rows', 'page', 'line', 'block', 'seq', 'file']),
  value: z.string(),
});

export const evidenceSource = z.object({
  /** Relative to the quest root, or absolute for local data that is referred to by path. */
  file: z.string(),
  sha256,
  locator,
  /** A copy kept by hash inside the quest (`.assay/blobs/<sha256>`), relative to its root. */
  keptAs: z.string().optional(),
});

export const attestationSchema = z.object({
  backend: z.enum(['bubblewrap', 'docker', 'slurm', 'remote', 'none']),
  version: z.string(),
  network: z.enum(['none', 'loopback', 'allow', 'full']),
  /** With network `allow`: the hosts that could be reached, through our proxy only. */
  allowedHosts: z.array(z.string()).optional(),
  /** How CPU, memory and process limits were enforced. */
  limits: z.enum(['cgroup2', 'cgroup1', 'systemd', 'rlimit']),
  seccomp: z.boolean(),
  capabilities: z.enum(['none', 'some']),
  userNamespace: z.boolean(),
  /** sha256 of the boundary's full argument vector with paths, so that two runs can be compared. */
  boundarySha256: sha256,
  /** Read-only folders whose whole content was hashed, such as an environment of packages, by their place inside. */
  contents: z.array(z.object({ target: z.string(), sha256 })).optional(),
});
export type Attestation = z.infer<typeof attestationSchema>;

/**
 * What proves a number. `recipe` names a pure function of `evaluation`; with the inputs it gives `value` again.
 */
export const evidenceSchema = z.object({
  v: z.literal(1),
  id,
  quest: id,
  plan: id.optional(),
  /** The comparison that it belongs to. */
  comparison: id.optional(),
  /** What the number says, such as `accuracy on the hidden labels of penguins.csv`. */
  statement: z.string(),
  /** The metric's key, such as `accuracy`, `macro_f1`, `recall/Gentoo`. */
  metric: z.string(),
  value: z.number(),
  unit: z.string().optional(),
  direction: z.enum(['higher', 'lower', 'none']).optional(),
  recipe: z.object({
    name: z.string(),
    version: z.number().int().positive(),
    inputs: z.array(z.object({ artifact: id, sha256, select: z.string() })),
    /** Constants of the computation: seed, B, label order … */
    parameters: z.record(z.string(), z.unknown()),
  }),
  sources: z.array(evidenceSource),
  sandbox: attestationSchema.optional(),
  commit: z.string().optional(),
  computedAt: instant,
  ci: z
    .object({
      low: z.number(),
      high: z.number(),
      level: z.number(),
      method: z.string(),
      /** Stated when the interval comes from a subsample of the rows. */
      subsample: z.number().int().positive().optional(),
    })
    .optional(),
});
export type Evidence = z.infer<typeof evidenceSchema>;
export type EvidenceSource = z.infer<typeof evidenceSource>;

export const mismatchReasons = ['mismatch', 'source_changed', 'source_missing'] as const;

/** What `assay verify` says of one number that it could not confirm. */
export const mismatchSchema = z.object({
  evidenceId: id,
  /** Null when the record that claims it is gone and nothing else says what it was. */
  claimed: z.number().nullable(),
  recomputed: z.number().nullable(),
  source: z.string(),
  reason: z.enum(mismatchReasons),
});
export type Mismatch = z.infer<typeof mismatchSchema>;

/** `ok` counts the confirmed numbers, `total` all of them. */
export const verificationSchema = z.object({
  ok: z.number().int().nonnegative(),
  total: z.number().int().nonnegative(),
  mismatches: z.array(mismatchSchema),
});
export type Verification = z.infer<typeof verificationSchema>;
