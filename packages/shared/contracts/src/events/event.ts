import * as z from 'zod';
import { migrateRecord } from '../migrate.ts';
import {
  budgetSchema,
  clarificationSchema,
  planSchema,
  agentRoles,
  planInputsSchema,
  taskUsageSchema,
} from '../records/plan.ts';
import { artifactKey, failure, id, instant, sha256 } from '../records/common.ts';

const taskEvent = { executionId: id, epoch: z.number().int().nonnegative() };
const sessionEnd = z.enum([
  'exited',
  'signaled',
  'timed_out',
  'out_of_memory',
  'output_limit',
  'killed',
  'setup_failed',
  'lost',
]);

/**
 * The data of every event type: a closed union. A type is added here and never changes its meaning;
 * an older shape is migrated on read by `migrateEvent`.
 */
export const eventData = {
  'quest.created': z.object({ title: z.string(), goal: z.string() }),
  'quest.opened': z.object({ notes: z.array(z.string()) }),
  'plan.created': z.object({ plan: planSchema }),
  'plan.clarified': z.object({
    answer: z.string(),
    by: z.string(),
    inputs: planInputsSchema,
    /** The question that the answer leaves open, or brings up. */
    next: clarificationSchema.optional(),
  }),
  /** A running task cannot go on without an answer: it is pending again, the run is not counted, and the plan waits. */
  'plan.question_asked': z.object({ ...taskEvent, clarification: clarificationSchema }),
  'plan.approved': z.object({ by: z.string(), budget: budgetSchema.optional() }),
  'plan.started': z.object({ by: z.string() }),
  'plan.resumed': z.object({ by: z.string(), reason: z.string() }),
  /** Active time counts up to `activeUntil`, the last sign of life before the interruption. */
  'plan.interrupted': z.object({ reason: z.string(), activeUntil: instant }),
  'plan.task_ready': z.object({ inputs: z.array(z.object({ key: artifactKey, artifactId: id })) }),
  'plan.task_started': z.object({
    ...taskEvent,
    leaseOwner: z.string(),
    leaseExpiresAt: instant,
    /** 1 for the first run of the task; names the attempt directory. */
    attempt: z.number().int().positive(),
  }),
  'plan.task_rebound': z.object({ ...taskEvent, leaseOwner: z.string(), leaseExpiresAt: instant }),
  /** After a restart: nothing of the execution is left, the task is pending again and the run is not counted. */
  'plan.task_released': z.object({ ...taskEvent, reason: z.string() }),
  'plan.task_log': z.object({
    executionId: id,
    level: z.enum(['info', 'warn', 'error']),
    /** At most 4 KiB; output of commands is only referred to. */
    message: z.string().max(4096),
    output: z.object({ session: id, offset: z.number(), length: z.number() }).optional(),
  }),
  'plan.artifact_created': z.object({ executionId: id, key: artifactKey, artifactId: id, type: z.string() }),
  'plan.task_completed': z.object({
    ...taskEvent,
    leaseOwner: z.string(),
    outputs: z.record(z.string(), id),
    summary: z.string(),
    usage: taskUsageSchema.optional(),
  }),
  'plan.task_retrying': z.object({
    ...taskEvent,
    error: failure,
    runCount: z.number().int(),
    retryLimit: z.number().int(),
    usage: taskUsageSchema.optional(),
  }),
  'plan.task_failed': z.object({ ...taskEvent, error: failure, usage: taskUsageSchema.optional() }),
  'plan.task_blocked': z.object({ upstream: id, reason: z.string() }),
  'plan.task_skipped': z.object({ reason: z.string() }),
  'plan.task_result_discarded': z.object({ ...taskEvent, leaseOwner: z.string(), reason: z.string() }),
  'plan.task_retry_requested': z.object({ by: z.string(), reset: z.array(id) }),
  'plan.task_reassigned': z.object({ by: z.string(), assignedTo: z.enum(agentRoles) }),
  'plan.completed': z.object({ summary: z.string() }),
  'plan.failed': z.object({ error: failure }),
  'plan.canceled': z.object({ by: z.string(), reason: z.string(), budget: z.string().optional() }),
  'session.started': z.object({ name: z.string(), backend: z.string(), dir: z.string() }),
  'session.ended': z.object({ end: sessionEnd, exitCode: z.number().int().nullable(), seconds: z.number() }),
  /** What a session with allowed hosts asked for, at its end: by host, at most 100. Its full log is in its folder. */
  'session.network': z.object({
    hosts: z
      .array(
        z.object({
          host: z.string().max(300),
          port: z.number().int().nullable(),
          verdict: z.enum(['allowed', 'refused', 'failed']),
          addresses: z.array(z.string()).readonly(),
          connections: z.number().int(),
          bytesUp: z.number(),
          bytesDown: z.number(),
          reason: z.string().max(300).optional(),
        }),
      )
      .max(100)
      .readonly(),
    moreHosts: z.number().int(),
  }),
  'artifact.published': z.object({
    artifactId: id,
    key: z.string(),
    type: z.string(),
    record: z.string(),
    /** Of the artifact's bytes, or of the canonical JSON of its value. */
    sha256: sha256.optional(),
    /** Of the record's bytes: what else it says (producer, citations, metadata) is held by it. Older journals have none. */
    recordSha256: sha256.optional(),
  }),
  'evidence.recorded': z.object({
    evidenceId: id,
    metric: z.string(),
    value: z.number(),
    record: z.string(),
    /** Of the record's bytes. */
    sha256: sha256.optional(),
  }),
  'comparison.made': z.object({
    comparisonId: id,
    artifactId: id,
    plans: z.array(id),
    family: z.number().int().positive(),
  }),
  'git.committed': z.object({ commit: z.string(), files: z.number().int() }),
} as const;

