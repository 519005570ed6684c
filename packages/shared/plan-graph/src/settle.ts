import { clarificationSchema, type Clarification, type Failure, type Task, type TaskUsage } from '@assay/contracts';
import type { Command } from './commands.ts';
import { failureCommands } from './failing.ts';
import { whyLeaseVoid, type Lease } from './lease.ts';
import { ordinalOf, runningTasks, taskAt, type PlanState } from './plan-state.ts';

/** What an execution has come to. */
export type Outcome =
  | {
      readonly ok: true;
      /** By artifact key: what the task gives. */
      readonly outputs: Readonly<Record<string, { readonly artifactId: string; readonly type: string }>>;
      readonly summary: string;
      readonly usage?: TaskUsage | undefined;
    }
  | { readonly ok: false; readonly error: Failure; readonly usage?: TaskUsage | undefined };

export interface Report {
  readonly taskId: string;
  readonly lease: Lease;
  readonly outcome: Outcome;
}

/**
 * What a reported result leads to. Only the current lease of a task in progress is heard; anything else is discarded
 * and changes nothing. Success needs exactly the artifacts that the task declares. A failure that asks a question
 * (`needs_clarification`) makes the plan wait for the answer.
 */
export function settle(state: PlanState, { taskId, lease, outcome }: Report): Command[] {
  const task = taskAt(state, ordinalOf(state, taskId));
  const run = { taskId, executionId: lease.executionId, epoch: lease.epoch };
  const reason = whyLeaseVoid(task, lease);
  if (reason !== undefined) return [{ do: 'discard_result', ...run, leaseOwner: lease.leaseOwner ?? '', reason }];
  const clarification = outcome.ok ? undefined : questionOf(state, outcome.error);
  if (clarification !== undefined) return [{ do: 'ask_person', ...run, clarification }];
  if (!outcome.ok) return failureCommands(state, task, { error: outcome.error, usage: outcome.usage });
  const error = outputError(task, Object.keys(outcome.outputs));
  if (error !== undefined) return failureCommands(state, task, { error, usage: outcome.usage });
  const outputs = Object.entries(outcome.outputs);
  return [
    ...outputs.map(([key, output]): Command => ({ do: 'publish_artifact', ...run, key, ...output })),
    {
      do: 'complete_task',
      ...run,
      leaseOwner: task.leaseOwner!,
      outputs: Object.fromEntries(outputs.map(([key, { artifactId }]) => [key, artifactId])),
      summary: outcome.summary,
      usage: outcome.usage,
    },
  ];
}

/** The question that a failure asks; only when nothing else runs can the plan wait for its answer. */
function questionOf(state: PlanState, { code, details }: Failure): Clarification | undefined {
  if (code !== 'needs_clarification' || runningTasks(state).length > 1) return undefined;
  return clarificationSchema.safeParse(details?.['clarification']).data;
}

const CONTRACT = {
  why: 'a task gives exactly what it declares, so that the tasks after it can rely on it',
  hint: 'retry the task; if it comes again, the code of this task type is at fault: report it',
};

function outputError(task: Task, produced: readonly string[]): Failure | undefined {
  const missing = task.outputArtifacts.find((key) => !produced.includes(key));
  if (missing !== undefined)
    return {
      ...CONTRACT,
      code: 'missing_output',
      message: `declared artifact not produced: ${missing}`,
      details: { key: missing },
    };
  const extra = produced.find((key) => !task.outputArtifacts.includes(key));
  if (extra !== undefined)
    return {
      ...CONTRACT,
      code: 'undeclared_output',
      message: `artifact not declared: ${extra}`,
      details: { key: extra },
    };
  return undefined;
}
