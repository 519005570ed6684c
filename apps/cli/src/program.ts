import { ASSAY_VERSION } from '@assay/contracts';
import { refuseNewerHome } from '@assay/engine/home-version';
import { Command } from 'commander';
import { benchmarkCommand } from './commands/benchmark.ts';
import { comparisonCommand } from './commands/comparison.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { downCommand } from './commands/down.ts';
import { eventsCommand } from './commands/events.ts';
import { fsckCommand } from './commands/fsck.ts';
import { helpCommand } from './commands/help.ts';
import { planCommand } from './commands/plan/plan.ts';
import { secretsCommand } from './commands/secrets.ts';
import { statusCommand } from './commands/status.ts';
import { upCommand } from './commands/up.ts';
import { verifyCommand } from './commands/verify.ts';
import { whyCommand } from './commands/why.ts';
import { homeFolder } from './daemon/home-paths.ts';
import type { Session } from './session.ts';

const CLOSING = `
Examples:
  assay demo                                             a benchmark on data that comes with Assay
  assay benchmark --repo ./model --data ./rows.csv       measure a repository on your data
  assay verify plan_01JD…                                compute every number again from its sources

Exit codes: 0 ok, 1 failed work, 2 usage, 3 not configured, 4 canceled, 5 budget
Environment: ASSAY_HOME (default ~/.assay), NO_COLOR
`;

/** These have no home, one of their own, or say of the home what is wrong with it among other things. */
const WITHOUT_HOME = new Set(['help', 'demo', 'doctor']);

async function refuseForeignHome(session: Session, command: string): Promise<void> {
  if (!WITHOUT_HOME.has(command)) await refuseNewerHome(homeFolder(session.io.env));
}

/** All commands. Written to once per run, so nothing is shared between two runs in one process. */
export function buildProgram(session: Session): Command {
  const program = new Command('assay')
    .description('A research workbench in which every number is recomputed from raw evidence.')
    .version(ASSAY_VERSION)
    .addHelpText('after', CLOSING)
    .showSuggestionAfterError()
    .helpCommand(false);
  // The whole tree must exist before these are set: sub-commands inherit them when they are made.
  program.exitOverride().configureOutput({
    writeOut: (text) => void session.io.stdout.write(text),
    writeErr: (text) => void session.io.stderr.write(text),
    outputError: () => undefined, // said by main, in three lines
  });
  program.hook('preAction', (_, command) => refuseForeignHome(session, command.name()));
  for (const add of [
    demoCommand,
    benchmarkCommand,
    planCommand,
    comparisonCommand,
    verifyCommand,
    whyCommand,
    eventsCommand,
    secretsCommand,
    upCommand,
    downCommand,
    statusCommand,
    doctorCommand,
    fsckCommand,
    helpCommand,
  ])
    add(program, session);
  return program;
}
