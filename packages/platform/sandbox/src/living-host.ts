import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isSameProcess, readJson } from '@assay/files';
import { endProcess } from './end-process.ts';
import { hostAddress } from './host-address.ts';
import { HostClient } from './host-client.ts';
import { sessionFiles } from './session-files.ts';
import { sessionMetaSchema, type SessionMeta } from './session-records.ts';

const CONNECT_ATTEMPTS = 20;
const CONNECT_PAUSE_MS = 50;

/** A session's folder, and the home whose host ran it. */
export interface SessionPlace {
  readonly home: string;
  readonly dir: string;
}

/** What was started in a session's folder, or undefined when nothing was. Rejects when the record is damaged or newer. */
export async function readMeta(dir: string): Promise<SessionMeta | undefined> {
  const record = await readJson(join(dir, sessionFiles.meta));
  return record === undefined ? undefined : sessionMetaSchema.parse(record);
}

/**
 * A connection to exactly the host that started a session, or undefined when that has ended. A living host that nobody
 * can reach any more (its socket was deleted) is ended: its sessions could otherwise run on while they are taken for
 * lost.
 */
export async function connectLivingHost(place: SessionPlace): Promise<HostClient | undefined> {
  const meta = await readMeta(place.dir);
  if (meta === undefined) return undefined;
  // The home may have been moved since.
  const sockets = [...new Set([meta.socket, hostAddress(place.home).socket])];
  for (let attempt = 0; attempt < CONNECT_ATTEMPTS; attempt += 1) {
    if (!isSameProcess(meta.host)) return undefined;
    for (const socket of sockets) {
      const client = await HostClient.connect(socket).catch(() => undefined);
      if (client !== undefined) return client;
    }
    await pause(CONNECT_PAUSE_MS);
  }
  await endProcess(meta.host);
  if (meta.init !== undefined) await endProcess(meta.init);
  return undefined;
}
