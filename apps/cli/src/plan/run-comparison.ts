import type { Client } from '@assay/client';
import type { ComparisonResult, Plan, PlanInputs, RegisteredProtocol } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import { commandLine } from '../command-line.ts';
import { exitCodes } from '../exit-codes.ts';
import { comparisonText } from '../render/comparison-text.ts';
import { safeText } from '../render/safe-text.ts';
import type { Session } from '../session.ts';
import { needsApproval } from './run-benchmark.ts';
import { watchPlan } from './watch-plan.ts';

export interface ComparisonRequest {
  readonly client: Client;
  /** Data and evaluation, the same for all. */
  readonly shared: PlanInputs;
  /** Repository, revision and entry point of each. */
  readonly candidates: readonly PlanInputs[];
  readonly rows?: 'held-out' | 'all';
  /** A quest that is there: its runs under the same protocol are compared too. */
  readonly questId?: string;
}

const MOST_COMPARED = 10;

/**
 * Registers one protocol, makes a plan for each candidate, runs them one after the other and compares what came out. A
 * plan that fails does not stop the others. Rejects when nothing can be compared, or when it was interrupted.
 */
export async function runComparison(session: Session, request: ComparisonRequest): Promise<void> {
  const { client, questId, rows } = request;
  const protocol = await client.registerProtocol({
    body: {
      inputs: request.shared,
      ...(questId === undefined ? {} : { questId }),
      ...(rows === undefined ? {} : { rows }),
    },
  });
  session.note(`quest ${safeText(protocol.questId)}  protocol ${protocol.sha256.slice(0, 12)}, ${protocol.rows} rows`);
  const earlier = questId === undefined ? [] : await measuredBefore(client, protocol);
  const plans: Plan[] = [];
  for (const inputs of request.candidates) plans.push(await newPlan(client, protocol, inputs));
  for (const [at, plan] of plans.entries()) {
    session.note(`plan ${safeText(plan.id)}  ${at + 1} of ${plans.length}: ${safeText(plan.userIntent)}`);
    await client.executePlan({ plan: plan.id });
    const { status, error } = await watchPlan(session, client, plan.id);
    if (status === 'canceled' && error?.code !== 'budget_exceeded') throw interrupted(session, plans, at);
  }
  const ids = [...earlier.slice(0, Math.max(0, MOST_COMPARED - plans.length)), ...plans.map(({ id }) => id)];
  answerComparison(session, await client.comparePlans({ body: { plans: ids } }));
}

async function newPlan(client: Client, { questId, artifactId }: RegisteredProtocol, inputs: PlanInputs): Promise<Plan> {
  const body = { intentType: 'Custom_Benchmark' as const, questId, inputs: { ...inputs, protocol: artifactId } };
  const { plan } = await client.createPlan({ body });
  if (plan.status === 'awaiting_approval') throw needsApproval(plan);
  return plan;
}

/** Completed plans of the quest under the same protocol, the newest first. */
async function measuredBefore(client: Client, { questId, artifactId }: RegisteredProtocol): Promise<string[]> {
  const { plans } = await client.listPlans({ query: { limit: 500 } });
  return plans
    .filter((plan) => plan.questId === questId && plan.status === 'completed' && plan.inputs.protocol === artifactId)
    .map(({ id }) => id);
}

function interrupted(session: Session, plans: readonly Plan[], at: number): AssayError {
  const left = plans.slice(at + 1).map(({ id }) => id);
  const compare = commandLine(session.io.env, `plan compare ${plans.map(({ id }) => id).join(' ')}`);
  return new AssayError('canceled', `the comparison was stopped at plan ${at + 1} of ${plans.length}`, {
    why: 'the plan that ran was canceled; those behind it were not started',
    hint:
      left.length === 0 ? compare : `start them with "assay plan start <plan>" (${left.join(', ')}), then: ${compare}`,
  });
}

/** Prints a comparison and sets the exit code: 0 when every plan was compared and every number confirmed. */
export function answerComparison(session: Session, result: ComparisonResult): void {
  const { comparison, verified } = result;
  const whole = comparison.notCompared.length === 0 && verified.total > 0 && verified.ok === verified.total;
  session.exitCode = whole ? exitCodes.ok : exitCodes.failedWork;
  const next = commandLine(session.io.env, `verify ${comparison.id}`);
  const columns = session.io.stdout.columns;
  session.answer(result, () => comparisonText(result, { colours: session.colours('stdout'), columns, next }));
}
