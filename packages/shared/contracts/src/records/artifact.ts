import * as z from 'zod';
import { artifactKey, id, instant, sha256 } from './common.ts';

export const artifactTypes = [
  'text',
  'json',
  'code',
  'url',
  'path',
  'image',
  'metrics',
  'dataset_manifest',
  'dependency_spec',
  'repo_manifest',
  'evidence',
  'report',
] as const;

/**
 * A named, typed, hashed result: the only thing tasks hand to one another. Small JSON values stand in `value`;
 * files stand at `path`, relative to the quest root, under exactly one name.
 */
export const artifactSchema = z.object({
  v: z.literal(1),
  id,
  key: artifactKey,
  type: z.enum(artifactTypes),
  quest: id,
  producer: z.object({
    plan: id.optional(),
    task: id.optional(),
    run: id.optional(),
    turn: id.optional(),
    comparison: id.optional(),
    attempt: z.number().int().positive(),
  }),
  /** Of the file's bytes, or of the canonical JSON of `value`. */
  sha256,
  /** Bytes of the file or of the canonical JSON. */
  size: z.number().int().nonnegative(),
  mediaType: z.string(),
  path: z.string().optional(),
  value: z.unknown().optional(),
  evidence: z.array(id),
  createdAt: instant,
  metadata: z.record(z.string(), z.unknown()),
});

export type Artifact = z.infer<typeof artifactSchema>;
export type ArtifactType = (typeof artifactTypes)[number];
