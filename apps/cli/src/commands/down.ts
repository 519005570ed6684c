import { setTimeout as sleep } from 'node:timers/promises';
import { AssayError } from '@assay/foundation';
import { examples, jsonOption, type AddCommand } from '../command-spec.ts';
import { findDaemon, isAlive } from '../daemon/find-daemon.ts';
import { homeFolder } from '../daemon/home-paths.ts';
import type { Session } from '../session.ts';

const STOP_TIMEOUT_MS = 15_000;
const POLL_MS = 25;

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
  await daemon.client.shutdown();
  await gone(daemon.pid);
  session.answer({ stopped: true, home }, () => `stopped the daemon of ${home}`);
}

async function gone(pid: number): Promise<void> {
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (isAlive(pid)) {
    if (Date.now() >= deadline)
      throw new AssayError('conflict', 'the daemon has not stopped yet', {
        why: `process ${pid} still runs ${STOP_TIMEOUT_MS / 1000} s after it was asked`,
        hint: `wait, or end it with "kill ${pid}"`,
        details: { pid },
      });
    await sleep(POLL_MS);
  }
}
