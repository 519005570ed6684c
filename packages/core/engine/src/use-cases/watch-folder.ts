import { watch } from 'node:fs';
import { deferred, type Clock } from '@assay/foundation';

/** A person sees no difference above ten pictures a second. */
const GATHER_MS = 100;
/** Nothing is heard of files on a network file system: they are looked at this often anyway. */
const LOOK_MS = 1000;

/** Yields at once, and then whenever something in the folder may have changed, until the signal aborts. */
export async function* watchFolder(dir: string, clock: Clock, signal: AbortSignal): AsyncGenerator<void> {
  let bell = deferred();
  const watcher = watch(dir, { persistent: false }, () => bell.resolve());
  watcher.on('error', () => undefined); // it is looked at anyway
  const onAbort = () => bell.resolve();
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      bell = deferred();
      yield;
      const rest = new AbortController();
      await Promise.race([bell.promise, clock.sleep(LOOK_MS, rest.signal).catch(() => undefined)]);
      rest.abort(new Error('something changed'));
      await clock.sleep(GATHER_MS, signal).catch(() => undefined);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    watcher.close();
  }
}
