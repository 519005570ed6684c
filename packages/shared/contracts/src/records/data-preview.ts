import * as z from 'zod';
import { datasetManifestSchema, evaluationTasks, readingOptions } from './dataset-manifest.ts';

const count = z.number().int().nonnegative();

/** How the values of a column are spread. `rows` counts the values that this is made from. */
export const columnDistribution = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('numbers'),
    min: z.number(),
    max: z.number(),
    mean: z.number(),
    /** Bins of one width from `min` to `max`; one when all values are equal. */
    bins: z.array(count).min(1).max(24),
    rows: count,
    /** True when not every row was looked at. */
    sampled: z.boolean(),
  }),
  z.object({
    kind: z.literal('dates'),
    first: z.string(),
    last: z.string(),
    bins: z.array(count).min(1).max(24),
    rows: count,
  }),
  z.object({
    kind: z.literal('values'),
    /** The most frequent first; long texts are cut. */
    top: z.array(z.object({ value: z.string(), count })),
    /** What is not in `top`. */
    others: z.object({ values: count, rows: count }),
    rows: count,
  }),
  /** More different texts than are counted. */
  z.object({ kind: z.literal('many'), rows: count }),
  z.object({ kind: z.literal('none') }),
]);
export type ColumnDistribution = z.infer<typeof columnDistribution>;

/** What a column can be. `refusal` says why it is no target. */
export const columnPreview = z.object({
  name: z.string(),
  missing: count,
  /** Null in tables of very many columns, for those behind the first ones. */
  distribution: columnDistribution.nullable(),
  asTarget: z.union([z.object({ task: z.enum(evaluationTasks) }), z.object({ refusal: z.string() })]),
  asGroup: z.boolean(),
  asTime: z.boolean(),
});
export type ColumnPreview = z.infer<typeof columnPreview>;

/** Something about the reading that the file does not make clear; the first option that is `default` was taken here. */
export const readingChoice = z.object({
  field: z.enum(['member', 'encoding', 'delimiter', 'header']),
  taken: z.string(),
  options: z.array(z.object({ value: z.string(), label: z.string() })).min(1),
  why: z.string(),
});
export type ReadingChoice = z.infer<typeof readingChoice>;

export const dataPreviewSchema = z.object({
  manifest: datasetManifestSchema,
  columns: z.array(columnPreview),
  /** The first rows, cells as they are read, in the order of `columns`. */
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))).max(12),
  /** Columns that may be the target, the surest first. */
  candidates: z
    .array(
      z.object({
        column: z.string(),
        confidence: z.number().min(0).max(1),
        because: z.enum(['said', 'name', 'last-column']),
      }),
    )
    .max(20),
  /** How rows should be divided when something must be trained. */
  split: z.object({
    by: z.enum(['random', 'group', 'time']),
    column: z.string().nullable(),
    because: z.enum(['said', 'group-like', 'time-like', 'usual']),
  }),
  /** A plan asks these before it starts unless they are said. */
  choices: z.array(readingChoice),
  /** Why a plan with this target, these inputs and this split would be refused. The rest was found without them. */
  problem: z
    .object({ code: z.string(), message: z.string(), why: z.string().optional(), hint: z.string().optional() })
    .nullable(),
});
export type DataPreview = z.infer<typeof dataPreviewSchema>;

const text = z
  .string()
  .min(1)
  .max(4096)
  .refine((value) => !value.includes('\0'), 'it contains a NUL character');

/** One file, and what is said of it. */
export const profileDataBody = readingOptions
  .extend({
    uploadId: text.optional(),
    /** Absolute, on the machine of the daemon. */
    path: text.optional(),
    target: text.optional(),
    input: z.array(text).max(16_384).optional(),
    task: z.enum(['classification', 'regression']).optional(),
    group: text.optional(),
    time: text.optional(),
  })
  .strict()
  .refine(({ uploadId, path }) => (uploadId === undefined) !== (path === undefined), {
    path: ['path'],
    message: 'name one file: uploadId or path',
  });
export type ProfileData = z.infer<typeof profileDataBody>;
