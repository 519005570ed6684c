import { AssayError } from '@assay/foundation';
import type { Command } from 'commander';
import { examples, jsonOption, type AddCommand } from '../command-spec.ts';

export const helpCommand: AddCommand = (program, session) => {
  jsonOption(program.command('help'))
    .description('print the help of a command')
    .argument('[command...]', 'the words of a command; all commands when left out')
    .addHelpText('after', examples(['assay help', 'assay help benchmark', 'assay help plan retry']))
    .action((words: string[]) => {
      const command = named(program, words);
      if (session.json) session.answer({ help: command.helpInformation() }, () => '');
      else command.outputHelp();
    });
};

function named(program: Command, words: readonly string[]): Command {
  let at = program;
  for (const word of words) {
    const next = at.commands.find((command) => command.name() === word);
    if (next === undefined)
      throw new AssayError('invalid_request', `unknown command '${words.join(' ')}'`, {
        hint: 'see "assay help"',
      });
    at = next;
  }
  return at;
}
