export { errorCodes, exitCodeOf, httpStatusOf, type ErrorCode } from './errors.ts';
export { migrateRecord, type MigrationPlan } from './migrate.ts';
export { isPlanEventType, planStreamNames, type PlanEventType } from './plan-stream.ts';
export {
  EVENT_VERSION,
  checkDraft,
  eventData,
  eventTypes,
  parseEvent,
  scopeSchema,
  type AssayEvent,
  type EventData,
  type EventDraft,
  type EventOf,
  type EventScope,
  type EventType,
} from './events/event.ts';
export { artifactKey, failure, id, instant, sha256, type Failure } from './records/common.ts';
export { artifactSchema, artifactTypes, type Artifact, type ArtifactType } from './records/artifact.ts';
export {
  attestationSchema,
  evidenceSchema,
  evidenceSource,
  mismatchReasons,
  mismatchSchema,
  verificationSchema,
  type Attestation,
  type Evidence,
  type EvidenceSource,
  type Mismatch,
  type Verification,
} from './records/evidence.ts';
export {
  agentRoles,
  budgetSchema,
  clarificationSchema,
  defaultBudget,
  edgeSchema,
  intentTypes,
  planInputsSchema,
  planSchema,
  planStatuses,
  taskContract,
  taskSchema,
  taskStatuses,
  type AgentRole,
  type Budget,
  type Clarification,
  type Edge,
  type IntentType,
  type Plan,
  type PlanInputs,
  type PlanStatus,
  type Task,
  type TaskContract,
  type TaskStatus,
} from './records/plan.ts';
export { anchors, questSchema, type Quest } from './records/quest.ts';
export {
  apiBodies,
  routes,
  SSE_HEARTBEAT_MS,
  type BenchmarkResult,
  type CreatePlan,
  type Doctor,
  type DoctorCheck,
  type EventsQuery,
  type Health,
  type QuestSummary,
  type Route,
  type RouteName,
  type Why,
} from './api/index.ts';
