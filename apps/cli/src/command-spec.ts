import type { Command } from 'commander';
import type { Session } from './session.ts';

/** Adds one command to the program. */
export type AddCommand = (program: Command, session: Session) => void;

/** Examples below the help of a command. */
export function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

/** `--json` is everywhere; the session reads it from the arguments. */
export function jsonOption(command: Command): Command {
  return command.option('--json', 'print the result as one line of JSON on stdout, everything else on stderr');
}
