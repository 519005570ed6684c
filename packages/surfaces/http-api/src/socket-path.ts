import { AssayError, errorCode } from '@assay/foundation';
import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Node cuts longer socket paths at about 107 bytes without a word. */
const MAX_BYTES = 100;

/**
 * The wanted path when it is short enough, else one in a private folder of this user under the temporary directory,
 * the same for the same home. Refuses a folder that somebody else made.
 */
export async function socketPathFor(wanted: string, temporary = tmpdir()): Promise<string> {
  if (Buffer.byteLength(wanted) <= MAX_BYTES) {
    await mkdir(dirname(wanted), { recursive: true, mode: 0o700 });
    return wanted;
  }
  const folder = join(temporary, `assay-${process.getuid?.() ?? 'user'}`);
  await ownFolder(folder);
  return join(folder, `${createHash('sha256').update(wanted).digest('hex').slice(0, 16)}.sock`);
}

async function ownFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    const stat = await lstat(folder);
    if (!stat.isDirectory() || stat.uid !== process.getuid?.() || (stat.mode & 0o077) !== 0)
      throw new AssayError('daemon_start_failed', 'the folder for the unix socket belongs to somebody else', {
        why: `${folder} is not a directory that only this user can open`,
        hint: 'remove it, or use a home with a shorter path',
        cause: error,
      });
  }
}
