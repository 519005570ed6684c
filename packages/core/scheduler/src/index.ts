export type { SchedulerLimits, SchedulerOptions } from './actor-options.ts';
export { STOP_GRACE_MS } from './execution.ts';
export type { PlanView, ProblemListener } from './plan-actor.ts';
export { plansProjection, type BookedPlan, type BookedPlans } from './plan-book.ts';
export type { PlanJournal } from './plan-journal.ts';
export { ResourcePool, type ResourceLease, type ResourceNeed } from './resource-pool.ts';
export { createScheduler, type Scheduler } from './scheduler.ts';
export {
  DaemonStopping,
  type BoundTask,
  type OutputRange,
  type TaskExecution,
  type TaskExecutor,
  type TaskResult,
} from './task-executor.ts';
