import type { Client } from '@assay/client';
import type { Session } from '../session.ts';
import { findDaemon } from './find-daemon.ts';
import { homeFolder } from './home-paths.ts';
import { startDaemon } from './start-daemon.ts';

/** A client of the home's daemon; starts one when none runs. */
export async function connect(session: Session, home = homeFolder(session.io.env)): Promise<Client> {
  const found = await findDaemon(home);
  if (found !== undefined) return found.client;
  session.note(`starting the daemon of ${home} …`);
  return (await startDaemon(home, { env: session.io.env })).client;
}
