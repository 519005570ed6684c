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
    .addHelpText('after', examples(['assay fsck', 'ASSAY_HOME=/backup/assay assay fsck --json']))
    .action(() => check(session));
};

async function check(session: Session): Promise<void> {
  const { fsck } = await offline();
  const home = homeFolder(session.io.env);
  const report = await fsck(home);
  session.exitCode = report.ok ? exitCodes.ok : exitCodes.failedWork;
  session.answer(report, () => fsckText(report, { home, colours: session.colours('stdout') }));
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
