import { createHash } from 'node:crypto';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** A hash over names, sizes, modes and times: cheap, and different whenever a file was written in the ordinary way. */
export async function appearance(root: string): Promise<string> {
  const lines: string[] = [];
  const queue = [root];
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop())
    for await (const { name } of await opendir(folder)) {
      const path = join(folder, name);
      const { ino, mode, size, mtimeNs, ctimeNs } = await lstat(path, { bigint: true });
      if ((mode & 0o170000n) === 0o040000n) queue.push(path);
      lines.push(`${path} ${ino} ${mode} ${size} ${mtimeNs} ${ctimeNs}`);
    }
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}
