import { watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { throwIfAborted } from '@assay/foundation';

const CHUNK_BYTES = 256 * 1024;
/** Nothing is heard of a file on a network file system: its size is looked at this often anyway. */
const NET_MS = 1000;

/** Bytes of a file from `offset` as it grows, until `ended` has settled and everything was delivered. */
export async function* followFile(
  file: { readonly dir: string; readonly name: string; readonly ended: Promise<unknown> },
  options: { readonly offset?: number; readonly signal?: AbortSignal },
): AsyncGenerator<Buffer> {
  let offset = options.offset ?? 0;
  let ended = false;
  const bell = new Bell();
  const handle = await open(join(file.dir, file.name), 'r');
  const onEnd = () => {
    ended = true;
    bell.ring();
  };
  file.ended.then(onEnd, onEnd);
  const onAbort = () => bell.ring();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  // The folder, not the file: a watch on a file dies when that is replaced.
  const watcher = watch(file.dir, { persistent: false }, () => bell.ring());
  watcher.on('error', () => undefined); // The size check goes on.
  try {
    for (;;) {
      throwIfAborted(options.signal);
      const lastLook = ended;
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, offset);
      offset += bytesRead;
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
      else if (lastLook) return;
      else await bell.wait(NET_MS);
    }
  } finally {
    watcher.close();
    options.signal?.removeEventListener('abort', onAbort);
    await handle.close();
  }
}

/** Wakes one waiter; a ring while nobody waits is kept. */
class Bell {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#rung)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#rung = false;
    this.#wake = undefined;
  }
}
