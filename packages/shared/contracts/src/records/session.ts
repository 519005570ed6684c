import * as z from 'zod';
import { id, instant } from './common.ts';
import { attestationSchema } from './evidence.ts';

/** What a command printed stands in two files when its streams are kept apart, else all of it in `output`. */
export const logStreams = ['output', 'stderr'] as const;
export type LogStream = (typeof logStreams)[number];

/** One command that ran, or runs, in a sandbox. */
export const sessionInfoSchema = z.object({
  id,
  plan: id,
  task: id,
  attempt: z.number().int().positive(),
  name: z.string(),
  argv: z.array(z.string()),
  startedAt: instant,
  timeoutSeconds: z.number(),
  attestation: attestationSchema,
  /** The arguments of the sandbox. */
  boundary: z.array(z.string()),
  streams: z.array(z.object({ name: z.enum(logStreams), bytes: z.number().int().nonnegative() })),
  /** Null while it runs, or when its host ended without a word. */
  exit: z
    .object({
      end: z.string(),
      exitCode: z.number().int().nullable(),
      signal: z.string().nullable(),
      seconds: z.number(),
      cpuSeconds: z.number().optional(),
      maxRssBytes: z.number().optional(),
      endedAt: instant,
    })
    .nullable(),
});
export type SessionInfo = z.infer<typeof sessionInfoSchema>;
export const sessionList = z.object({ sessions: z.array(sessionInfoSchema) });

const rowCount = z.object({ rows: z.number().int().nonnegative(), bytes: z.number().int().nonnegative() });

/** How far the log of a session has grown: the frames `grew` of the topic `session:<id>`. */
export const sessionGrowthSchema = z.object({ output: rowCount, stderr: rowCount, ended: z.boolean() });
export type SessionGrowth = z.infer<typeof sessionGrowthSchema>;

export const logQuery = z.object({
  stream: z.enum(logStreams).default('output'),
  /** Number of the first row, from 0; below 0 it counts from the end. */
  from: z.coerce.number().int().default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});
export type LogQuery = z.infer<typeof logQuery>;

/** Rows of a log as they were printed, escape sequences of terminals included. */
export const logRowsBody = z.object({
  ...rowCount.shape,
  ended: z.boolean(),
  from: z.number().int().nonnegative(),
  lines: z.array(z.string()),
});
export type LogRows = z.infer<typeof logRowsBody>;

export const logSearchQuery = z.object({
  stream: z.enum(logStreams).default('output'),
  text: z
    .string()
    .min(1)
    .max(200)
    .refine((value) => !/[\n\r]/.test(value), 'a row has no line break in it'),
});
export type LogSearchQuery = z.infer<typeof logSearchQuery>;

export const logHitsBody = z.object({
  total: z.number().int().nonnegative(),
  /** The first 10,000 of them. */
  rows: z.array(z.number().int().nonnegative()),
  searchedRows: z.number().int().nonnegative(),
  /** False when the time for searching was over before the end. */
  complete: z.boolean(),
});
export type LogHits = z.infer<typeof logHitsBody>;

export const logContentQuery = z.object({ stream: z.enum(logStreams).default('output') });

/** One setting of the daemon, and who has the last word on it. */
export const settingSchema = z.object({
  key: z.string(),
  value: z.unknown(),
  setBy: z.enum(['default', 'file', 'environment']),
  /** The variable that sets or lowers it. */
  variable: z.string().optional(),
});
export const configBody = z.object({ file: z.string(), settings: z.array(settingSchema) });
export type ShownConfig = z.infer<typeof configBody>;
