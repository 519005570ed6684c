import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, errorText } from '@assay/foundation';
import { sha256File } from '@assay/files';
import { UPLOAD_RECORD } from '../../uploads/file-name.ts';
import { ownerFolder, PARTIAL, readUpload } from '../../uploads/upload-store.ts';
import { damage, note, type Finding } from './finding.ts';

/** Every sent file is the one of its record, in the folder of its owner, and nothing else is there. */
export async function checkUploads(dir: string, signal?: AbortSignal): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const owner of await names(dir))
    for (const name of await names(join(dir, owner))) {
      signal?.throwIfAborted();
      const found = await checkUpload(join(dir, owner, name), owner);
      findings.push(...found.map((one) => ({ ...one, message: `uploads/${owner}/${name}: ${one.message}` })));
    }
  return findings;
}

async function checkUpload(folder: string, owner: string): Promise<Finding[]> {
  if (folder.endsWith(PARTIAL)) return [note('a file did not come whole; the daemon removes it when it starts')];
  try {
    const upload = await readUpload(folder);
    if (ownerFolder(upload.ownerId) !== owner)
      return [damage('it lies in the folder of another owner', 'remove the folder, and send the file again')];
    const path = join(folder, upload.name);
    if ((await stat(path)).size !== upload.size || (await sha256File(path)) !== upload.sha256)
      return [damage(`${upload.name} is not what was sent`, 'remove the folder, and send the file again')];
    const others = (await names(folder)).filter((name) => name !== upload.name && name !== UPLOAD_RECORD);
    return others.map((name) => note(`${name} belongs to no upload`));
  } catch (error) {
    return [damage(errorText(error), 'remove the folder, and send the file again')];
  }
}

async function names(dir: string): Promise<string[]> {
  try {
    return (await readdir(dir)).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
