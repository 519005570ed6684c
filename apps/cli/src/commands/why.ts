import { connect } from '../daemon/connect.ts';
import { examples, jsonOption, type AddCommand } from '../command-spec.ts';
import { safeText } from '../render/safe-text.ts';

export const whyCommand: AddCommand = (program, session) => {
  jsonOption(program.command('why'))
    .description('explain in one sentence why a plan, task or quest is in its state, or what a comparison concluded')
    .argument('<ref>', 'a plan, <plan>/<task>, a comparison, or a quest')
    .addHelpText('after', examples(['assay why plan_01JD…', 'assay why plan_01JD…/benchmark_execute']))
    .action(async (ref: string) => {
      const client = await connect(session);
      const why = await client.why({ query: { ref } });
      session.answer(why, () => safeText(why.sentence));
    });
};
