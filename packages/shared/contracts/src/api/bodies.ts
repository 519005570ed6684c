import * as z from 'zod';
import { EVENT_VERSION, eventTypes, type AssayEvent } from '../events/event.ts';
import { planStreamNames, type PlanStreamName } from '../plan-stream.ts';
import { artifactSchema } from '../records/artifact.ts';
import { id, instant, sha256 } from '../records/common.ts';
import { comparisonSchema } from '../records/comparison.ts';
import { evidenceSchema, mismatchSchema } from '../records/evidence.ts';
import { agentRoles, budgetSchema, intentTypes, planInputsSchema, planSchema } from '../records/plan.ts';
import { questSchema } from '../records/quest.ts';
import { secretName } from '../records/secret.ts';

/** The body of every answer that is not 2xx. */
export const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    why: z.string().optional(),
    hint: z.string().optional(),
    details: z.record(z.string(), z.unknown()),
  }),
});

export const healthQuery = z.object({
  /** Random hexadecimal digits that the answer proves itself with. */
  challenge: z
    .string()
    .regex(/^[0-9a-f]{32,64}$/)
    .optional(),
});

/** What anybody on this machine may know. */
export const healthBody = z.object({
  ok: z.literal(true),
  name: z.literal('assay'),
  version: z.string(),
  /** HMAC-SHA256 of `assay-health:<challenge>` with the token: only the daemon of this home can say it. */
  proof: z.string().optional(),
});
export type Health = z.infer<typeof healthBody>;

export const statusBody = z.object({
  version: z.string(),
  pid: z.number().int(),
  startedAt: instant,
  home: z.string(),
  quests: z.number().int(),
  plansRunning: z.number().int(),
});
export type Status = z.infer<typeof statusBody>;

export const doctorCheck = z.object({
  name: z.string(),
  status: z.enum(['ok', 'warning', 'failed']),
  /** What was found, in one line. */
  found: z.string(),
  why: z.string().optional(),
  hint: z.string().optional(),
});
export const doctorBody = z.object({ ok: z.boolean(), checks: z.array(doctorCheck) });
export type Doctor = z.infer<typeof doctorBody>;
export type DoctorCheck = z.infer<typeof doctorCheck>;

export const whyBody = z.object({ ref: z.string(), state: z.string(), sentence: z.string() });
export type Why = z.infer<typeof whyBody>;

/** Text that a file name, a row and a journal line can hold. */
const text = z.string().refine((value) => !value.includes('\0'), 'it contains a NUL character');

export const createQuestBody = z.strictObject({
  title: text.min(1).max(200),
  goal: text.max(20_000).default(''),
});
export const questSummary = questSchema.extend({
  root: z.string(),
  lastSeq: z.number().int(),
  lastActivityAt: instant,
  plans: z.array(z.object({ id, status: z.string(), intentType: z.enum(intentTypes) })),
  /** Set when the journal is damaged or read-only: what and where. */
  problem: z.string().nullable(),
});
export type QuestSummary = z.infer<typeof questSummary>;

/** Inputs as a caller says them: a member that is not known is a mistake, while a stored plan may have newer ones. */
const planInputsBody = planInputsSchema
  .extend({
    repository: text.optional(),
    ref: text.optional(),
    subfolder: text.optional(),
    secret: secretName.optional(),
    data: text.optional(),
    target: text.optional(),
    input: z.array(text).optional(),
    entrypoint: text.optional(),
    python: text.optional(),
    group: text.optional(),
    time: text.optional(),
    map: text.optional(),
  })
  .strict();

const createPlanMembers = z.strictObject({
  questId: id.optional(),
  intentType: z.enum(intentTypes).optional(),
  attachments: z
    .array(
      z
        .strictObject({ path: text.optional(), uploadId: text.optional() })
        .refine(({ path, uploadId }) => (path === undefined) !== (uploadId === undefined), 'name path or uploadId'),
    )
    .max(8)
    .default([]),
  inputs: planInputsBody.default({}),
  mode: z.enum(['smoke', 'full']).optional(),
  reuse: z.boolean().default(false),
  budget: budgetSchema.partial().strict().optional(),
  title: text.max(200).optional(),
});
export const createPlanBody = createPlanMembers.refine(namesOneDataFile, {
  path: ['attachments'],
  message: 'a benchmark takes one data file',
});
export type CreatePlan = z.infer<typeof createPlanBody>;

