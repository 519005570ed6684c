import { examples, jsonOption, type AddCommand } from '../../command-spec.ts';
import { connect } from '../../daemon/connect.ts';
import { answerPlan } from './show.ts';

export const planApproveCommand: AddCommand = (program, session) => {
  jsonOption(program.command('approve'))
    .description('approve a plan that waits for it; it does not start by itself')
    .argument('<plan>', 'the id of a plan')
    .addHelpText('after', examples(['assay plan approve plan_01JD…']))
    .action(async (id: string) => {
      const client = await connect(session);
      answerPlan(session, (await client.approvePlan({ plan: id })).plan);
    });
};

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
