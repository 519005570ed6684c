import { stat } from 'node:fs/promises';
import { AssayError, errorCode } from '@assay/foundation';
import { examples, jsonOption, type AddCommand } from '../command-spec.ts';
import { homeFolder } from '../daemon/home-paths.ts';
import { exitCodes } from '../exit-codes.ts';
import type { FsckReport } from '@assay/engine/offline';
import { offline } from '../offline.ts';
import { safeText } from '../render/safe-text.ts';
import type { Colours } from '../render/style.ts';
import type { Session } from '../session.ts';

export const fsckCommand: AddCommand = (program, session) => {
  jsonOption(program.command('fsck'))
    .description('check every promise about the files of this home (exit 1 when one does not hold); changes nothing')
    .option('--repair', 'then move what a crash left without an event to the trash; the daemon must be down')
    .addHelpText('after', examples(['assay fsck', 'ASSAY_HOME=/backup/assay assay fsck --json', 'assay fsck --repair']))
    .action((options: Options) => check(session, options));
};

interface Options {
  readonly repair?: boolean;
}

async function check(session: Session, options: Options): Promise<void> {
  const { fsck, repairHome } = await offline();
  const home = homeFolder(session.io.env);
  await requireHome(home);
  const found = await fsck(home);
  // What is damaged must be looked at by a person first: nothing is moved then.
  const moved = options.repair === true && found.ok ? await repairHome(home) : [];
  const report = moved.length === 0 ? found : { ok: found.ok, findings: [...(await fsck(home)).findings, ...moved] };
  session.exitCode = report.ok ? exitCodes.ok : exitCodes.failedWork;
  session.answer(report, () => fsckText(report, { home, colours: session.colours('stdout') }));
}

/** A home that is not there keeps every promise, and a wrong ASSAY_HOME must not look healthy. */
async function requireHome(home: string): Promise<void> {
  try {
    await stat(home);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new AssayError('not_found', 'there is no home to check', {
      why: `${home} does not exist`,
      hint: 'check ASSAY_HOME; a home is made by the first command that needs one, such as "assay demo"',
    });
  }
}

export function fsckText(
  { ok, findings }: FsckReport,
  { home, colours }: { readonly home: string; readonly colours: Colours },
): string {
  const lines = findings.flatMap(({ severity, message, hint }) => [
    `${severity === 'damage' ? colours.red('✗ damage') : colours.yellow('! note')}  ${safeText(message)}`,
    ...(hint === undefined ? [] : [`  do:  ${safeText(hint)}`]),
  ]);
  const end = ok ? colours.green(`✓ ${safeText(home)} is sound`) : colours.red(`✗ ${safeText(home)} is damaged`);
  return [...lines, end].map((line) => `${line}\n`).join('');
}
