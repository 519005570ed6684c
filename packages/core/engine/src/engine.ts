import type {
  AgentRole,
  Artifact,
  AssayEvent,
  BenchmarkResult,
  Budget,
  ComparisonResult,
  ComparisonSummary,
  CreatePlan,
  DataPreview,
  Doctor,
  Evidence,
  EvidenceRows,
  EvidenceRowsQuery,
  EventsQuery,
  LogHits,
  LogQuery,
  LogRows,
  LogSearchQuery,
  LogStream,
  Plan,
  ProfileData,
  QuestSummary,
  RegisteredProtocol,
  RegisterProtocol,
  Residuals,
  SecretInfo,
  SessionGrowth,
  SessionInfo,
  SetSecret,
  ShownConfig,
  Status,
  Upload,
  UploadList,
  Verification,
  Why,
} from '@assay/contracts';
import type { FollowItem } from '@assay/event-store';
import type { IncomingUpload } from './uploads/upload-store.ts';

export type { IncomingUpload } from './uploads/upload-store.ts';

/** Who asks: `ownerId` names the owner of plans; it is a name, not a credential. */
export interface Caller {
  readonly ownerId: string;
}

export interface EvidencePlace {
  readonly quest: string;
  readonly evidence: string;
}

export interface Page {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface EventsPage {
  /** Changes when a tail of the journal was cut; a reader with an older one starts anew. */
  readonly generation: number;
  readonly events: readonly AssayEvent[];
  readonly lastSeq: number;
}

/** An artifact's bytes: a file on disk, or the JSON text of its value. */
export interface ArtifactContent {
  readonly mediaType: string;
  readonly size: number;
  readonly fileName: string;
  readonly file?: string;
  readonly text?: string;
}

export interface SessionsOf {
  readonly plan: string;
  readonly task?: string | undefined;
}

export interface SessionAt {
  readonly quest: string;
  readonly session: string;
}

/** A log as a file: its bytes may grow while they are read. */
export interface LogFile {
  readonly path: string;
  readonly fileName: string;
}

/** What a follower asks for; the items are the journal's. */
export interface FollowOptions {
  /** Events with a greater seq are delivered. */
  readonly after: number;
  /** The generation of `after`; another one gives `reset`. */
  readonly generation?: number | undefined;
  readonly plan?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * The only door for surfaces: one function per use case, each in a file of its own. Every function rejects with an
 * AssayError whose code stands in contracts; anything else is a fault of ours and is answered as `internal`.
 */
export interface Engine {
  status(): Status;
  doctor(): Promise<Doctor>;
  why(caller: Caller, ref: string): Promise<Why>;
  shownConfig(): ShownConfig;

  listSecrets(): Promise<readonly SecretInfo[]>;
  setSecret(input: SetSecret): Promise<SecretInfo>;
  removeSecret(name: string): Promise<SecretInfo>;

  createQuest(input: { readonly title: string; readonly goal: string }): Promise<QuestSummary>;
  listQuests(page: Page): Promise<{ quests: QuestSummary[]; nextCursor: string | null }>;
  getQuest(questId: string): Promise<QuestSummary>;
  listArtifacts(questId: string, page: Page): Promise<{ artifacts: Artifact[]; nextCursor: string | null }>;
  getArtifact(questId: string, artifactId: string): Promise<Artifact>;
  artifactContent(questId: string, artifactId: string): Promise<ArtifactContent>;
  listSessions(caller: Caller, questId: string, of: SessionsOf): Promise<SessionInfo[]>;
  /** Rejects with `not_found`, or `not_owner`, when the caller cannot follow it. */
  requireSession(caller: Caller, sessionId: string): Promise<void>;
  sessionLog(caller: Caller, at: SessionAt, query: LogQuery): Promise<LogRows>;
  searchSessionLog(caller: Caller, at: SessionAt, query: LogSearchQuery, signal: AbortSignal): Promise<LogHits>;
  sessionLogFile(caller: Caller, at: SessionAt, stream: LogStream): Promise<LogFile>;
  /** How far the log has grown, now and whenever it grows, until the command has ended. */
  followSession(caller: Caller, sessionId: string, signal: AbortSignal): AsyncGenerator<SessionGrowth>;
  listEvidence(questId: string, page: Page): Promise<{ evidence: Evidence[]; nextCursor: string | null }>;
  getEvidence(questId: string, evidenceId: string): Promise<Evidence>;
  questEvents(questId: string, query: EventsQuery): Promise<EventsPage>;
  followQuest(questId: string, options: FollowOptions): AsyncIterable<FollowItem>;
  verifyQuest(questId: string): Promise<Verification>;
  verifyEvidence(questId: string, evidenceId: string, signal?: AbortSignal): Promise<Verification>;
  evidenceRows(of: EvidencePlace, query: EvidenceRowsQuery, signal: AbortSignal): Promise<EvidenceRows>;
  evidenceResiduals(of: EvidencePlace, signal: AbortSignal): Promise<Residuals>;

  createUpload(caller: Caller, incoming: IncomingUpload): Promise<Upload>;
  listUploads(caller: Caller, page: Page): Promise<UploadList>;
  uploadContent(caller: Caller, uploadId: string): Promise<ArtifactContent & { readonly sha256: string }>;
  removeUpload(caller: Caller, uploadId: string): Promise<Upload>;
  profileData(caller: Caller, input: ProfileData, signal: AbortSignal): Promise<DataPreview>;

  createPlan(caller: Caller, input: CreatePlan): Promise<Plan>;
  registerProtocol(caller: Caller, input: RegisterProtocol): Promise<RegisteredProtocol>;
  comparePlans(caller: Caller, planIds: readonly string[]): Promise<ComparisonResult>;
  listComparisons(
    caller: Caller,
    query: Page & { readonly quest?: string | undefined },
  ): Promise<{ comparisons: ComparisonSummary[]; nextCursor: string | null }>;
  getComparison(caller: Caller, comparisonId: string): Promise<ComparisonResult>;
  listPlans(caller: Caller, page: Page): Promise<{ plans: Plan[]; nextCursor: string | null }>;
  /** All plans of the caller, then those that changed, as they are now, at most four times a second. */
  followPlans(caller: Caller, options: { readonly signal: AbortSignal }): AsyncIterable<readonly Plan[]>;
  getPlan(caller: Caller, planId: string): Promise<Plan>;
  planEvents(caller: Caller, planId: string, query: EventsQuery): Promise<EventsPage>;
  followPlan(caller: Caller, planId: string, options: FollowOptions): AsyncIterable<FollowItem>;
  executePlan(caller: Caller, planId: string): Promise<Plan>;
  resumePlan(caller: Caller, planId: string): Promise<Plan>;
  approvePlan(caller: Caller, planId: string, budget: Budget | undefined): Promise<Plan>;
  clarifyPlan(caller: Caller, planId: string, answer: string): Promise<Plan>;
  cancelPlan(caller: Caller, planId: string, reason: string): Promise<Plan>;
  planResult(caller: Caller, planId: string): Promise<BenchmarkResult>;
  verifyPlan(caller: Caller, planId: string): Promise<Verification>;
  retryTask(caller: Caller, planId: string, taskId: string): Promise<Plan>;
  reassignTask(caller: Caller, planId: string, taskId: string, assignedTo: AgentRole): Promise<Plan>;
}
