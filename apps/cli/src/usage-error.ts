import { AssayError } from '@assay/foundation';
import type { Command, CommanderError } from 'commander';

/** What was wrong with a command line, what may have been meant, and whose help says more. */
export function usageError(error: CommanderError, program: Command, argv: readonly string[]): AssayError {
  const [what = '', guess] = error.message.replace(/^error: /, '').split('\n');
  const meant = /\(Did you mean (?:one of )?(.+)\?\)/.exec(guess ?? '')?.[1];
  return new AssayError('invalid_request', what.replace(/\.$/, ''), {
    ...(meant === undefined ? {} : { why: `did you mean ${meant}?` }),
    hint: `see "${namedCommand(program, argv)} --help"`,
  });
}

/** The known command that a command line begins with, such as `assay plan retry`. */
function namedCommand(program: Command, argv: readonly string[]): string {
  const names = [program.name()];
  let at = program;
  for (const word of argv) {
    const next = at.commands.find((command) => command.name() === word);
    if (next === undefined) break;
    names.push(word);
    at = next;
  }
  return names.join(' ');
}
