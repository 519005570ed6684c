import { join } from 'node:path';
import { isSameProcess, readJson } from '@assay/files';
import { connectHost } from './ensure-host.ts';
import { HostSession, readExit } from './host-session.ts';
import type { Session, SessionExit } from './sandbox.ts';
import { sessionFiles } from './session-files.ts';
import { sessionMetaSchema } from './session-records.ts';

export type Attachment =
  | { readonly kind: 'running'; readonly session: Session }
  | { readonly kind: 'ended'; readonly exit: SessionExit }
  /** Nothing of it runs any more, and how it ended is not known. */
  | { readonly kind: 'lost' };

/**
 * Finds a session again after its client was restarted. An exit record is the truth; without one the session runs if
 * exactly the host that started it (process id, start time, boot) still does and knows it. A host takes its sandboxes
 * with it, so that anything else is lost. Rejects when a record is damaged or of a newer version.
 */
export async function attachSession(place: { readonly home: string; readonly dir: string }): Promise<Attachment> {
  const { home, dir } = place;
  const ended = await readExit(dir);
  if (ended !== undefined) return { kind: 'ended', exit: ended };
  const record = await readJson(join(dir, sessionFiles.meta));
  if (record === undefined) return { kind: 'lost' };
  const meta = sessionMetaSchema.parse(record);
  if (!isSameProcess(meta.host)) return endedMeanwhile(dir);
  const host = await connectHost(home);
  if (host === undefined) return endedMeanwhile(dir);
  const { sessions } = await host.call('status', {});
  if (sessions.includes(meta.id))
    return { kind: 'running', session: new HostSession({ home, id: meta.id, dir, host }) };
  host[Symbol.dispose]();
  return endedMeanwhile(dir);
}

/** The host forgets a session only after its record is on disk, so that one more look decides. */
async function endedMeanwhile(dir: string): Promise<Attachment> {
  const exit = await readExit(dir);
  return exit === undefined ? { kind: 'lost' } : { kind: 'ended', exit };
}