/** Which rows the plans of a protocol predict. */
export const protocolRows = ['held-out', 'all'] as const;

export const registerProtocolBody = z.strictObject({
  /** A new quest when absent. */
  questId: id.optional(),
  title: text.max(200).optional(),
  /** Data, target and what else the evaluation depends on; not the repository. */
  inputs: planInputsBody.omit({
    repository: true,
    ref: true,
    subfolder: true,
    secret: true,
    entrypoint: true,
    map: true,
    protocol: true,
  }),
  /** `held-out`: rows that no repository was trained on. `all`: every row; what must be trained is refused. */
  rows: z.enum(protocolRows).default('held-out'),
});
export type RegisterProtocol = z.infer<typeof registerProtocolBody>;
export const registeredProtocol = z.object({
  questId: id,
  /** The artifact that plans name as `inputs.protocol`. */
  artifactId: id,
  /** What all plans under the protocol register before their run. */
  sha256,
  primary: z.string().nullable(),
  rows: z.number().int(),
});
export type RegisteredProtocol = z.infer<typeof registeredProtocol>;

export const comparePlansBody = z.strictObject({ plans: z.array(id).min(1).max(10) });
export const comparisonResult = z.object({
  comparison: comparisonSchema,
  verified: z.object({ ok: z.number().int(), total: z.number().int() }),
  /** Absolute path of the rendered report. */
  report: z.string(),
});
export type ComparisonResult = z.infer<typeof comparisonResult>;

const comparisonSummary = z.object({
  id,
  quest: id,
  createdAt: instant,
  /** The name of the data file. */
  dataset: z.string(),
  primary: z.string(),
  candidates: z.array(z.object({ plan: id, name: z.string(), rank: z.number().int() })),
  notCompared: z.array(z.object({ plan: id, name: z.string() })),
  /** The first sentence of what was concluded. */
  conclusion: z.string(),
});
export type ComparisonSummary = z.infer<typeof comparisonSummary>;
export const comparisonList = z.object({
  comparisons: z.array(comparisonSummary),
  nextCursor: z.string().nullable(),
});

export const planBody = z.object({ plan: planSchema });
export const approveBody = z.strictObject({ budget: budgetSchema.strict().optional() }).default({});
export const cancelBody = z
  .strictObject({ reason: text.max(500).default('canceled by the user') })
  .default({ reason: 'canceled by the user' });
export const clarifyBody = z.strictObject({ answer: text.min(1) });
export const reassignBody = z.strictObject({ assignedTo: z.enum(agentRoles) });
export const acceptedBody = z.object({ planId: id, status: z.string() });

function namesOneDataFile({ intentType, attachments, inputs }: z.infer<typeof createPlanMembers>): boolean {
  const isBenchmark = intentType === undefined || intentType === 'Custom_Benchmark';
  return !isBenchmark || attachments.length + (inputs.data === undefined ? 0 : 1) <= 1;
}

/** A link that opens the page once; its code stands behind `#`, so no server or log sees it. */
export const linkBody = z.object({ url: z.string(), expiresAt: instant });
export const redeemLinkBody = z.strictObject({ code: z.string().regex(/^[A-Za-z0-9_-]{43}$/) });
export const redeemedBody = z.object({ token: z.string() });

/** Topics of one stream: `home`, `plan:<id>`, `quest:<id>`, `session:<id>`. */
export const MAX_TOPICS = 20;
const topic = z.string().regex(/^(home|(plan|quest|session):[A-Za-z0-9_]{1,80})$/);
export const topicsQuery = z.object({
  topics: z
    .string()
    .transform((value) => [...new Set(value.split(','))])
    .pipe(z.array(topic).min(1).max(MAX_TOPICS)),
});

