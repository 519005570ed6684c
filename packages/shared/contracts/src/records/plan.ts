import * as z from 'zod';
import { readingOptions } from './dataset-manifest.ts';
import { artifactKey, failure, id, instant } from './common.ts';

export const planStatuses = ['awaiting_approval', 'pending', 'in_progress', 'completed', 'failed', 'canceled'] as const;
export type PlanStatus = (typeof planStatuses)[number];

export const taskStatuses = [
  'pending',
  'ready',
  'in_progress',
  'completed',
  'failed',
  'blocked',
  'skipped',
  'canceled',
] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export const intentTypes = [
  'Custom_Benchmark',
  'Paper_Reproduction',
  'Framework_Evaluation',
  'Code_Execution',
  'General',
] as const;
export type IntentType = (typeof intentTypes)[number];

export const agentRoles = ['librarian', 'coder', 'sandbox', 'data', 'benchmark_adapter', 'general'] as const;
export type AgentRole = (typeof agentRoles)[number];

export const taskContract = z.object({
  version: z.string(),
  inputArtifacts: z.array(artifactKey),
  outputArtifacts: z.array(artifactKey),
  allowedTools: z.array(z.string()),
});

export const taskSchema = z.object({
  id,
  name: z.string(),
  type: z.string(),
  description: z.string(),
  assignedTo: z.enum(agentRoles),
  status: z.enum(taskStatuses),
  /** Ids of tasks that must be completed first. */
  dependencies: z.array(id),
  requiredArtifacts: z.array(artifactKey),
  outputArtifacts: z.array(artifactKey),
  parallelizable: z.boolean(),
  /** Higher runs first. */
  priority: z.number(),
  /** Automatic retries after the first failure. */
  retryLimit: z.number().int().nonnegative(),
  /** Runs that count against `retryLimit`: reset by a person's retry, not counted when the daemon ended it. */
  runCount: z.number().int().nonnegative(),
  /** Number of the current or last attempt, 0 before the first. Never used twice, so it names the attempt directory. */
  attempt: z.number().int().nonnegative(),
  executionId: id.nullable(),
  executionEpoch: z.number().int().nonnegative(),
  leaseOwner: z.string().nullable(),
  leaseExpiresAt: instant.nullable(),
  timeoutSeconds: z.number().positive(),
  contract: taskContract,
  inputs: z.record(z.string(), z.unknown()),
  error: failure.nullable(),
  /** For a blocked task: the failed task upstream. */
  blockedBy: id.nullable(),
  summary: z.string().nullable(),
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
});
export type Task = z.infer<typeof taskSchema>;
export type TaskContract = z.infer<typeof taskContract>;

export const edgeSchema = z.object({
  id,
  from: id,
  to: id,
  kind: z.enum(['control', 'data']),
  /** The artifact that a data edge carries. */
  artifact: artifactKey.optional(),
});
export type Edge = z.infer<typeof edgeSchema>;

/** What one execution of a task used of a model. */
export const taskUsageSchema = z.object({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  costUsd: z.number().nonnegative(),
});
export type TaskUsage = z.infer<typeof taskUsageSchema>;

export const budgetSchema = z.object({
  maxTaskAttempts: z.number().int().positive(),
  /** Active running time, not wall time since creation. */
  maxDurationSeconds: z.number().positive(),
  /** What a session may write, in bytes; the limit of the home when absent. */
  maxDiskBytes: z.number().int().positive().optional(),
  maxTokens: z.number().int().positive().optional(),
  maxCostUsd: z.number().positive().optional(),
});
export type Budget = z.infer<typeof budgetSchema>;
export const defaultBudget: Budget = { maxTaskAttempts: 100, maxDurationSeconds: 2100 };

export const clarificationSchema = z.object({
  question: z.string(),
  /** Which key of `inputs` the answer sets, such as `target`. */
  field: z.string(),
  options: z.array(z.object({ value: z.string(), label: z.string(), default: z.boolean().optional() })),
  answer: z.string().nullable(),
  /** True when the options are only proposals and another answer will do too. */
  open: z.boolean().optional(),
});
export type Clarification = z.infer<typeof clarificationSchema>;

