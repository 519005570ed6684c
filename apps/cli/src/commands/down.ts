import { examples, jsonOption, type AddCommand } from '../command-spec.ts';
import { findDaemon } from '../daemon/find-daemon.ts';
import { homeFolder } from '../daemon/home-paths.ts';
import { stopDaemon } from '../daemon/stop-daemon.ts';
import type { Session } from '../session.ts';

export const downCommand: AddCommand = (program, session) => {
  jsonOption(program.command('down'))
    .description('stop the daemon of this home; running commands of plans go on and are taken up at the next start')
    .addHelpText('after', examples(['assay down']))
    .action(() => down(session));
};

async function down(session: Session): Promise<void> {
  const home = homeFolder(session.io.env);
  const daemon = await findDaemon(home);
  if (daemon === undefined) {
    session.answer({ stopped: false, home }, () => `no daemon runs on ${home}`);
    return;
  }
  await stopDaemon(daemon);
  session.answer({ stopped: true, home }, () => `stopped the daemon of ${home}`);
}
