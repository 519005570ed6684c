import { AssayError, errorText, newId, systemFailure, type Clock, type Logger } from '@assay/foundation';
import { usualHint, type Artifact, type EventDraft, type Failure, type Plan } from '@assay/contracts';
import { createEvidenceStore, publishedData, type ArtifactStore, type QuestPaths } from '@assay/quest-repo';
import type { PythonEnvironments } from '@assay/python-environments';
import type { PythonInterpreter, Sandbox } from '@assay/sandbox';
import {
  DaemonStopping,
  type BoundTask,
  type TaskExecution,
  type TaskExecutor,
  type TaskResult,
} from '@assay/scheduler';
import { freshAttemptDir, hasStep, onceInAttempt } from './attempt.ts';
import { attemptHasSession, endAttemptSessions, runTaskSession } from './task-sessions.ts';
import type { TaskContext, TaskOutcome, TaskSettings, TaskType } from './task-type.ts';

/** What the executor needs of one quest. */
export interface QuestAccess {
  readonly paths: QuestPaths;
  readonly artifacts: ArtifactStore;
  /** Appends a streamed event: progress, not a state transition. */
  journal(draft: EventDraft): Promise<void>;
}

export interface TaskExecutorOptions {
  readonly home: string;
  readonly types: readonly TaskType[];
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: TaskSettings;
  readonly python: () => Promise<PythonInterpreter>;
  readonly pythons: () => Promise<readonly PythonInterpreter[]>;
  readonly environments: PythonEnvironments;
  readonly secret: TaskContext['secret'];
  readonly packageSecrets: TaskContext['packageSecrets'];
  readonly quest: (questId: string) => Promise<QuestAccess>;
}

/** Runs plan tasks by their type and publishes what they give: file first, then the event that makes it count. */
export function createTaskExecutor(options: TaskExecutorOptions): TaskExecutor {
  const types = new Map(options.types.map((type) => [type.type, type]));

  async function execute(execution: TaskExecution): Promise<TaskResult> {
    const type = types.get(execution.task.type);
    if (type === undefined)
      return failed(
        new AssayError('invalid_plan', `no code for task type ${execution.task.type}`, {
          why: 'this build of Assay does not know it: the plan was made by another one',
          hint: 'make the plan anew, or run it with the build that made it',
        }),
      );
    try {
      const quest = await options.quest(execution.plan.questId);
      const context = await openContext(options, quest, execution);
      const outcome = await context.once('outcome', async () => withIds(await type.run(context)));
      await execution.publishing();
      return await publish(quest, context, outcome);
    } catch (error) {
      if (error instanceof DaemonStopping) throw error;
      if (execution.signal.aborted && !(error instanceof AssayError)) throw execution.signal.reason;
      if (!(error instanceof AssayError) && systemFailure(error) === undefined)
        options.logger.log('error', 'a task failed for a reason of ours', {
          task: execution.task.id,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        });
      return failed(error);
    }
  }

  async function attemptDirOf({ plan, task }: BoundTask): Promise<string> {
    const quest = await options.quest(plan.questId);
    return quest.paths.attempt({ plan: plan.id, task: task.id, attempt: task.attempt });
  }

  return {
    execute,
    async canRebind(bound) {
      const attemptDir = await attemptDirOf(bound);
      return (await hasStep(attemptDir, 'outcome')) || (await attemptHasSession(options.home, attemptDir));
    },
    stop: async (bound) => endAttemptSessions(options.home, await attemptDirOf(bound)),
  };
}

