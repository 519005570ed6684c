import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isSameProcess, readJson } from '@assay/files';
import { endProcess } from './end-process.ts';
import { HostClient } from './host-client.ts';
import { HostSession, readExit } from './host-session.ts';
import type { Session, SessionExit } from './sandbox.ts';
import { sessionFiles } from './session-files.ts';
import { sessionMetaSchema, type SessionMeta } from './session-records.ts';

export type Attachment =
  | { readonly kind: 'running'; readonly session: Session }
  | { readonly kind: 'ended'; readonly exit: SessionExit }
  /** Nothing of it runs any more, and how it ended is not known. */
  | { readonly kind: 'lost' };

const CONNECT_ATTEMPTS = 20;
const CONNECT_PAUSE_MS = 50;

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
  const host = await connectWhileAlive(meta);
  if (host !== undefined) {
    const { sessions } = await host.call('status', {});
    if (sessions.includes(meta.id))
      return { kind: 'running', session: new HostSession({ home, id: meta.id, dir, host }) };
    host[Symbol.dispose]();
  }
  return endedMeanwhile(dir);
}

/**
 * A connection to exactly the session's host, or undefined when that has ended. A living host that nobody can reach any
 * more (its socket was deleted) is ended: its sessions could otherwise run on while they are taken for lost.
 */
async function connectWhileAlive(meta: SessionMeta): Promise<HostClient | undefined> {
  for (let attempt = 0; attempt < CONNECT_ATTEMPTS; attempt += 1) {
    if (!isSameProcess(meta.host)) return undefined;
    try {
      return await HostClient.connect(meta.socket);
    } catch {
      await pause(CONNECT_PAUSE_MS);
    }
  }
  await endProcess(meta.host);
  if (meta.init !== undefined) await endProcess(meta.init);
  return undefined;
}

/** The host forgets a session only after its record is on disk, so that one more look decides. */
async function endedMeanwhile(dir: string): Promise<Attachment> {
  const exit = await readExit(dir);
  return exit === undefined ? { kind: 'lost' } : { kind: 'ended', exit };
}
