import type { Task } from '@assay/contracts';

/** Who may report the result of a task: all three must be those of the task at that moment. */
export interface Lease {
  readonly executionId: string;
  readonly epoch: number;
  readonly leaseOwner: string | null;
}

/** True while the task is in progress under exactly this lease. */
export function holdsLease(task: Task, lease: Lease): boolean {
  return whyLeaseVoid(task, lease) === undefined;
}

/** Why a result under this lease cannot be taken, or undefined when it can. */
export function whyLeaseVoid(task: Task, lease: Lease): string | undefined {
  if (task.status !== 'in_progress') return `the task is ${task.status.replace('_', ' ')}`;
  if (task.executionId !== lease.executionId) return 'another execution has taken over';
  if (task.executionEpoch !== lease.epoch) return `its lease was renewed as epoch ${task.executionEpoch}`;
  if (task.leaseOwner !== lease.leaseOwner) return `the task belongs to ${task.leaseOwner ?? 'nobody'}`;
  return undefined;
}
