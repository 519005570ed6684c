import { isPlanEventType, type AssayEvent, type EventOf, type PlanEventType, type Task } from '@assay/contracts';
import { holdsLease } from './lease.ts';
import {
  isTerminal,
  planStateOf,
  taskAt,
  withArtifact,
  withHead,
  withTask,
  type PlanHead,
  type PlanState,
} from './plan-state.ts';

type PlanEvent = EventOf<PlanEventType>;

/**
 * Folds one event of a quest's journal into a plan. Events of other plans and of other families change nothing; so do
 * logs, discarded results and whatever does not hold the task's current lease. Undefined until `plan.created`.
 */
export function reducePlan(state: PlanState, event: AssayEvent): PlanState;
export function reducePlan(state: PlanState | undefined, event: AssayEvent): PlanState | undefined;
export function reducePlan(state: PlanState | undefined, event: AssayEvent): PlanState | undefined {
  if (!isPlanEvent(event)) return state;
  if (event.type === 'plan.created') return state ?? planStateOf(event.data.plan);
  if (state === undefined || event.scope.plan !== state.head.id) return state;
  const next = reduceKnown(state, event);
  return next === state ? state : withHead(next, { updatedAt: event.at });
}

function isPlanEvent(event: AssayEvent): event is PlanEvent {
  return isPlanEventType(event.type);
}

function reduceKnown(state: PlanState, event: PlanEvent): PlanState {
  const reduce = reducers[event.type] as (state: PlanState, event: PlanEvent) => PlanState;
  return reduce(state, event);
}

const unchanged = (state: PlanState): PlanState => state;
const noLease = { executionId: null, leaseOwner: null, leaseExpiresAt: null } as const;

const reducers: { readonly [T in PlanEventType]: (state: PlanState, event: EventOf<T>) => PlanState } = {
  'plan.created': unchanged,
  'plan.task_log': unchanged,
  'plan.task_result_discarded': unchanged,
  'plan.clarified': (state, { data }) =>
    withHead(state, {
      inputs: data.inputs,
      clarification:
        data.next ?? (state.head.clarification === null ? null : { ...state.head.clarification, answer: data.answer }),
    }),
  'plan.question_asked': (state, event) => {
    const next = settled(state, event, { ...noLease, status: 'pending', finishedAt: event.at });
    if (next === state) return state;
    const ordinal = state.graph.ordinals.get(event.scope.task!)!;
    const uncounted = withTask(next, ordinal, { runCount: taskAt(next, ordinal).runCount - 1 });
    return withHead(stopped(uncounted, event.at), { status: 'pending', clarification: event.data.clarification });
  },
  'plan.approved': (state, { data, at }) =>
    withHead(state, {
      status: state.head.status === 'awaiting_approval' ? 'pending' : state.head.status,
      approval: { ...state.head.approval, status: 'approved', approvedBy: data.by, approvedAt: at },
      budget: data.budget ?? state.head.budget,
    }),
  'plan.started': (state, { at }) => active(state, at),
  'plan.resumed': (state, { at }) => active(state, at),
  'plan.interrupted': (state, { data }) =>
    withHead(stopped(state, data.activeUntil), { status: 'pending', interrupted: true }),
  'plan.completed': (state, { at }) => withHead(stopped(state, at), { status: 'completed', interrupted: false }),
  'plan.failed': (state, { data, at }) =>
    withHead(stopped(state, at), { status: 'failed', interrupted: false, error: data.error }),
  'plan.canceled': canceled,
  'plan.task_ready': (state, event) =>
    change(state, event, (task) => (task.status === 'pending' ? { status: 'ready' } : undefined)),
  'plan.task_started': started,
  'plan.task_rebound': (state, event) =>
    change(state, event, (task) =>
      task.status === 'in_progress' && task.executionId === event.data.executionId
        ? {
            executionEpoch: event.data.epoch,
            leaseOwner: event.data.leaseOwner,
            leaseExpiresAt: event.data.leaseExpiresAt,
          }
        : undefined,
    ),
  'plan.task_released': (state, event) =>
    change(state, event, (task) =>
      task.executionId === event.data.executionId && task.status === 'in_progress'
        ? { ...noLease, status: 'pending', runCount: task.runCount - 1 }
        : undefined,
    ),
  'plan.artifact_created': (state, event) =>
    findOf(state, event)?.executionId === event.data.executionId
      ? withArtifact(state, event.data.key, event.data.artifactId)
      : state,
  'plan.task_completed': (state, event) =>
    settled(state, event, {
      ...noLease,
      status: 'completed',
      summary: event.data.summary,
      error: null,
      finishedAt: event.at,
    }),
  'plan.task_retrying': (state, event) =>
    settled(state, event, { ...noLease, status: 'pending', error: event.data.error, finishedAt: event.at }),
  'plan.task_failed': (state, event) =>
    settled(state, event, { ...noLease, status: 'failed', error: event.data.error, finishedAt: event.at }),
  'plan.task_blocked': (state, event) =>
    change(state, event, (task) =>
      task.status === 'pending' || task.status === 'ready' || task.status === 'blocked'
        ? { status: 'blocked', blockedBy: event.data.upstream, summary: event.data.reason }
        : undefined,
    ),
  'plan.task_skipped': (state, event) =>
    change(state, event, (task) =>
      task.status === 'pending' || task.status === 'ready'
        ? { status: 'skipped', summary: event.data.reason, finishedAt: event.at }
        : undefined,
    ),
  'plan.task_retry_requested': retried,
  'plan.task_reassigned': (state, event) =>
    change(state, event, (task) =>
      task.status === 'completed' || task.status === 'skipped'
        ? undefined
        : {
            ...noLease,
            assignedTo: event.data.assignedTo,
            status: isTerminal(task.status) ? task.status : 'pending',
            executionEpoch: task.executionEpoch + 1,
            runCount: 0,
            error: isTerminal(task.status) ? task.error : null,
          },
    ),
};

