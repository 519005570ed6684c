import type { Status } from '@assay/contracts';
import { examples, jsonOption, type AddCommand } from '../command-spec.ts';
import { findDaemon } from '../daemon/find-daemon.ts';
import { homeFolder } from '../daemon/home-paths.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatSeconds } from '../render/numbers.ts';
import { safeText } from '../render/safe-text.ts';
import type { Session } from '../session.ts';

export const statusCommand: AddCommand = (program, session) => {
  jsonOption(program.command('status'))
    .description('say whether a daemon runs on this home (exit 3 when none does) and what it does')
    .addHelpText('after', examples(['assay status', 'assay status --json']))
    .action(() => status(session));
};

async function status(session: Session): Promise<void> {
  const home = homeFolder(session.io.env);
  const daemon = await findDaemon(home);
  if (daemon === undefined) {
    session.exitCode = exitCodes.notConfigured;
    session.answer({ running: false, home }, () => `no daemon runs on ${home}\nstart it with "assay up"`);
    return;
  }
  const found = await daemon.client.status();
  session.answer({ running: true, url: daemon.url, ...found }, () => statusText(daemon.url, found));
}

function statusText(url: string, found: Status): string {
  const seconds = Math.max(0, Date.now() - Date.parse(found.startedAt)) / 1000;
  return [
    `running at ${url}, process ${found.pid}, version ${safeText(found.version)}, for ${formatSeconds(seconds)}`,
    `home: ${safeText(found.home)}`,
    `quests: ${found.quests}, plans running: ${found.plansRunning}`,
  ].join('\n');
}
