import type { Upload, UploadList } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { ArtifactContent, Caller, IncomingUpload, Page } from '../engine.ts';
import { pageOf } from '../pages.ts';

export async function createUpload(deps: EngineDeps, caller: Caller, incoming: IncomingUpload): Promise<Upload> {
  await deps.recovered; // which files plans need is known then
  return deps.uploads.create(caller.ownerId, incoming);
}

/** The caller's files, newest first. */
export async function listUploads(deps: EngineDeps, caller: Caller, page: Page): Promise<UploadList> {
  const { limits } = deps.uploads;
  const { items, nextCursor } = pageOf(deps.uploads.list(caller.ownerId), page, ({ id }) => id);
  return { uploads: items, nextCursor, limits, usedBytes: deps.uploads.usedBytes(caller.ownerId) };
}

/** The type of a file that somebody sent is not believed: it is bytes. */
export async function uploadContent(
  deps: EngineDeps,
  caller: Caller,
  id: string,
): Promise<ArtifactContent & { readonly sha256: string }> {
  const { upload, path } = deps.uploads.find(caller.ownerId, id);
  const { size, name, sha256 } = upload;
  return { mediaType: 'application/octet-stream', size, fileName: name, file: path, sha256 };
}

export async function removeUpload(deps: EngineDeps, caller: Caller, id: string): Promise<Upload> {
  await deps.recovered;
  return deps.uploads.remove(caller.ownerId, id);
}
