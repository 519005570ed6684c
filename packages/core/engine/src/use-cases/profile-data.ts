import { AssayError } from '@assay/foundation';
import type { DataPreview, ProfileData } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { Caller } from '../engine.ts';
import { absolute, requireFile, requireInside } from '../planning/data-file.ts';

/** What is in a file that was sent or that the caller may name. Reading stops when the signal aborts. */
export async function profileData(
  deps: EngineDeps,
  caller: Caller,
  input: ProfileData,
  signal: AbortSignal,
): Promise<DataPreview> {
  return deps.profiles.preview(await fileOf(deps, caller, input), input, signal);
}

async function fileOf(
  deps: EngineDeps,
  caller: Caller,
  { uploadId, path }: Pick<ProfileData, 'uploadId' | 'path'>,
): Promise<string> {
  if (uploadId !== undefined) return deps.uploads.find(caller.ownerId, uploadId).path;
  if (path === undefined)
    throw new AssayError('dataset_missing', 'no data file is named', { hint: 'name one: uploadId or path' });
  const named = absolute(path, 'data');
  await requireFile(named);
  await requireInside(named, deps.config.data.roots);
  return named;
}
