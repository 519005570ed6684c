import type { Client } from '@assay/client';
import { ASSAY_VERSION } from '@assay/contracts';
import type { Session } from '../session.ts';
import { findDaemon, type FoundDaemon } from './find-daemon.ts';
import { homeFolder } from './home-paths.ts';
import { daemonProgram, startDaemon } from './start-daemon.ts';
import { stopDaemon } from './stop-daemon.ts';

/**
 * A client of the home's daemon; starts one when none runs, and a new one when an older program serves the home. One
 * that is killed while the command runs is started again.
 */
export async function connect(session: Session, home = homeFolder(session.io.env)): Promise<Client> {
  const { env } = session.io;
  const revive = async () => {
    session.note('the daemon was killed; starting it again …');
    await startDaemon(home, { env });
  };
  const found = await findDaemon(home, { revive });
  if (found !== undefined && !(await mustBeReplaced(session, found))) return found.client;
  if (found !== undefined) await stopDaemon(found);
  session.note(`starting the daemon of ${home} …`);
  const started = await startDaemon(home, { env });
  return (await findDaemon(home, { revive }))?.client ?? started.client;
}

/** True for a daemon of another version or build that has nothing to do. One that works is left alone, with a note. */
async function mustBeReplaced(session: Session, { client, program }: FoundDaemon): Promise<boolean> {
  const status = await client.status();
  const same = status.version === ASSAY_VERSION && (program === undefined || program === daemonProgram(session.io.env));
  if (same) return false;
  if (status.plansRunning === 0) return true;
  session.note('the daemon runs another build of Assay and is busy: run "assay down" when its plans have ended');
  return false;
}
