import type { Client } from '@assay/client';
import type { Plan } from '@assay/contracts';
import { AssayError, errorCode } from '@assay/foundation';
import { examples, jsonOption, type AddCommand } from '../../command-spec.ts';
import { commandLine } from '../../command-line.ts';
import { connect } from '../../daemon/connect.ts';
import { hasQuestion, needsClarification } from '../../plan/clarify.ts';
import { planExitCode, tellingError } from '../../plan/plan-exit-code.ts';
import { answerResult } from '../../plan/run-benchmark.ts';
import { watchPlan } from '../../plan/watch-plan.ts';
import type { Session } from '../../session.ts';
import { answerPlan } from './show.ts';

interface Options {
  readonly detach?: boolean;
}

export const planStartCommand: AddCommand = (program, session) => {
  jsonOption(program.command('start'))
    .description('start a pending plan, or go on with an interrupted one, and wait for its end; Ctrl-C cancels it')
    .argument('<plan>', 'the id of a plan')
    .option('--detach', 'do not wait')
    .addHelpText('after', examples(['assay plan start plan_01JD…', 'assay plan start plan_01JD… --detach']))
    .action(async (id: string, options: Options) => {
      const client = await connect(session);
      const { plan: before } = await client.getPlan({ plan: id });
      if (before.status === 'completed') return answerCompleted(session, client, before);
      const accepted = await start(client, before);
      if (options.detach === true) {
        session.answer(accepted, () => `started ${accepted.planId}`);
        return;
      }
      const plan = await watchPlan(session, client, id);
      if (hasQuestion(plan) && plan.clarification !== null) throw needsClarification(id, plan.clarification);
      await answerEnded(session, client, plan);
    });
};

async function answerEnded(session: Session, client: Client, plan: Plan): Promise<void> {
  if (plan.intentType === 'Custom_Benchmark' && !session.json) {
    await answerResult({ session, client, plan, next: (words) => commandLine(session.io.env, words) });
    return;
  }
  session.exitCode = planExitCode(plan.status, tellingError(plan));
  answerPlan(session, plan);
}

/** Nothing is left to do, which is no failure: what was asked for is there. */
async function answerCompleted(session: Session, client: Client, plan: Plan): Promise<void> {
  session.note('this plan is completed already: here is its result; to run it again, make a new plan');
  await answerEnded(session, client, plan);
}

async function start(client: Client, plan: Plan): Promise<{ readonly planId: string; readonly status: string }> {
  const { id } = plan;
  if (plan.clarification !== null && plan.clarification.answer === null)
    throw needsClarification(id, plan.clarification);
  try {
    // A plan whose journal could not be written is still in progress by its record; it goes on too.
    return await (plan.interrupted ? client.resumePlan({ plan: id }) : client.executePlan({ plan: id }));
  } catch (error) {
    if (plan.status === 'in_progress' && errorCode(error) === 'plan_not_runnable') throw alreadyRunning(plan);
    throw error;
  }
}

function alreadyRunning({ id, questId }: Plan): AssayError {
  return new AssayError('conflict', 'this plan is running already', {
    hint: `watch its journal with "assay events ${questId} --follow"`,
    details: { planId: id },
  });
}
