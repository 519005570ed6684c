import * as z from 'zod';

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** ISO 8601 instant in UTC. */
export const instant = z.iso.datetime();
export const id = z.string().min(1).max(128);
/** The name of an artifact inside a plan, such as `dataset_manifest`. */
export const artifactKey = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);

/** What a failed task, plan or command says: stable code, what, why, what to do. */
export const failure = z.object({
  code: z.string(),
  message: z.string(),
  why: z.string().optional(),
  hint: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  /** Another run would end the same way, so that none is made by itself. */
  final: z.literal(true).optional(),
});
export type Failure = z.infer<typeof failure>;