export const metricInterval = z.tuple([z.number(), z.number()]);
/** What the demo and `assay benchmark --json` print. */
export const benchmarkResult = z.object({
  /** Null when the request was refused before a plan was made. */
  planId: id.nullable(),
  questId: id.nullable(),
  status: z.string(),
  metrics: z.record(z.string(), z.number()),
  intervals: z.record(z.string(), metricInterval),
  probes: z.record(
    z.string(),
    z.object({ passed: z.boolean(), metric: z.string(), value: z.number().nullable(), expected: z.string() }),
  ),
  verified: z.object({ ok: z.number().int(), total: z.number().int() }),
  /** What was called, as `module:function` or `module:Class.method`, once the preflight has passed. */
  entrypoint: z.string().nullable().optional(),
  /** What else was recognised, the best first. */
  otherEntrypoints: z.array(z.string()).optional(),
  /** What the repository's answers are called in the data, and what speaks for it; null when they are taken as they are. */
  labels: z.object({ map: z.string(), evidence: z.string() }).nullable().optional(),
  /** What a person should know about task, columns and readings. */
  notes: z.array(z.string()).optional(),
  /** Absolute path of the rendered report, null when none was made. */
  report: z.string().nullable(),
  /** What the plan worked; waiting for a person or a restart is not counted. */
  seconds: z.number(),
  /** From the start of its first task to the end of its last. */
  wallSeconds: z.number().optional(),
  error: errorBody.shape.error.optional(),
});
export type BenchmarkResult = z.infer<typeof benchmarkResult>;

export const verificationBody = z.object({
  ok: z.number().int(),
  total: z.number().int(),
  mismatches: z.array(mismatchSchema),
});

export const pageQuery = z.object({
  cursor: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
/** Of one quest, or of all. */
export const comparisonsQuery = pageQuery.extend({ quest: id.optional() });
export const eventsQuery = z.object({
  format: z.enum(['raw']).default('raw'),
  after: z.coerce.number().int().min(0).default(0),
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(10_000).default(1000),
});
export type EventsQuery = z.infer<typeof eventsQuery>;

const eventLine = {
  type: 'object',
  required: ['v', 'seq', 'id', 'at', 'type', 'quest', 'scope', 'trace', 'span', 'data'],
  properties: {
    v: { const: EVENT_VERSION },
    seq: { type: 'integer', minimum: 1 },
    id: { type: 'string' },
    at: { type: 'string', format: 'date-time' },
    type: { enum: eventTypes },
    quest: { type: 'string' },
    scope: { type: 'object' },
    trace: { type: 'string' },
    span: { type: 'string' },
    cause: { type: 'string' },
    data: { type: 'object' },
  },
} as const;

/** A journal line as JSON. Writers check it with `parseEvent`; here it is described for the OpenAPI document. */
export const eventBody = z.custom<AssayEvent>().meta({ ...eventLine });
export const eventsBody = z.object({
  generation: z.number().int(),
  events: z.array(eventBody),
  lastSeq: z.number().int(),
});

/** A journal line of a plan with its name in the plan protocol beside it. */
export type PlanStreamEvent = AssayEvent & { readonly event: PlanStreamName };
export const planEventBody = z.custom<PlanStreamEvent>().meta({
  ...eventLine,
  required: [...eventLine.required, 'event'],
  properties: { ...eventLine.properties, event: { enum: Object.values(planStreamNames) } },
});
export const planEventsBody = z.object({
  generation: z.number().int(),
  events: z.array(planEventBody),
  lastSeq: z.number().int(),
});

export const questList = z.object({ quests: z.array(questSummary), nextCursor: z.string().nullable() });
export const planList = z.object({ plans: z.array(planSchema), nextCursor: z.string().nullable() });
export const artifactList = z.object({ artifacts: z.array(artifactSchema), nextCursor: z.string().nullable() });
export const evidenceList = z.object({ evidence: z.array(evidenceSchema), nextCursor: z.string().nullable() });
