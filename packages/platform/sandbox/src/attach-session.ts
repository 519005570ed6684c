import { HostSession, readExit } from './host-session.ts';
import { connectLivingHost, readMeta, type SessionPlace } from './living-host.ts';
import type { Session, SessionExit } from './sandbox.ts';

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
export async function attachSession(place: SessionPlace): Promise<Attachment> {
  const ended = await readExit(place.dir);
  if (ended !== undefined) return { kind: 'ended', exit: ended };
  const meta = await readMeta(place.dir);
  const host = await connectLivingHost(place);
  if (meta !== undefined && host !== undefined) {
    const { sessions } = await host.call('status', {});
    if (sessions.includes(meta.id))
      return { kind: 'running', session: new HostSession({ ...place, id: meta.id, host }) };
    host[Symbol.dispose]();
  }
  // The host forgets a session only after its record is on disk, so that one more look decides.
  const exit = await readExit(place.dir);
  return exit === undefined ? { kind: 'lost' } : { kind: 'ended', exit };
}
