import * as z from 'zod';
import { artifactSchema } from '../records/artifact.ts';
import { evidenceSchema } from '../records/evidence.ts';
import { dataPreviewSchema, profileDataBody } from '../records/data-preview.ts';
import { secretBody, secretList, setSecretBody } from '../records/secret.ts';
import { uploadList, uploadSchema } from '../records/upload.ts';
import * as l from '../records/session.ts';
import * as b from './bodies.ts';
import { evidenceRowsBody, evidenceRowsQuery, residualsBody } from './evidence-rows.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Hono and OpenAPI both are derived from `:name` segments. */
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Absent for files and streams. */
  readonly response?: z.ZodType;
  readonly status?: 200 | 201 | 202;
  /**
   * `sse`: a stream; `json-or-sse`: a stream when the client accepts `text/event-stream`; `file`: bytes; `upload`: one file
   * as multipart/form-data is sent, and the answer is JSON.
   */
  readonly kind?: 'json' | 'sse' | 'json-or-sse' | 'file' | 'upload';
  /** Answered without a token. */
  readonly open?: boolean;
}

/** Every route of the HTTP interface: the server, the client and the OpenAPI document are made from this table. */
export const routes = {
  health: {
    method: 'GET',
    path: '/api/health',
    summary: 'Whether a daemon answers here, and on a challenge the proof that it knows the token',
    query: b.healthQuery,
    response: b.healthBody,
    open: true,
  },
  status: {
    method: 'GET',
    path: '/api/status',
    summary: 'Which process serves which home, and what it does',
    response: b.statusBody,
  },
  doctor: {
    method: 'GET',
    path: '/api/doctor',
    summary: 'What this machine can run, and what is missing',
    response: b.doctorBody,
  },
  openapi: {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This interface as an OpenAPI 3.1 document',
    response: z.record(z.string(), z.unknown()),
  },
  why: {
    method: 'GET',
    path: '/api/why',
    summary: 'One sentence that explains a state',
    query: z.object({ ref: z.string().min(1) }),
    response: b.whyBody,
  },
  getConfig: {
    method: 'GET',
    path: '/api/config',
    summary: 'Every setting of the daemon, and where it is set; no secret',
    response: l.configBody,
  },
  shutdown: {
    method: 'POST',
    path: '/api/shutdown',
    summary: 'Stop the daemon; sessions go on',
    response: z.object({ ok: z.literal(true) }),
  },

  listSecrets: {
    method: 'GET',
    path: '/api/secrets',
    summary: 'Names and hosts of the secrets; never a value',
    response: secretList,
  },
  setSecret: {
    method: 'POST',
    path: '/api/secrets',
    summary: 'Keep a password for one host',
    body: setSecretBody,
    response: secretBody,
  },
  removeSecret: {
    method: 'POST',
    path: '/api/secrets/:secret/remove',
    summary: 'Forget a secret',
    response: secretBody,
  },
  createLink: {
    method: 'POST',
    path: '/api/link',
    summary: 'A link that opens the page once, within ten minutes',
    response: b.linkBody,
    status: 201,
  },
  redeemLink: {
    method: 'POST',
    path: '/api/link/redeem',
    summary: 'Trade the code of a link for a token; a code works once',
    body: b.redeemLinkBody,
    response: b.redeemedBody,
    open: true,
  },
  stream: {
    method: 'GET',
    path: '/api/stream',
    summary: 'Several topics over one connection, resumable by Last-Event-ID',
    query: b.topicsQuery,
    kind: 'sse',
  },

  listQuests: {
    method: 'GET',
    path: '/api/quests',
    summary: 'Quests, newest activity first',
    query: b.pageQuery,
    response: b.questList,
  },
  createQuest: {
    method: 'POST',
    path: '/api/quests',
    summary: 'Open a quest',
    body: b.createQuestBody,
    response: b.questSummary,
    status: 201,
  },
  getQuest: { method: 'GET', path: '/api/quests/:quest', summary: 'One quest', response: b.questSummary },
  listArtifacts: {
    method: 'GET',
    path: '/api/quests/:quest/artifacts',
    summary: 'Artifacts of a quest',
    query: b.pageQuery,
    response: b.artifactList,
  },
  getArtifact: {
    method: 'GET',
    path: '/api/quests/:quest/artifacts/:artifact',
    summary: 'One artifact record',
    response: artifactSchema,
  },
  artifactContent: {
    method: 'GET',
    path: '/api/quests/:quest/artifacts/:artifact/content',
    summary: 'The bytes of an artifact',
    kind: 'file',
  },
  listEvidence: {
    method: 'GET',
    path: '/api/quests/:quest/evidence',
    summary: 'Evidence of a quest',
    query: b.pageQuery,
    response: b.evidenceList,
  },
  getEvidence: {
    method: 'GET',
    path: '/api/quests/:quest/evidence/:evidence',
    summary: 'One evidence record',
    response: evidenceSchema,
  },
  verifyEvidence: {
    method: 'POST',
    path: '/api/quests/:quest/evidence/:evidence/verify',
    summary: 'Recompute one number',
    response: b.verificationBody,
  },
  evidenceRows: {
    method: 'GET',
    path: '/api/quests/:quest/evidence/:evidence/rows',
    summary: 'The rows that a number was computed from',
    query: evidenceRowsQuery,
    response: evidenceRowsBody,
  },
  evidenceResiduals: {
    method: 'GET',
    path: '/api/quests/:quest/evidence/:evidence/residuals',
    summary: 'Predicted and actual values of a regression, and how their differences are spread',
    response: residualsBody,
  },
  questEvents: {
    method: 'GET',
    path: '/api/quests/:quest/events',
    summary: 'The journal, as JSON or as a stream',
    query: b.eventsQuery,
    response: b.eventsBody,
    kind: 'json-or-sse',
  },
  listSessions: {
    method: 'GET',
    path: '/api/quests/:quest/sessions',
    summary: 'Commands of a plan or one of its tasks, with the boundary around each',
    query: z.object({ plan: z.string().min(1), task: z.string().min(1).optional() }),
    response: l.sessionList,
  },
  sessionLog: {
    method: 'GET',
    path: '/api/quests/:quest/sessions/:session/log',
    summary: 'Rows of what a command printed, by number',
    query: l.logQuery,
    response: l.logRowsBody,
  },
  searchSessionLog: {
    method: 'GET',
    path: '/api/quests/:quest/sessions/:session/log/search',
    summary: 'The rows in which a text stands; small letters find capitals too',
    query: l.logSearchQuery,
    response: l.logHitsBody,
  },
  sessionLogContent: {
    method: 'GET',
    path: '/api/quests/:quest/sessions/:session/log/content',
    summary: 'The bytes of a log, or a range of them',
    query: l.logContentQuery,
    kind: 'file',
  },
  verifyQuest: {
    method: 'POST',
    path: '/api/quests/:quest/verify',
    summary: 'Recompute every number of a quest',
    response: b.verificationBody,
  },

  createUpload: {
    method: 'POST',
    path: '/api/uploads',
    summary: 'Send one data file; it is kept for some days',
    response: uploadSchema,
    status: 201,
    kind: 'upload',
  },
  listUploads: {
    method: 'GET',
    path: '/api/uploads',
    summary: 'Files that the caller has sent, newest first, and what may be sent',
    query: b.pageQuery,
    response: uploadList,
  },
  uploadContent: {
    method: 'GET',
    path: '/api/uploads/:upload/content',
    summary: 'The bytes of a sent file',
    kind: 'file',
  },
  removeUpload: {
    method: 'DELETE',
    path: '/api/uploads/:upload',
    summary: 'Remove a sent file',
    response: uploadSchema,
  },
  profileData: {
    method: 'POST',
    path: '/api/data/profile',
    summary: 'What is in a data file, before any plan',
    body: profileDataBody,
    response: dataPreviewSchema,
  },

  createPlan: {
    method: 'POST',
    path: '/api/plan',
    summary: 'Create a plan',
    body: b.createPlanBody,
    response: b.planBody,
    status: 201,
  },
  registerProtocol: {
    method: 'POST',
    path: '/api/protocols',
    summary: 'Fix how plans that are to be compared will be judged, before any of them runs',
    body: b.registerProtocolBody,
    response: b.registeredProtocol,
    status: 201,
  },
  comparePlans: {
    method: 'POST',
    path: '/api/comparisons',
    summary: 'Compare plans of one quest and protocol, and write the report',
    body: b.comparePlansBody,
    response: b.comparisonResult,
    status: 201,
  },
  listComparisons: {
    method: 'GET',
    path: '/api/comparisons',
    summary: 'Comparisons that were made, newest first',
    query: b.comparisonsQuery,
    response: b.comparisonList,
  },
  getComparison: {
    method: 'GET',
    path: '/api/comparisons/:comparison',
    summary: 'One comparison, with how many of its numbers verify now',
    response: b.comparisonResult,
  },
  listPlans: {
    method: 'GET',
    path: '/api/plans',
    summary: 'Plans of the caller, newest first',
    query: b.pageQuery,
    response: b.planList,
  },
  getPlan: { method: 'GET', path: '/api/plans/:plan', summary: 'One plan', response: b.planBody },
  planEvents: {
    method: 'GET',
    path: '/api/plans/:plan/events',
    summary: 'Events of one plan under their stream names',
    query: b.eventsQuery,
    response: b.planEventsBody,
  },
  planStream: {
    method: 'GET',
    path: '/api/plans/:plan/stream',
    summary: 'Events of one plan as a stream, resumable by Last-Event-ID',
    query: z.object({ after: z.string().optional() }),
    kind: 'sse',
  },
  executePlan: {
    method: 'POST',
    path: '/api/plans/:plan/execute',
    summary: 'Start a pending plan',
    response: b.acceptedBody,
    status: 202,
  },
  approvePlan: {
    method: 'POST',
    path: '/api/plans/:plan/approve',
    summary: 'Approve a plan that waits for it',
    body: b.approveBody,
    response: b.planBody,
  },
  cancelPlan: {
    method: 'POST',
    path: '/api/plans/:plan/cancel',
    summary: 'Cancel a plan and end its processes',
    body: b.cancelBody,
    response: b.planBody,
  },
  resumePlan: {
    method: 'POST',
    path: '/api/plans/:plan/resume',
    summary: 'Go on with an interrupted plan',
    response: b.acceptedBody,
    status: 202,
  },
  clarifyPlan: {
    method: 'POST',
    path: '/api/plans/:plan/clarify',
    summary: 'Answer the question of a plan',
    body: b.clarifyBody,
    response: b.planBody,
  },
  planResult: {
    method: 'GET',
    path: '/api/plans/:plan/result',
    summary: 'Metrics, intervals, probes and verification of a benchmark',
    response: b.benchmarkResult,
  },
  verifyPlan: {
    method: 'POST',
    path: '/api/plans/:plan/verify',
    summary: 'Recompute every number of a plan',
    response: b.verificationBody,
  },
  retryTask: {
    method: 'POST',
    path: '/api/plans/:plan/tasks/:task/retry',
    summary: 'Reset a failed, blocked or canceled task and what depends on it',
    response: b.planBody,
  },
  reassignTask: {
    method: 'POST',
    path: '/api/plans/:plan/tasks/:task/reassign',
    summary: 'Give a task to another role',
    body: b.reassignBody,
    response: b.planBody,
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;

/** `{ quest: string; artifact: string }` for `/api/quests/:quest/artifacts/:artifact`. */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [K in Name]: string } & PathParams<Rest>
  : Path extends `${string}:${infer Name}`
    ? { readonly [K in Name]: string }
    : unknown;

type SchemaOf<R extends RouteName, Part extends 'query' | 'body' | 'response'> = (typeof routes)[R] extends {
  readonly [K in Part]: infer S extends z.ZodType;
}
  ? S
  : undefined;

/** What a handler receives after parsing; `undefined` where the route takes nothing. */
export type RouteOutput<R extends RouteName, Part extends 'query' | 'body' | 'response'> =
  SchemaOf<R, Part> extends infer S extends z.ZodType ? z.output<S> : undefined;

/** What a caller may write before defaults are filled in. */
export type RouteInput<R extends RouteName, Part extends 'query' | 'body'> =
  SchemaOf<R, Part> extends infer S extends z.ZodType ? z.input<S> : undefined;

/** Heartbeat of every stream in milliseconds. */
export const SSE_HEARTBEAT_MS = 15_000;
