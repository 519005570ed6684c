import { CommanderError } from 'commander';
import { Session } from './session.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { buildProgram } from './program.ts';
import { usageError } from './usage-error.ts';

/**
 * Runs one command line (without the program's own name) and gives its exit code: 0 ok, 1 failed work, 2 usage,
 * 3 not configured, 4 canceled, 5 budget. Never rejects.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const session = new Session(io, argv);
  const program = buildProgram(session);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return session.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return session.fail(error);
    // Help and version are answers; commander has written them.
    if (error.exitCode === 0) return exitCodes.ok;
    if (error.code === 'commander.help') return exitCodes.usage;
    return session.fail(usageError(error, program, argv));
  }
}
