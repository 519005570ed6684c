import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@assay/foundation';
import type { DatasetManifest, Mismatch } from '@assay/contracts';
import { sha256File } from '@assay/files';

export interface LocatedData {
  /** Bytes with the recorded hash; absent when there are none. */
  readonly path?: string;
  /** Set although bytes were found when the file at its origin has become another one. */
  readonly problem?: Mismatch['reason'];
  readonly source: string;
}

/**
 * The data file at its origin when its hash is the recorded one, else the copy kept by hash in the quest. An origin that
 * changed is a problem even when the copy is there; an origin that is gone is not.
 */
export async function locateData(
  questRoot: string,
  manifest: DatasetManifest,
  signal: AbortSignal | undefined,
): Promise<LocatedData> {
  const origin = await hashOf(manifest.path, signal);
  if (origin === manifest.sha256) return { path: manifest.path, source: manifest.path };
  const kept = join(questRoot, '.assay', 'blobs', manifest.sha256);
  const copy = (await hashOf(kept, signal)) === manifest.sha256 ? { path: kept } : {};
  if (origin !== undefined) return { ...copy, problem: 'source_changed', source: manifest.path };
  return copy.path === undefined
    ? { problem: 'source_missing', source: manifest.path }
    : { ...copy, source: manifest.path };
}

/** Undefined when there is no regular file that can be read. */
async function hashOf(path: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  try {
    return (await lstat(path)).isFile() ? await sha256File(path, signal) : undefined;
  } catch (error) {
    signal?.throwIfAborted();
    if (errorCode(error) === undefined) throw error;
    return undefined; // gone, or not readable by this user
  }
}