async function openContext(
  options: TaskExecutorOptions,
  quest: QuestAccess,
  execution: TaskExecution,
): Promise<TaskContext> {
  const { plan, task, attempt, signal } = execution;
  const attemptDir = quest.paths.attempt({ plan: plan.id, task: task.id, attempt });
  if (!execution.rebound) await freshAttemptDir(attemptDir);
  const sessions = {
    home: options.home,
    attemptDir,
    sessionsDir: quest.paths.sessions,
    sandbox: options.sandbox,
    scope: { plan: plan.id, task: task.id },
    signal,
    journal: (draft: EventDraft) => quest.journal(draft),
  };
  return {
    plan,
    task,
    attempt,
    attemptDir,
    paths: quest.paths,
    artifacts: quest.artifacts,
    sandbox: options.sandbox,
    clock: options.clock,
    signal,
    settings: withinBudget(options.settings, execution.plan.budget),
    python: options.python,
    pythons: options.pythons,
    environments: options.environments,
    secret: options.secret,
    packageSecrets: options.packageSecrets,
    input: (key) => readInput(quest.artifacts, execution, key),
    log: (level, message) => execution.log(level, message),
    once: (name, work) => onceInAttempt(attemptDir, name, work),
    session: (name, request) => runTaskSession(sessions, name, request),
  };
}

/** A plan's own limit of disk stands in for the home's. */
function withinBudget(settings: TaskSettings, { maxDiskBytes }: Plan['budget']): TaskSettings {
  return maxDiskBytes === undefined ? settings : { ...settings, diskBytes: maxDiskBytes };
}

async function readInput(artifacts: ArtifactStore, execution: TaskExecution, key: string): Promise<Artifact> {
  const id = execution.inputs[key];
  const artifact = id === undefined ? undefined : await artifacts.read(id);
  if (artifact !== undefined) return artifact;
  throw new AssayError('output_missing', `the artifact ${key} is not there`, {
    why: id === undefined ? 'it is not among the inputs of this task' : `its record ${id} is missing from the quest`,
    hint: 'run "assay fsck" to see what the quest has lost',
  });
}

/** The outcome is recorded with the ids of its artifacts before any is published: a restart completes, never repeats. */
interface RecordedOutcome extends TaskOutcome {
  readonly ids: Readonly<Record<string, string>>;
}

function withIds(outcome: TaskOutcome): RecordedOutcome {
  return { ...outcome, ids: Object.fromEntries(Object.keys(outcome.outputs).map((key) => [key, newId('artifact')])) };
}

async function publish(quest: QuestAccess, context: TaskContext, outcome: RecordedOutcome): Promise<TaskResult> {
  const evidenceStore = createEvidenceStore(quest.paths.root);
  const producer = { plan: context.plan.id, task: context.task.id, attempt: context.attempt };
  const scope = { plan: context.plan.id, task: context.task.id };
  const drafts: EventDraft[] = [];
  for (const evidence of outcome.evidence ?? []) {
    const { record, sha256 } = await evidenceStore.write(evidence);
    drafts.push({
      type: 'evidence.recorded',
      scope,
      data: { evidenceId: evidence.id, metric: evidence.metric, value: evidence.value, record, sha256 },
    });
  }
  const outputs: Record<string, { artifactId: string; type: string }> = {};
  for (const [key, output] of Object.entries(outcome.outputs)) {
    const published = await quest.artifacts.publish({ id: outcome.ids[key]!, key, producer, ...output });
    outputs[key] = { artifactId: published.artifact.id, type: published.artifact.type };
    drafts.push({ type: 'artifact.published', scope, data: publishedData(published) });
  }
  return { ok: true, outputs, drafts, summary: outcome.summary };
}

function failed(error: unknown): TaskResult {
  return { ok: false, error: failureOf(error) };
}

/** What a person sees of a failure; a fault of ours shows its text only as the cause. */
export function failureOf(error: unknown): Failure {
  const known = error instanceof AssayError ? error : systemFailure(error);
  if (known === undefined)
    return {
      code: 'internal',
      message: 'the task failed for a reason of ours',
      why: errorText(error),
      hint: usualHint('internal'),
    };
  const { code, message, why, details, isFinal } = known;
  const hint = known.hint ?? usualHint(code);
  return {
    code,
    message,
    ...(why === undefined ? {} : { why }),
    ...(hint === undefined ? {} : { hint }),
    ...(Object.keys(details).length === 0 ? {} : { details: { ...details } }),
    ...(isFinal ? { final: true as const } : {}),
  };
}
