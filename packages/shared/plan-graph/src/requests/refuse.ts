import { AssayError } from '@assay/foundation';
import type { ErrorCode } from '@assay/contracts';
import type { PlanState } from '../plan-state.ts';

/** The error of a command that the plan's state does not allow. */
export function refusal(
  state: PlanState,
  code: ErrorCode,
  said: { readonly what: string; readonly why?: string; readonly hint?: string; readonly details?: object },
): AssayError {
  const { what, why, hint, details } = said;
  return new AssayError(code, what, {
    ...(why === undefined ? {} : { why }),
    ...(hint === undefined ? {} : { hint }),
    details: { planId: state.head.id, status: state.head.status, ...details },
  });
}

/** True once a plan has ended. */
export function hasEnded({ head }: PlanState): boolean {
  return head.status === 'completed' || head.status === 'failed' || head.status === 'canceled';
}
