import { examples, jsonOption, type AddCommand } from '../../command-spec.ts';
import { connect } from '../../daemon/connect.ts';
import { answerComparison } from '../../plan/run-comparison.ts';

export const planCompareCommand: AddCommand = (program, session) => {
  jsonOption(program.command('compare'))
    .description(
      'compare plans of one quest and protocol: what is better, what is not distinguishable (exit 1 when a plan could not be compared)',
    )
    .argument('<plans...>', 'the ids of two to ten plans')
    .addHelpText('after', examples(['assay plan compare plan_01JD… plan_01JE…']))
    .action(async (plans: string[]) => {
      const client = await connect(session);
      answerComparison(session, await client.comparePlans({ body: { plans } }));
    });
};
