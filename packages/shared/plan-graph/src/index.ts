export { advance, type Advance, type AdvanceContext } from './advance.ts';
export { activeSeconds, attemptsLeft, exceededBudget, type BudgetBreach } from './budget.ts';
export { commandDraft, isRecorded, type Command, type Input, type RecordedCommand } from './commands.ts';
export { decide, nextDeadline } from './decide.ts';
export { deriveEdges } from './derive-edges.ts';
export { explainPlan, explainTask, type ExplainContext } from './explain.ts';
export { holdsLease, whyLeaseVoid, type Lease } from './lease.ts';
export { missingOf, missingText, type Missing } from './missing.ts';
export { newPlan, newTask, type PlanDraft, type TaskDraft } from './new-plan.ts';
export {
  allTerminal,
  artifactIdOf,
  findTask,
  isDone,
  isTerminal,
  planOf,
  planStateOf,
  runningTasks,
  type PlanHead,
  type PlanState,
} from './plan-state.ts';
export { reducePlan } from './reduce-plan.ts';
export { approveDrafts } from './requests/approve.ts';
export { cancelDrafts } from './requests/cancel.ts';
export { clarifyDrafts, type Clarification } from './requests/clarify.ts';
export { executeDrafts } from './requests/execute.ts';
export { interruptDrafts, resumeDrafts, type Interruption, type Resumption } from './requests/interrupt.ts';
export { reassignDrafts } from './requests/reassign.ts';
export { retryDrafts } from './requests/retry.ts';
export { roleTools, toolsBeyondRole } from './role-tools.ts';
export { settle, type Outcome, type Report } from './settle.ts';
export { startDraft } from './start-draft.ts';
export {
  CORE_MAX_TASKS,
  PROPOSAL_MAX_TASKS,
  validatePlan,
  type Problem,
  type ValidationOptions,
} from './validate-plan.ts';
