import type { Budget } from '@assay/contracts';
import { examples, jsonOption, type AddCommand } from '../../command-spec.ts';
import { connect } from '../../daemon/connect.ts';
import { positiveDecimal, positiveNumber } from '../../option-values.ts';
import { answerPlan } from './show.ts';

export const planApproveCommand: AddCommand = (program, session) => {
  jsonOption(program.command('approve'))
    .description('approve a plan that waits for it, with its proposed budget or another; it does not start by itself')
    .argument('<plan>', 'the id of a plan')
    .option('--attempts <n>', 'at most this many attempts of tasks', positiveNumber)
    .option('--hours <h>', 'at most this many hours of running', positiveDecimal)
    .option('--disk <gib>', 'at most this many GiB that a session may write', positiveDecimal)
    .addHelpText(
      'after',
      examples(['assay plan approve plan_01JD…', 'assay plan approve plan_01JD… --hours 2 --disk 20']),
    )
    .action(async (id: string, options: ApproveOptions) => {
      const client = await connect(session);
      const { budget } = (await client.getPlan({ plan: id })).plan;
      const body = Object.keys(options).some((name) => name !== 'json') ? { budget: edited(budget, options) } : {};
      answerPlan(session, (await client.approvePlan({ plan: id, body })).plan);
    });
};

interface ApproveOptions {
  readonly attempts?: number;
  readonly hours?: number;
  readonly disk?: number;
}

/** The proposed budget with what the person changed. */
function edited(budget: Budget, { attempts, hours, disk }: ApproveOptions): Budget {
  return {
    ...budget,
    ...(attempts === undefined ? {} : { maxTaskAttempts: attempts }),
    ...(hours === undefined ? {} : { maxDurationSeconds: hours * 3600 }),
    ...(disk === undefined ? {} : { maxDiskBytes: Math.round(disk * 1024 ** 3) }),
  };
}

export const planClarifyCommand: AddCommand = (program, session) => {
  jsonOption(program.command('clarify'))
    .description('answer the question of a plan')
    .argument('<plan>', 'the id of a plan')
    .argument('<answer>', 'one of the options, such as the name of a column')
    .addHelpText('after', examples(['assay plan clarify plan_01JD… species']))
    .action(async (id: string, answer: string) => {
      const client = await connect(session);
      answerPlan(session, (await client.clarifyPlan({ plan: id, body: { answer } })).plan);
    });
};

interface CancelOptions {
  readonly reason?: string;
}

export const planCancelCommand: AddCommand = (program, session) => {
  jsonOption(program.command('cancel'))
    .description('cancel a plan and end its processes')
    .argument('<plan>', 'the id of a plan')
    .option('--reason <text>', 'why, for the journal')
    .addHelpText('after', examples(['assay plan cancel plan_01JD… --reason "wrong data"']))
    .action(async (id: string, { reason }: CancelOptions) => {
      const client = await connect(session);
      const body = reason === undefined ? {} : { body: { reason } };
      answerPlan(session, (await client.cancelPlan({ plan: id, ...body })).plan);
    });
};
