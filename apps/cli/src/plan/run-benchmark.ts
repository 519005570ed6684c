import type { Client } from '@assay/client';
import type { BenchmarkResult, Plan, PlanInputs } from '@assay/contracts';
import { AssayError, errorCode } from '@assay/foundation';
import { commandLine } from '../command-line.ts';
import { exitCodes } from '../exit-codes.ts';
import { errorLines } from '../render/error-lines.ts';
import { resultText } from '../render/result-text.ts';
import { safeText } from '../render/safe-text.ts';
import { errorValue, type Session } from '../session.ts';
import { clarified, hasQuestion } from './clarify.ts';
import { planExitCode, tellingError } from './plan-exit-code.ts';
import { unconfirmedMetrics } from './unconfirmed-metrics.ts';
import { watchPlan } from './watch-plan.ts';

export interface BenchmarkRequest {
  readonly client: Client;
  readonly inputs: PlanInputs;
  readonly title?: string;
  /** The quest of the protocol that the inputs name. */
  readonly questId?: string;
  /** The home of the daemon when it is not the one that commands use by themselves. */
  readonly home?: string;
}

/**
 * Creates a benchmark plan, runs it before the person's eyes and answers with its result, good or bad. Whatever goes
 * wrong from `open` on, the answer with --json is a result object that holds the error.
 */
export async function runBenchmark(session: Session, open: () => Promise<BenchmarkRequest>): Promise<void> {
  const began = Date.now();
  let made: Made | undefined;
  try {
    const { client, home, ...request } = await open();
    const next = (words: string) => commandLine(session.io.env, words, home);
    const { plan } = await client.createPlan({ body: { intentType: 'Custom_Benchmark', ...request } });
    session.note(`plan ${safeText(plan.id)}  quest ${safeText(plan.questId)}`);
    made = { session, client, plan, next };
    await runPlan(made);
  } catch (error) {
    const plan = made === undefined ? undefined : await newest(made);
    session.exitCode = session.fail(error, (known) => failedResult(plan, known, (Date.now() - began) / 1000));
    // What runs goes on without the daemon, and waits to be taken up by the next one.
    if (
      made !== undefined &&
      plan !== undefined &&
      (plan.status === 'in_progress' || errorCode(error) === 'daemon_unreachable')
    )
      session.note(`  next: ${safeText(made.next(`plan start ${plan.id}`))}`);
  }
}

/** Questions of one run; each answer lets it go on. */
const MOST_QUESTIONS = 4;

async function runPlan(made: Made): Promise<void> {
  const { session, client } = made;
  let plan = made.plan;
  for (let questions = 0; questions < MOST_QUESTIONS; questions++) {
    plan = await clarified(session, client, plan);
    if (plan.status === 'awaiting_approval') throw needsApproval(plan);
    await client.executePlan({ plan: plan.id });
    plan = await watchPlan(session, client, plan.id);
    if (!hasQuestion(plan)) break;
  }
  await answerResult({ ...made, plan });
}

/** The plan as it is after something went wrong, or as it was last known. */
async function newest({ client, plan }: Made): Promise<Plan> {
  try {
    return (await client.getPlan({ plan: plan.id })).plan;
  } catch {
    return plan; // what went wrong is told already
  }
}

export interface Made {
  readonly session: Session;
  readonly client: Client;
  readonly plan: Plan;
  /** A command line that works on this plan's home. */
  readonly next: (words: string) => string;
}

/** Prints what a benchmark that has ended gave, good or bad, and sets the exit code. */
export async function answerResult({ session, client, plan, next }: Made): Promise<void> {
  const result = await client.planResult({ plan: plan.id });
  const { ok, total } = result.verified;
  session.exitCode = planExitCode(plan.status, budgetError(plan) ?? result.error);
  if (session.exitCode === exitCodes.ok && (ok !== total || total === 0)) session.exitCode = exitCodes.failedWork;
  if (plan.status !== 'completed') {
    session.note(endLines(plan, session, next));
    if (session.json) session.answer(result, () => '');
    return;
  }
  const unconfirmed = await unconfirmedMetrics(client, plan, result);
  const colours = session.colours('stdout');
  session.answer(result, () => resultText(result, { colours, unconfirmed, next: next(`verify ${plan.id}`) }));
}

/** A budget that ran out says more than the task that it stopped. */
function budgetError({ error }: Plan): Plan['error'] {
  return error?.code === 'budget_exceeded' ? error : null;
}

/** Why the plan did not complete, and what can be done with it. */
function endLines(plan: Plan, session: Session, next: Made['next']): string {
  const error = budgetError(plan) ??
    tellingError(plan) ?? { message: `the plan is ${plan.status.replaceAll('_', ' ')}` };
  const failed = plan.tasks.find((task) => task.status === 'failed');
  const commands = [
    ...(failed === undefined ? [] : [next(`plan retry ${plan.id} ${failed.id}`)]),
    next(`plan show ${plan.id}`),
  ];
  const lines = commands.map((command) => `  next: ${safeText(command)}\n`).join('');
  return `${errorLines(error, session.colours('stderr'))}${lines}`;
}

export function needsApproval({ id, approval }: Plan): AssayError {
  return new AssayError('needs_approval', 'this plan must be approved before it runs', {
    ...(approval.reason === null ? {} : { why: approval.reason }),
    hint: `assay plan approve ${id}, then assay plan start ${id}`,
    details: { planId: id },
  });
}

/** The result object of a benchmark that did not get as far as a result. */
function failedResult(plan: Plan | undefined, error: AssayError, seconds: number): BenchmarkResult {
  return {
    planId: plan?.id ?? null,
    questId: plan?.questId ?? null,
    status: plan?.status ?? 'failed',
    metrics: {},
    intervals: {},
    probes: {},
    verified: { ok: 0, total: 0 },
    report: null,
    seconds,
    error: errorValue(error),
  };
}
