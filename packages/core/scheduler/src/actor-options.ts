import type { Clock, IdKind, Logger } from '@assay/foundation';
import type { Task } from '@assay/contracts';
import type { PlanJournal } from './plan-journal.ts';
import type { ResourceNeed, ResourcePool } from './resource-pool.ts';
import type { TaskExecutor } from './task-executor.ts';

export interface SchedulerLimits {
  /** Tasks of one plan that run at once. */
  readonly maxConcurrentPerPlan: number;
}

export interface SchedulerOptions {
  readonly clock: Clock;
  readonly executor: TaskExecutor;
  /** The open journal of a quest. Rejects with `not_found`, or says why it cannot be used. */
  readonly journals: (questId: string) => PlanJournal | Promise<PlanJournal>;
  /** The machine, shared by all plans. */
  readonly slots: ResourcePool;
  /** What a task occupies while it runs. Default one CPU and 512 MiB. */
  readonly needOf?: (task: Task) => ResourceNeed;
  /** Default two tasks of a plan at once. */
  readonly limits?: Partial<SchedulerLimits>;
  readonly logger?: Logger;
  /** Default `newId` of foundation. */
  readonly newId?: (kind: IdKind) => string;
}

export type ActorOptions = Required<Omit<SchedulerOptions, 'limits'>> & { readonly limits: SchedulerLimits };
