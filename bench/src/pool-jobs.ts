import { pbkdf2, randomBytes } from 'node:crypto';
import { deflate } from 'node:zlib';

/** Keeps the thread pool busy with `count` jobs at a time, hashing and compressing, until it is disposed. */
export function poolJobs(count: number): AsyncDisposable {
  const stop = new AbortController();
  const jobs = Array.from({ length: count }, (_, index) => job(index, stop.signal));
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(jobs);
    },
  };
}

async function job(index: number, signal: AbortSignal): Promise<void> {
  const bytes = randomBytes(1 << 20);
  while (!signal.aborted)
    await new Promise<void>((resolve) => {
      if (index % 2 === 0) pbkdf2('secret', 'salt', 20_000, 32, 'sha256', () => resolve());
      else deflate(bytes, () => resolve());
    });
}
