import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Lower-case hexadecimal SHA-256 of a file's bytes, read as a stream. */
export async function sha256File(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, ...(signal ? { signal } : {}) }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Lower-case hexadecimal SHA-256 of a text's UTF-8 bytes or of bytes. */
export function sha256Text(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
