import { agentRoles, type AgentRole } from '@assay/contracts';
import { Argument } from 'commander';
import { examples, jsonOption, type AddCommand } from '../../command-spec.ts';
import { connect } from '../../daemon/connect.ts';
import { answerPlan } from './show.ts';

export const planRetryCommand: AddCommand = (program, session) => {
  jsonOption(program.command('retry'))
    .description('reset a failed, blocked or canceled task and what depends on it; finished tasks stay')
    .argument('<plan>', 'the id of a plan')
    .argument('<task>', 'the id of a task, as "assay plan show" lists it with --json')
    .addHelpText('after', examples(['assay plan retry plan_01JD… benchmark_execute', 'assay plan start plan_01JD…']))
    .action(async (plan: string, task: string) => {
      const client = await connect(session);
      answerPlan(session, (await client.retryTask({ plan, task })).plan);
    });
};

export const planReassignCommand: AddCommand = (program, session) => {
  jsonOption(program.command('reassign'))
    .description('give a task to another role; what it was doing is void at once')
    .argument('<plan>', 'the id of a plan')
    .argument('<task>', 'the id of a task')
    .addArgument(new Argument('<role>', 'who does it').choices(agentRoles))
    .addHelpText('after', examples(['assay plan reassign plan_01JD… benchmark_report data']))
    .action(async (plan: string, task: string, assignedTo: AgentRole) => {
      const client = await connect(session);
      answerPlan(session, (await client.reassignTask({ plan, task, body: { assignedTo } })).plan);
    });
};
