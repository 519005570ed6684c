import { open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomBytes } from 'node:crypto';

/**
 * Writes a file so that after a crash either the old or the new content is there, never a part: temporary file in the
 * same directory, sync, rename, directory sync. Rejects with the file system's error and leaves the old file as it was.
 */
export async function writeFileDurable(
  path: string,
  content: string | Uint8Array,
  options: { readonly mode?: number } = {},
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'wx', options.mode ?? 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  await syncDirectory(dirname(path));
}

export function writeJsonDurable(
  path: string,
  value: unknown,
  options: { readonly mode?: number } = {},
): Promise<void> {
  return writeFileDurable(path, `${JSON.stringify(value, null, 2)}\n`, options);
}

/** The parsed content, or undefined when the file does not exist. Throws on damage or another read error. */
export async function readJson(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return JSON.parse(text) as unknown;
}

/** Makes a rename in this directory survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** True when something is at this path. Throws when that cannot be known. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}
