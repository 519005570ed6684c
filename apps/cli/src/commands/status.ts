import type { Health } from '@assay/contracts';
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
  const health = await daemon.client.health();
  session.answer({ running: true, url: daemon.url, ...health }, () => statusText(daemon.url, health));
}

function statusText(url: string, health: Health): string {
  const seconds = Math.max(0, Date.now() - Date.parse(health.startedAt)) / 1000;
  return [
    `running at ${url}, process ${health.pid}, version ${safeText(health.version)}, for ${formatSeconds(seconds)}`,
    `home: ${safeText(health.home)}`,
    `quests: ${health.quests}, plans running: ${health.plansRunning}`,
  ].join('\n');
}