function findOf(state: PlanState, event: PlanEvent): Task | undefined {
  const ordinal = event.scope.task === undefined ? undefined : state.graph.ordinals.get(event.scope.task);
  return ordinal === undefined ? undefined : taskAt(state, ordinal);
}

/** Changes the task of the event; no change when `how` has none for it. */
function change(state: PlanState, event: PlanEvent, how: (task: Task) => Partial<Task> | undefined): PlanState {
  const task = findOf(state, event);
  const to = task === undefined ? undefined : how(task);
  return task === undefined || to === undefined ? state : withTask(state, state.graph.ordinals.get(task.id)!, to);
}

type SettlingEvent = EventOf<'plan.task_completed' | 'plan.task_retrying' | 'plan.task_failed' | 'plan.question_asked'>;

/** Ends an execution when the event holds the task's lease, and adds what it used to the plan. */
function settled(state: PlanState, event: SettlingEvent, to: Partial<Task>): PlanState {
  const task = findOf(state, event);
  if (task === undefined) return state;
  const leaseOwner = event.type === 'plan.task_completed' ? event.data.leaseOwner : task.leaseOwner;
  if (!holdsLease(task, { executionId: event.data.executionId, epoch: event.data.epoch, leaseOwner })) return state;
  const next = withTask(state, state.graph.ordinals.get(task.id)!, to);
  const used = 'usage' in event.data ? event.data.usage : undefined;
  if (used === undefined) return next;
  const { usage } = state.head;
  return withHead(next, {
    usage: {
      ...usage,
      inputTokens: usage.inputTokens + used.inputTokens,
      outputTokens: usage.outputTokens + used.outputTokens,
      costUsd: usage.costUsd + used.costUsd,
    },
  });
}

function started(state: PlanState, event: EventOf<'plan.task_started'>): PlanState {
  const next = change(state, event, (task) =>
    task.status === 'ready'
      ? {
          status: 'in_progress',
          executionId: event.data.executionId,
          executionEpoch: event.data.epoch,
          leaseOwner: event.data.leaseOwner,
          leaseExpiresAt: event.data.leaseExpiresAt,
          attempt: event.data.attempt,
          runCount: task.runCount + 1,
          startedAt: event.at,
          finishedAt: null,
        }
      : undefined,
  );
  if (next === state) return state;
  const { usage } = state.head;
  return withHead(next, { usage: { ...usage, taskAttempts: usage.taskAttempts + 1 } });
}

function canceled(state: PlanState, { data, at }: EventOf<'plan.canceled'>): PlanState {
  const error = {
    code: data.budget === undefined ? 'canceled' : 'budget_exceeded',
    message: data.reason,
    details: data.budget === undefined ? { by: data.by } : { by: data.by, budget: data.budget },
  };
  let next = withHead(stopped(state, at), { status: 'canceled', interrupted: false, error });
  for (const ordinal of state.graph.topological) {
    const { status } = taskAt(next, ordinal);
    if (!isTerminal(status)) next = withTask(next, ordinal, { ...noLease, status: 'canceled', error, finishedAt: at });
  }
  return next;
}

function retried(state: PlanState, { data }: EventOf<'plan.task_retry_requested'>): PlanState {
  const reset = data.reset.flatMap((id) => state.graph.ordinals.get(id) ?? []);
  const next = reset.reduce((state, ordinal) => {
    const { status } = taskAt(state, ordinal);
    if (status !== 'failed' && status !== 'blocked' && status !== 'canceled') return state;
    const fresh = { error: null, blockedBy: null, summary: null, startedAt: null, finishedAt: null };
    return withTask(state, ordinal, { ...noLease, ...fresh, status: 'pending', runCount: 0 });
  }, state);
  const ended = state.head.status === 'failed' || state.head.status === 'canceled';
  return ended ? withHead(next, { status: 'pending', error: null }) : next;
}

function active(state: PlanState, at: string): PlanState {
  return withHead(state, { status: 'in_progress', interrupted: false, activeSince: at, error: null });
}

/** Adds the time since the plan became active to what it has used. */
function stopped(state: PlanState, until: string): PlanState {
  const { activeSince, usage } = state.head;
  if (activeSince === null) return state;
  const change: Partial<PlanHead> = {
    activeSince: null,
    usage: { ...usage, activeSeconds: usage.activeSeconds + secondsBetween(activeSince, until) },
  };
  return withHead(state, change);
}

function secondsBetween(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;
}