/** What the user said of a benchmark; what stands here is never guessed. */
export const planInputsSchema = z.object({
  /** Absolute path of a folder or a git repository on this machine, an address of a git repository, or a package. */
  repository: z.string().optional(),
  /** Branch, tag or commit of a git repository. */
  ref: z.string().optional(),
  /** The folder of the repository that counts as the repository. */
  subfolder: z.string().optional(),
  /** Name of the secret of this home that opens a private repository; never its value. */
  secret: z.string().optional(),
  /** Absolute path of the data file. */
  data: z.string().optional(),
  target: z.string().optional(),
  input: z.array(z.string()).optional(),
  task: z.enum(['classification', 'regression']).optional(),
  /** Which entry point is called, as `module:function`, `module:Class.method`, `file:path` or `cli:command line`; the best recognised one when absent. */
  entrypoint: z.string().optional(),
  /** What the repository's answers are called in the data: `0=setosa,1=versicolor`; see `parseLabelMap`. */
  map: z.string().optional(),
  /** Path or name of the interpreter; chosen by what the repository demands when absent. */
  python: z.string().optional(),
  /** False: no package is installed; a repository that needs one is refused. */
  install: z.boolean().optional(),
  /** At most this many rows are predicted. */
  limit: z.number().int().positive().optional(),
  /** Rows with the same value in this column never stand on both sides of a split. */
  group: z.string().optional(),
  /** Training rows come before the others in the order of this column. */
  time: z.string().optional(),
  ...readingOptions.shape,
  /** The artifact of a protocol that was registered in the quest before: data and evaluation are taken from it. */
  protocol: z.string().optional(),
});
export type PlanInputs = z.infer<typeof planInputsSchema>;

export const countsSchema = z.object({
  total: z.number().int(),
  completed: z.number().int(),
  failed: z.number().int(),
  blocked: z.number().int(),
  inProgress: z.number().int(),
  ready: z.number().int(),
});

const neededAndFound = z.object({ needs: z.number().nonnegative(), found: z.number().nonnegative() });

/** What is shown before somebody approves a full run. The plan's `budget` is the proposal until then. */
export const approvalProposalSchema = z.object({
  /** What a full run needs by the configuration, and what this machine has. Memory and disk in bytes. */
  probe: z.object({ cpus: neededAndFound, memory: neededAndFound, disk: neededAndFound, gpus: neededAndFound }),
  /** Of these there is less than a full run needs. */
  lacking: z.array(z.enum(['cpus', 'memory', 'disk', 'gpus'])),
  /** Null: no model is asked, so that nothing is known of a cost in money, and none is made up. */
  costUsd: z.null(),
});
export type ApprovalProposal = z.infer<typeof approvalProposalSchema>;

export const planSchema = z.object({
  v: z.literal(1),
  id,
  questId: id,
  userIntent: z.string(),
  intentType: z.enum(intentTypes),
  status: z.enum(planStatuses),
  ownerId: z.string(),
  traceId: id,
  approval: z.object({
    required: z.boolean(),
    status: z.enum(['not_required', 'pending', 'approved']),
    reason: z.string().nullable(),
    approvedBy: z.string().nullable(),
    approvedAt: instant.nullable(),
    /** Of full runs. */
    proposal: approvalProposalSchema.optional(),
  }),
  budget: budgetSchema,
  usage: z.object({
    taskAttempts: z.number().int().nonnegative(),
    activeSeconds: z.number().nonnegative(),
    inputTokens: z.number().int().nonnegative(),
    outputTokens: z.number().int().nonnegative(),
    costUsd: z.number().nonnegative(),
  }),
  mode: z.enum(['smoke', 'full']).optional(),
  reuse: z.boolean(),
  inputs: planInputsSchema,
  clarification: clarificationSchema.nullable(),
  /** True after a restart that found the plan in progress, until it resumes. */
  interrupted: z.boolean(),
  /** Since when the plan is in progress; null while it is not. */
  activeSince: instant.nullable(),
  error: failure.nullable(),
  /**
   * Why nothing of the plan goes on although it is in progress, such as a journal that cannot be written. Only in answers:
   * it is no part of the record.
   */
  problem: failure.optional(),
  tasks: z.array(taskSchema),
  edges: z.array(edgeSchema),
  /** Artifact key to artifact id. */
  artifacts: z.record(z.string(), id),
  counts: countsSchema,
  createdAt: instant,
  updatedAt: instant,
});
export type Plan = z.infer<typeof planSchema>;
