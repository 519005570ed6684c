import { exitCodeOf, type Failure, type PlanStatus } from '@assay/contracts';
import { exitCodes } from '../exit-codes.ts';

/** What a command that waited for a plan ends with. `error` is the most telling failure that is known. */
export function planExitCode(status: PlanStatus, error: Pick<Failure, 'code'> | null | undefined): number {
  if (status === 'completed') return exitCodes.ok;
  // A budget cancels the plan: its error says so.
  if (error?.code === 'budget_exceeded') return exitCodes.budget;
  if (status === 'canceled') return exitCodes.canceled;
  return error === null || error === undefined ? exitCodes.failedWork : exitCodeOf(error.code);
}

/** The failure that says most: that of the first failed task, else the plan's own. */
export function tellingError(plan: {
  readonly error: Failure | null;
  readonly tasks: readonly { readonly status: string; readonly error: Failure | null }[];
}): Failure | null {
  return plan.tasks.find((task) => task.status === 'failed')?.error ?? plan.error;
}
