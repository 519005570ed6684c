import { assertNever } from '@assay/foundation';
import type { Clarification, EventDraft, Failure, TaskUsage } from '@assay/contracts';
import type { PlanState } from './plan-state.ts';

interface Run {
  readonly taskId: string;
  readonly executionId: string;
  readonly epoch: number;
}

/**
 * What has to happen next. `start_task` becomes an event once the driver has what the task needs (`startDraft`); every
 * other command is recorded as one event. Executions that lose their lease by it are to be stopped.
 */
export type Command =
  | { readonly do: 'mark_ready'; readonly taskId: string; readonly inputs: readonly Input[] }
  | { readonly do: 'start_task'; readonly taskId: string }
  | ({
      readonly do: 'publish_artifact';
      readonly key: string;
      readonly artifactId: string;
      readonly type: string;
    } & Run)
  | ({
      readonly do: 'complete_task';
      readonly leaseOwner: string;
      readonly outputs: Readonly<Record<string, string>>;
      readonly summary: string;
      readonly usage?: TaskUsage | undefined;
    } & Run)
  | ({
      readonly do: 'retry_task';
      readonly error: Failure;
      readonly runCount: number;
      readonly retryLimit: number;
      readonly usage?: TaskUsage | undefined;
    } & Run)
  | ({ readonly do: 'fail_task'; readonly error: Failure; readonly usage?: TaskUsage | undefined } & Run)
  | ({ readonly do: 'ask_person'; readonly clarification: Clarification } & Run)
  | { readonly do: 'block_task'; readonly taskId: string; readonly upstream: string; readonly reason: string }
  | ({ readonly do: 'discard_result'; readonly leaseOwner: string; readonly reason: string } & Run)
  | { readonly do: 'cancel_plan'; readonly budget: string; readonly reason: string }
  | { readonly do: 'complete_plan'; readonly summary: string }
  | { readonly do: 'fail_plan'; readonly error: Failure };

/** An artifact that a task is given. */
export interface Input {
  readonly key: string;
  readonly artifactId: string;
}

/** Commands that are recorded as they are. */
export type RecordedCommand = Exclude<Command, { readonly do: 'start_task' }>;

export function isRecorded(command: Command): command is RecordedCommand {
  return command.do !== 'start_task';
}

/** Who is named when the rules themselves end a plan. */
const RULES = 'assay';

/** The event of a command. */
export function commandDraft(state: PlanState, command: RecordedCommand): EventDraft {
  switch (command.do) {
    case 'mark_ready':
      return { type: 'plan.task_ready', ...at(state, command), data: { inputs: [...command.inputs] } };
    case 'publish_artifact': {
      const { executionId, key, artifactId, type } = command;
      return { type: 'plan.artifact_created', ...at(state, command), data: { executionId, key, artifactId, type } };
    }
    case 'complete_task': {
      const { leaseOwner, outputs, summary } = command;
      const data = { ...run(command), leaseOwner, outputs: { ...outputs }, summary, ...used(command) };
      return { type: 'plan.task_completed', ...at(state, command), data };
    }
    case 'retry_task': {
      const { error, runCount, retryLimit } = command;
      const data = { ...run(command), error, runCount, retryLimit, ...used(command) };
      return { type: 'plan.task_retrying', ...at(state, command), data };
    }
    case 'fail_task': {
      const data = { ...run(command), error: command.error, ...used(command) };
      return { type: 'plan.task_failed', ...at(state, command), data };
    }
    case 'ask_person': {
      const data = { ...run(command), clarification: command.clarification };
      return { type: 'plan.question_asked', ...at(state, command), data };
    }
    case 'block_task': {
      const { upstream, reason } = command;
      return { type: 'plan.task_blocked', ...at(state, command), data: { upstream, reason } };
    }
    case 'discard_result': {
      const { leaseOwner, reason } = command;
      return {
        type: 'plan.task_result_discarded',
        ...at(state, command),
        data: { ...run(command), leaseOwner, reason },
      };
    }
    case 'cancel_plan': {
      const { budget, reason } = command;
      return { type: 'plan.canceled', ...at(state), data: { by: RULES, reason, budget } };
    }
    case 'complete_plan':
      return { type: 'plan.completed', ...at(state), data: { summary: command.summary } };
    case 'fail_plan':
      return { type: 'plan.failed', ...at(state), data: { error: command.error } };
    default:
      return assertNever(command, 'command');
  }
}

/** Where an event of this plan, or of one of its tasks, belongs. */
export function at(state: PlanState, task?: { readonly taskId: string }): Pick<EventDraft, 'scope' | 'trace' | 'span'> {
  const { id, traceId } = state.head;
  return task === undefined
    ? { scope: { plan: id }, trace: traceId, span: id }
    : { scope: { plan: id, task: task.taskId }, trace: traceId, span: task.taskId };
}

function run({ executionId, epoch }: Run): { executionId: string; epoch: number } {
  return { executionId, epoch };
}

function used({ usage }: { readonly usage?: TaskUsage | undefined }): { usage?: TaskUsage } {
  return usage === undefined ? {} : { usage };
}
