import type { Task } from '@assay/contracts';
import { artifactIdOf, findTask, isDone, taskAt, type PlanState } from './plan-state.ts';

/** What a task waits for. */
export interface Missing {
  readonly tasks: readonly Task[];
  /** Artifacts that do not exist, with the task that gives them, if any does. */
  readonly artifacts: readonly { readonly key: string; readonly producer: Task | undefined }[];
}

export function missingOf(state: PlanState, task: Task): Missing {
  const tasks = [...new Set(task.dependencies)].flatMap((id) => findTask(state, id) ?? []);
  const artifacts = [...new Set(task.requiredArtifacts)].filter((key) => artifactIdOf(state, key) === undefined);
  return {
    tasks: tasks.filter((dependency) => !isDone(dependency.status)),
    artifacts: artifacts.map((key) => ({ key, producer: producerOf(state, key) })),
  };
}

function producerOf(state: PlanState, key: string): Task | undefined {
  const producer = state.graph.producers[state.graph.artifactOrdinals.get(key)!];
  return producer === undefined ? undefined : taskAt(state, producer);
}

/** `run_metrics from 'Execute' (failed), 'Prepare' (pending)`: what is missing, in words. Empty when nothing is. */
export function missingText({ tasks, artifacts }: Missing, limit = 3): string {
  const given = new Set(artifacts.flatMap(({ producer }) => producer?.id ?? []));
  const parts = [
    ...artifacts.map(({ key, producer }) =>
      producer === undefined
        ? `${key}, which no task gives`
        : `${key} from '${producer.name}' (${statusText(producer)})`,
    ),
    ...tasks.filter(({ id }) => !given.has(id)).map((task) => `'${task.name}' (${statusText(task)})`),
  ];
  const shown = parts.slice(0, limit).join(', ');
  return parts.length > limit ? `${shown} and ${parts.length - limit} more` : shown;
}

export function statusText({ status }: Pick<Task, 'status'>): string {
  return status.replace('_', ' ');
}
