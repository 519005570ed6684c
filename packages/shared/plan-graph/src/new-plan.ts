import {
  type ApprovalProposal,
  defaultBudget,
  type AgentRole,
  type Budget,
  type Clarification,
  type IntentType,
  type Plan,
  type PlanInputs,
  type Task,
} from '@assay/contracts';
import { isoTime } from '@assay/foundation';
import { deriveEdges } from './derive-edges.ts';

/** What a template or a planner says of a task; everything else has a default or is runtime state. */
export interface TaskDraft {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly assignedTo: AgentRole;
  readonly description?: string;
  readonly dependencies?: readonly string[];
  readonly requiredArtifacts?: readonly string[];
  readonly outputArtifacts?: readonly string[];
  /** Default true. */
  readonly parallelizable?: boolean;
  /** Default 0; higher runs first. */
  readonly priority?: number;
  /** Default 1. */
  readonly retryLimit?: number;
  /** Default 600. */
  readonly timeoutSeconds?: number;
  /** Default `v1`. */
  readonly contractVersion?: string;
  readonly allowedTools?: readonly string[];
  readonly inputs?: Readonly<Record<string, unknown>>;
}

/** A task that has not run; its contract is completed from what it needs and gives. */
export function newTask(draft: TaskDraft): Task {
  const requiredArtifacts = [...(draft.requiredArtifacts ?? [])];
  const outputArtifacts = [...(draft.outputArtifacts ?? [])];
  return {
    id: draft.id,
    name: draft.name,
    type: draft.type,
    description: draft.description ?? '',
    assignedTo: draft.assignedTo,
    status: 'pending',
    dependencies: [...(draft.dependencies ?? [])],
    requiredArtifacts,
    outputArtifacts,
    parallelizable: draft.parallelizable ?? true,
    priority: draft.priority ?? 0,
    retryLimit: draft.retryLimit ?? 1,
    runCount: 0,
    attempt: 0,
    executionId: null,
    executionEpoch: 0,
    leaseOwner: null,
    leaseExpiresAt: null,
    timeoutSeconds: draft.timeoutSeconds ?? 600,
    contract: {
      version: draft.contractVersion ?? 'v1',
      inputArtifacts: [...requiredArtifacts],
      outputArtifacts: [...outputArtifacts],
      allowedTools: [...(draft.allowedTools ?? [])],
    },
    inputs: { ...draft.inputs },
    error: null,
    blockedBy: null,
    summary: null,
    startedAt: null,
    finishedAt: null,
  };
}

export interface PlanDraft {
  readonly id: string;
  readonly questId: string;
  readonly traceId: string;
  readonly userIntent: string;
  readonly intentType: IntentType;
  readonly tasks: readonly Task[];
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Default `local`. */
  readonly ownerId?: string;
  readonly budget?: Partial<Budget>;
  readonly mode?: 'smoke' | 'full';
  /** Default false. */
  readonly reuse?: boolean;
  readonly inputs?: PlanInputs;
  readonly clarification?: Clarification;
  /** Why the plan must be approved before it runs; absent when it need not be. */
  readonly approvalReason?: string;
  /** What is shown to whoever approves it. */
  readonly approvalProposal?: ApprovalProposal;
}

/** A plan that has not started: `awaiting_approval` when there is a reason for it, else `pending`. */
export function newPlan(draft: PlanDraft): Plan {
  const at = isoTime(draft.createdAt);
  const needsApproval = draft.approvalReason !== undefined;
  return {
    v: 1,
    id: draft.id,
    questId: draft.questId,
    userIntent: draft.userIntent,
    intentType: draft.intentType,
    status: needsApproval ? 'awaiting_approval' : 'pending',
    ownerId: draft.ownerId ?? 'local',
    traceId: draft.traceId,
    approval: {
      required: needsApproval,
      status: needsApproval ? 'pending' : 'not_required',
      reason: draft.approvalReason ?? null,
      approvedBy: null,
      approvedAt: null,
      ...(draft.approvalProposal === undefined ? {} : { proposal: draft.approvalProposal }),
    },
    budget: { ...defaultBudget, ...draft.budget },
    usage: { taskAttempts: 0, activeSeconds: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 },
    ...(draft.mode === undefined ? {} : { mode: draft.mode }),
    reuse: draft.reuse ?? false,
    inputs: draft.inputs ?? {},
    clarification: draft.clarification ?? null,
    interrupted: false,
    activeSince: null,
    error: null,
    tasks: [...draft.tasks],
    edges: deriveEdges(draft.tasks),
    artifacts: {},
    counts: { total: draft.tasks.length, completed: 0, failed: 0, blocked: 0, inProgress: 0, ready: 0 },
    createdAt: at,
    updatedAt: at,
  };
}