export type EventType = keyof typeof eventData;
export const eventTypes = Object.keys(eventData) as readonly EventType[];
export type EventData<T extends EventType> = z.infer<(typeof eventData)[T]>;

export const scopeSchema = z.object({
  plan: id.optional(),
  task: id.optional(),
  run: id.optional(),
  turn: id.optional(),
  session: id.optional(),
  comparison: id.optional(),
});
export type EventScope = z.infer<typeof scopeSchema>;

/** Version of the line format that this code writes. */
export const EVENT_VERSION = 1;

const envelopeSchema = z.object({
  v: z.literal(EVENT_VERSION),
  seq: z.number().int().positive(),
  id,
  at: instant,
  type: z.string(),
  quest: id,
  scope: scopeSchema,
  trace: id,
  span: id,
  cause: id.optional(),
  data: z.unknown(),
});

interface Envelope<T extends EventType> {
  readonly v: 1;
  /** Dense per journal, from 1. */
  readonly seq: number;
  readonly id: string;
  readonly at: string;
  readonly type: T;
  readonly quest: string;
  readonly scope: EventScope;
  readonly trace: string;
  readonly span: string;
  readonly cause?: string;
  readonly data: EventData<T>;
}

/** One line of a journal. */
export type AssayEvent = { [T in EventType]: Envelope<T> }[EventType];
export type EventOf<T extends EventType> = Extract<AssayEvent, { readonly type: T }>;

/** What a writer says; the store adds `v`, `seq`, `id`, `at` and `quest`. */
export type EventDraft = {
  [T in EventType]: {
    readonly type: T;
    readonly scope?: EventScope;
    readonly trace?: string;
    readonly span?: string;
    readonly cause?: string;
    readonly data: EventData<T>;
  };
}[EventType];

/** The checked copy of a draft's data, without members that its type does not have. Throws a ZodError that names the field. */
export function checkDraft(draft: EventDraft): EventData<EventType> {
  const schema = eventData[draft.type] as (typeof eventData)[EventType] | undefined;
  if (schema === undefined) throw new Error(`unknown event type ${draft.type as string}`);
  return schema.parse(draft.data);
}

/**
 * Brings a parsed line of any known version to the current one and checks it.
 * Throws `record_newer` for a newer version and a ZodError for anything else that does not fit.
 */
export function parseEvent(line: unknown): AssayEvent {
  const envelope = envelopeSchema.parse(migrateEvent(line));
  const data = eventData[envelope.type as EventType] as z.ZodType | undefined;
  if (data === undefined) throw new Error(`unknown event type ${envelope.type}`);
  return { ...envelope, data: data.parse(envelope.data) } as AssayEvent;
}

/** Version steps of event lines: entry n brings version n to n + 1. The first version is 1, so there is none yet. */
const migrations: ReadonlyMap<number, (line: Record<string, unknown>) => Record<string, unknown>> = new Map();

function migrateEvent(line: unknown): unknown {
  return migrateRecord(line, { kind: 'event', current: EVENT_VERSION, migrations });
}
