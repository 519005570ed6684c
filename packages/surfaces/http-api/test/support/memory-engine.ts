import { createHash } from 'node:crypto';
import {
  ASSAY_VERSION,
  type Artifact,
  type AssayEvent,
  type BenchmarkResult,
  type ComparisonResult,
  type CreatePlan,
  type DataPreview,
  type EventDraft,
  type EventsQuery,
  type Evidence,
  type EvidenceRows,
  type EvidenceRowsQuery,
  type LogQuery,
  type LogSearchQuery,
  type LogStream,
  type Plan,
  type QuestSummary,
  type ProfileData,
  type RegisterProtocol,
  type Residuals,
  type SecretInfo,
  type SetSecret,
  type Upload,
  type UploadList,
  type Verification,
  usualUsername,
} from '@assay/contracts';
import type {
  Caller,
  Engine,
  EvidencePlace,
  FollowItem,
  FollowOptions,
  IncomingUpload,
  Page,
  SessionAt,
} from '@assay/engine';
import { RowIndex, searchRows } from '@assay/files';
import { openMemoryJournal, type Journal } from '@assay/event-store';
import { AssayError, isoTime, newId, systemClock } from '@assay/foundation';
import {
  approveDrafts,
  cancelDrafts,
  clarifyDrafts,
  executeDrafts,
  newPlan,
  newTask,
  planOf,
  reassignDrafts,
  reducePlan,
  resumeDrafts,
  retryDrafts,
  type PlanState,
} from '@assay/plan-graph';

interface MemoryQuest {
  readonly title: string;
  readonly goal: string;
  readonly createdAt: string;
  readonly journal: Journal;
  readonly artifacts: Map<string, { record: Artifact; text: string; file?: string }>;
  readonly evidence: Map<string, Evidence>;
}

/** An engine over memory journals: plans are the real pure core, nothing runs by itself. Tests append what happens. */
export class MemoryEngine implements Engine {
  readonly quests = new Map<string, MemoryQuest>();
  home = '/home/of/the/test';
  /** What happens to a plan once it was started. */
  onExecute: (plan: Plan) => Promise<unknown> = async () => undefined;
  /** Questions of the plans that are created from now on. */
  clarification: Plan['clarification'] = null;
  /** Why plans that are created from now on wait for approval. */
  approvalReason: string | undefined;
  /** Followers that are open now. */
  following = 0;
  /** Aborted with the problem of all plans, such as a full disk. */
  readonly stopped = new AbortController();
  /** What comparing gives; undefined when nothing can be compared. */
  comparison: ComparisonResult | undefined;
  /** Thrown by `doctor`, to see what the surface makes of a fault. */
  fault: Error | undefined;

  status() {
    return {
      version: ASSAY_VERSION,
      pid: process.pid,
      startedAt: '2026-01-01T00:00:00.000Z',
      home: this.home,
      quests: this.quests.size,
      plansRunning: 0,
    };
  }

  async doctor() {
    if (this.fault !== undefined) throw this.fault;
    return { ok: true, checks: [{ name: 'python3', status: 'ok' as const, found: '3.11' }] };
  }

  async why(caller: Caller, ref: string) {
    if (ref.startsWith('plan_')) await this.#owned(caller, ref.split('/')[0]!);
    return { ref, state: 'idle', sentence: `${ref} waits for nothing` };
  }

  shownConfig() {
    return { file: `${this.home}/config.yaml`, settings: [] };
  }

  /** Logs of commands by id: files on disk. */
  readonly logs = new Map<string, string>();

  async listSessions() {
    return [];
  }

  async requireSession(_caller: Caller, session: string) {
    this.#log(session);
  }

