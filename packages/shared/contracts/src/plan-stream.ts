import type { EventType } from './events/event.ts';

/** Event names on `plans/:id/stream` and `plans/:id/events`: the literals of the plan protocol. Pinned. */
export const planStreamNames = {
  'plan.created': 'plan_created',
  'plan.clarified': 'plan_clarified',
  'plan.question_asked': 'plan_question_asked',
  'plan.approved': 'plan_approved',
  'plan.started': 'plan_started',
  'plan.resumed': 'plan_resumed',
  'plan.interrupted': 'plan_interrupted',
  'plan.task_ready': 'task_ready',
  'plan.task_started': 'task_started',
  'plan.task_rebound': 'task_rebound',
  'plan.task_released': 'task_released',
  'plan.task_log': 'task_log',
  'plan.artifact_created': 'artifact_created',
  'plan.task_completed': 'task_completed',
  'plan.task_retrying': 'task_retrying',
  'plan.task_failed': 'task_failed',
  'plan.task_blocked': 'task_blocked',
  'plan.task_skipped': 'task_skipped',
  'plan.task_result_discarded': 'task_result_discarded',
  'plan.task_retry_requested': 'task_retry_requested',
  'plan.task_reassigned': 'task_reassigned',
  'plan.completed': 'plan_completed',
  'plan.failed': 'plan_failed',
  'plan.canceled': 'plan_canceled',
} as const satisfies Partial<Record<EventType, string>>;

export type PlanEventType = keyof typeof planStreamNames;
export type PlanStreamName = (typeof planStreamNames)[PlanEventType];

export function isPlanEventType(type: EventType): type is PlanEventType {
  return type in planStreamNames;
}