  async sessionLog(_caller: Caller, { session }: SessionAt, query: LogQuery) {
    const index = new RowIndex(this.#log(session));
    const { rows, bytes } = await index.count();
    const from = query.from < 0 ? Math.max(0, rows + query.from) : query.from;
    return { rows, bytes, ended: true, from, lines: await index.read(from, query.limit) };
  }

  async searchSessionLog(_caller: Caller, { session }: SessionAt, { text }: LogSearchQuery, signal: AbortSignal) {
    const hits = await searchRows(this.#log(session), text, { limitMs: 10_000, signal });
    return { ...hits, rows: [...hits.rows] };
  }

  async sessionLogFile(_caller: Caller, { session }: SessionAt, stream: LogStream) {
    return { path: this.#log(session), fileName: `${session}-${stream}.log` };
  }

  async *followSession(_caller: Caller, session: string) {
    const count = await new RowIndex(this.#log(session)).count();
    yield { output: count, stderr: { rows: 0, bytes: 0 }, ended: true };
  }

  #log(session: string): string {
    return this.logs.get(session) ?? missing('session', session);
  }

  readonly secrets = new Map<string, SecretInfo>();

  async listSecrets() {
    return [...this.secrets.values()];
  }

  async setSecret({ name, hosts, use, username = usualUsername[use] }: SetSecret) {
    const secret = { name, hosts, use, username, createdAt: '2026-01-01T00:00:00.000Z' };
    this.secrets.set(name, secret);
    return secret;
  }

  async removeSecret(name: string) {
    const secret = this.secrets.get(name);
    this.secrets.delete(name);
    return secret ?? missing('secret', name);
  }

  async createQuest({ title, goal }: { readonly title: string; readonly goal: string }) {
    const id = newId('quest');
    const journal = openMemoryJournal({ quest: id, clock: systemClock });
    const createdAt = isoTime(systemClock.now());
    this.quests.set(id, { title, goal, createdAt, journal, artifacts: new Map(), evidence: new Map() });
    await journal.append([{ type: 'quest.created', data: { title, goal } }]);
    return this.getQuest(id);
  }

  async listQuests(page: Page) {
    const ids = [...this.quests.keys()].toReversed();
    const { items, nextCursor } = pageOf(ids, page);
    return { quests: await Promise.all(items.map((id) => this.getQuest(id))), nextCursor };
  }

  async getQuest(questId: string): Promise<QuestSummary> {
    const { title, goal, createdAt, journal } = this.#quest(questId);
    const plans = [...(await this.#plans(questId)).values()];
    return {
      v: 1,
      id: questId,
      title,
      goal,
      active_anchor: 'baseline',
      mode: 'copilot',
      locale: 'en',
      created_at: createdAt,
      root: `/home/of/the/test/quests/${questId}`,
      lastSeq: journal.lastSeq,
      lastActivityAt: createdAt,
      plans: plans.map(({ head }) => ({ id: head.id, status: head.status, intentType: head.intentType })),
      problem: null,
    };
  }

  async listArtifacts(questId: string, page: Page) {
    const { artifacts } = this.#quest(questId);
    const { items, nextCursor } = pageOf([...artifacts.keys()], page);
    return { artifacts: items.map((id) => artifacts.get(id)!.record), nextCursor };
  }

  async getArtifact(questId: string, artifactId: string) {
    return this.#artifact(questId, artifactId).record;
  }

  async artifactContent(questId: string, artifactId: string) {
    const { record, text, file } = this.#artifact(questId, artifactId);
    const size = Buffer.byteLength(text);
    const fileName = `${record.key}.html`;
    return file === undefined
      ? { mediaType: record.mediaType, size, fileName, text }
      : { mediaType: record.mediaType, size, fileName, file };
  }

  async listEvidence(questId: string, page: Page) {
    const { evidence } = this.#quest(questId);
    const { items, nextCursor } = pageOf([...evidence.keys()], page);
    return { evidence: items.map((id) => evidence.get(id)!), nextCursor };
  }

  async getEvidence(questId: string, evidenceId: string) {
    return this.#quest(questId).evidence.get(evidenceId) ?? missing('evidence', evidenceId);
  }

  async questEvents(questId: string, query: EventsQuery) {
    const { journal } = this.#quest(questId);
    const events = await journal.read({ after: query.after, before: query.before, limit: query.limit });
    return { generation: journal.generation, events, lastSeq: journal.lastSeq };
  }

  async *followQuest(questId: string, options: FollowOptions): AsyncGenerator<FollowItem> {
    this.following += 1;
    try {
      yield* this.#quest(questId).journal.follow(options);
    } finally {
      this.following -= 1;
    }
  }

  async verifyQuest(questId: string): Promise<Verification> {
    const { evidence } = this.#quest(questId);
    return { ok: evidence.size, total: evidence.size, mismatches: [] };
  }

  async verifyEvidence(questId: string, evidenceId: string): Promise<Verification> {
    await this.getEvidence(questId, evidenceId);
    return { ok: 1, total: 1, mismatches: [] };
  }

  async evidenceRows({ quest, evidence }: EvidencePlace, { offset }: EvidenceRowsQuery): Promise<EvidenceRows> {
    await this.getEvidence(quest, evidence);
    const counts = { total: 0, wrong: 0, matched: 0, moreInputs: 0 };
    const none = { target: 'label', inputs: [], rows: [], problem: null, source: 'predictions.jsonl' };
    return { task: 'classification', offset, ...counts, ...none };
  }

  async evidenceResiduals({ quest, evidence }: EvidencePlace): Promise<Residuals> {
    await this.getEvidence(quest, evidence);
    const histogram = { edges: [], counts: [] };
    return { total: 0, step: 1, points: [], histogram, problem: null, source: 'predictions.jsonl' };
  }

  /** Files that were sent whole, with their bytes. */
  readonly uploads = new Map<string, { readonly upload: Upload; readonly bytes: Buffer }>();
  /** Bytes that have come of files, also of those that did not come whole. */
  received = 0;
  mostBytes = 1 << 20;
  preview: DataPreview | undefined;

  async createUpload({ ownerId }: Caller, { name, content }: IncomingUpload): Promise<Upload> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of content) {
      size += chunk.length;
      this.received += chunk.length;
      if (size > this.mostBytes) throw new AssayError('payload_too_large', 'too large', { hint: 'send less' });
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    const at = isoTime(Date.now());
    const id = newId('upload');
    const upload: Upload = { v: 1, id, ownerId, name, size, sha256: sha256Of(bytes), createdAt: at, expiresAt: at };
    this.uploads.set(id, { upload, bytes });
    return upload;
  }

  async listUploads({ ownerId }: Caller): Promise<UploadList> {
    const uploads = [...this.uploads.values()].map(({ upload }) => upload).filter((one) => one.ownerId === ownerId);
    const limits = { maxBytes: this.mostBytes, maxFiles: 9, totalBytes: 1 << 24, perMinute: 9, expireHours: 1 };
    return { uploads, nextCursor: null, limits, usedBytes: 0 };
  }

  async uploadContent({ ownerId }: Caller, id: string) {
    const found = this.uploads.get(id);
    if (found === undefined) throw new AssayError('not_found', 'there is no such file', { hint: 'send it' });
    if (found.upload.ownerId !== ownerId) throw new AssayError('not_owner', 'not yours', { hint: 'send your own' });
    const { name, size, sha256 } = found.upload;
    return { mediaType: 'text/html', size, fileName: name, text: found.bytes.toString('latin1'), sha256 };
  }

  async removeUpload(caller: Caller, id: string): Promise<Upload> {
    await this.uploadContent(caller, id);
    const { upload } = this.uploads.get(id)!;
    this.uploads.delete(id);
    return upload;
  }

  async profileData(_caller: Caller, { path, uploadId }: ProfileData): Promise<DataPreview> {
    if (this.preview !== undefined) return this.preview;
    throw new AssayError('dataset_missing', `there is no ${path ?? uploadId ?? ''}`, { hint: 'name another' });
  }

  async registerProtocol(_caller: Caller, input: RegisterProtocol) {
    const questId = input.questId ?? (await this.createQuest({ title: input.title ?? 'Compare', goal: '' })).id;
    if (!this.quests.has(questId)) throw new AssayError('not_found', `there is no quest ${questId}`);
    return { questId, artifactId: newId('artifact'), sha256: '0'.repeat(64), primary: 'accuracy', rows: 18 };
  }

  async comparePlans(caller: Caller, planIds: readonly string[]): Promise<ComparisonResult> {
    for (const id of planIds) await this.#owned(caller, id);
    if (this.comparison !== undefined) return this.comparison;
    throw new AssayError('not_comparable', 'none of these plans gave a result that can be compared');
  }

  async listComparisons(_caller: Caller, { quest }: { readonly quest?: string | undefined }) {
    const { comparison } = this.comparison ?? {};
    if (comparison === undefined || (quest !== undefined && quest !== comparison.quest))
      return { comparisons: [], nextCursor: null };
    const { id, createdAt, dataset, primary, candidates, notCompared, conclusion } = comparison;
    const summary = {
      id,
      quest: comparison.quest,
      createdAt,
      dataset: dataset.name,
      primary,
      candidates: candidates.map(({ plan, name, rank }) => ({ plan, name, rank })),
      notCompared: notCompared.map(({ plan, name }) => ({ plan, name })),
      conclusion: conclusion[0] ?? '',
    };
    return { comparisons: [summary], nextCursor: null };
  }

  async getComparison(_caller: Caller, comparisonId: string): Promise<ComparisonResult> {
    if (this.comparison?.comparison.id === comparisonId) return this.comparison;
    throw new AssayError('not_found', `there is no comparison ${comparisonId}`);
  }

  async createPlan(caller: Caller, input: CreatePlan): Promise<Plan> {
    const questId = input.questId ?? (await this.createQuest({ title: input.title ?? 'Benchmark', goal: '' })).id;
    const tasks = [
      newTask({ id: 'profile', name: 'Profile the data', type: 'dataset_profile', assignedTo: 'data' }),
      newTask({
        id: 'report',
        name: 'Write the report',
        type: 'benchmark_report',
        assignedTo: 'data',
        dependencies: ['profile'],
      }),
    ];
    const id = newId('plan');
    const plan = newPlan({
      id,
      questId,
      traceId: newId('trace'),
      userIntent: input.title ?? 'measure it',
      intentType: 'Custom_Benchmark',
      ownerId: caller.ownerId,
      tasks,
      createdAt: systemClock.now(),
      inputs: input.inputs,
      ...(this.approvalReason === undefined ? {} : { approvalReason: this.approvalReason }),
      ...(this.clarification === null ? {} : { clarification: this.clarification }),
    });
    await this.append(questId, [{ type: 'plan.created', scope: { plan: id }, data: { plan } }]);
    return this.getPlan(caller, id);
  }

  async listPlans({ ownerId }: Caller, page: Page) {
    const states = await this.#allPlans();
    const own = [...states.values()].filter(({ head }) => head.ownerId === ownerId).map(({ head }) => head.id);
    const { items, nextCursor } = pageOf(own.toReversed(), page);
    return { plans: items.map((id) => planOf(states.get(id)!)), nextCursor };
  }

  async getPlan(caller: Caller, planId: string): Promise<Plan> {
    return planOf(await this.#owned(caller, planId));
  }

  async planEvents(caller: Caller, planId: string, query: EventsQuery) {
    const { head } = await this.#owned(caller, planId);
    const { journal } = this.#quest(head.questId);
    const all = await journal.read({ after: query.after, before: query.before, limit: journal.lastSeq + 1 });
    const events = all.filter((event) => event.scope.plan === planId).slice(0, query.limit);
    return { generation: journal.generation, events, lastSeq: journal.lastSeq };
  }

  async *followPlan(caller: Caller, planId: string, options: FollowOptions): AsyncGenerator<FollowItem> {
    const { head } = await this.#owned(caller, planId);
    this.following += 1;
    try {
      const signal = AbortSignal.any([options.signal, this.stopped.signal]);
      for await (const item of this.#quest(head.questId).journal.follow({ ...options, signal }))
        if (item.kind !== 'event' || item.event.scope.plan === planId) yield item;
      if (!options.signal.aborted) this.stopped.signal.throwIfAborted();
    } finally {
      this.following -= 1;
    }
  }

  async *followPlans(caller: Caller, { signal }: { readonly signal: AbortSignal }): AsyncGenerator<readonly Plan[]> {
    this.following += 1;
    try {
      yield (await this.listPlans(caller, { limit: 500 })).plans;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    } finally {
      this.following -= 1;
    }
  }

  async executePlan(caller: Caller, planId: string) {
    const plan = await this.#request(caller, planId, (state) => executeDrafts(state, caller.ownerId));
    await this.onExecute(plan);
    return plan;
  }

  resumePlan(caller: Caller, planId: string) {
    return this.#request(caller, planId, (state) =>
      resumeDrafts(state, { by: caller.ownerId, reason: 'asked', now: systemClock.now(), bound: new Set() }),
    );
  }

  approvePlan(caller: Caller, planId: string) {
    return this.#request(caller, planId, (state) => approveDrafts(state, caller.ownerId));
  }

  clarifyPlan(caller: Caller, planId: string, answer: string) {
    return this.#request(caller, planId, (state) => clarifyDrafts(state, { answer, by: caller.ownerId }));
  }

  cancelPlan(caller: Caller, planId: string, reason: string) {
    return this.#request(caller, planId, (state) => cancelDrafts(state, caller.ownerId, reason));
  }

  retryTask(caller: Caller, planId: string, taskId: string) {
    return this.#request(caller, planId, (state) => retryDrafts(state, taskId, caller.ownerId));
  }

  reassignTask(caller: Caller, planId: string, taskId: string, assignedTo: Plan['tasks'][number]['assignedTo']) {
    return this.#request(caller, planId, (state) => reassignDrafts(state, taskId, { by: caller.ownerId, assignedTo }));
  }

  async planResult(caller: Caller, planId: string): Promise<BenchmarkResult> {
    const { questId, status, tasks, error } = await this.getPlan(caller, planId);
    const failure = tasks.find((task) => task.status === 'failed')?.error ?? error;
    return {
      planId,
      questId,
      status,
      metrics: { accuracy: 0.974 },
      intervals: { accuracy: [0.94, 0.99] },
      probes: { null: { passed: true, metric: 'accuracy', value: 0.44, expected: 'at chance' } },
      verified: { ok: 1, total: 1 },
      report: null,
      seconds: 1.5,
      ...(failure === null ? {} : { error: { ...failure, details: failure.details ?? {} } }),
    };
  }

  async verifyPlan(caller: Caller, planId: string): Promise<Verification> {
    await this.#owned(caller, planId);
    return { ok: 1, total: 1, mismatches: [] };
  }

  /** A plan with an open question, or one that waits for approval: what a template would make of its inputs. */
  async made(questId: string, state: Partial<Pick<Plan, 'clarification' | 'status' | 'approval'>>): Promise<string> {
    const plan = await this.createPlan({ ownerId: 'local' }, { questId, attachments: [], inputs: {}, reuse: false });
    const id = newId('plan');
    const copy = { ...plan, ...state, id };
    await this.append(questId, [{ type: 'plan.created', scope: { plan: id }, data: { plan: copy } }]);
    return id;
  }

  append(questId: string, drafts: readonly EventDraft[]): Promise<readonly AssayEvent[]> {
    return this.#quest(questId).journal.append(drafts);
  }

  async #request(caller: Caller, planId: string, draft: (state: PlanState) => EventDraft[]): Promise<Plan> {
    const state = await this.#owned(caller, planId);
    await this.append(state.head.questId, draft(state));
    return this.getPlan(caller, planId);
  }

  async #owned({ ownerId }: Caller, planId: string): Promise<PlanState> {
    const state = (await this.#allPlans()).get(planId) ?? missing('plan', planId);
    if (state.head.ownerId !== ownerId) throw new AssayError('not_owner', 'this plan belongs to another owner');
    return state;
  }

  async #allPlans(): Promise<Map<string, PlanState>> {
    const all = await Promise.all([...this.quests.keys()].map((id) => this.#plans(id)));
    return new Map(all.flatMap((plans) => [...plans]));
  }

  async #plans(questId: string): Promise<Map<string, PlanState>> {
    const plans = new Map<string, PlanState>();
    for await (const event of this.#quest(questId).journal.scan()) {
      const id = event.scope.plan;
      if (id === undefined) continue;
      const next = reducePlan(plans.get(id), event);
      if (next !== undefined) plans.set(id, next);
    }
    return plans;
  }

  #quest(questId: string): MemoryQuest {
    return this.quests.get(questId) ?? missing('quest', questId);
  }

  #artifact(questId: string, artifactId: string) {
    return this.#quest(questId).artifacts.get(artifactId) ?? missing('artifact', artifactId);
  }
}

function missing(kind: string, id: string): never {
  throw new AssayError('not_found', `there is no ${kind} ${id}`);
}

function pageOf(ids: readonly string[], { cursor, limit }: Page): { items: string[]; nextCursor: string | null } {
  const start = cursor === undefined ? 0 : ids.indexOf(cursor) + 1;
  if (cursor !== undefined && start === 0) throw new AssayError('invalid_request', 'the cursor is of another list');
  const items = ids.slice(start, start + limit);
  return { items, nextCursor: start + limit < ids.length ? items.at(-1)! : null };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
