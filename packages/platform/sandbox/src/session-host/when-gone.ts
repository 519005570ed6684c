import { setTimeout as pause } from 'node:timers/promises';
import { isSameProcess, type ProcessIdentity } from '@assay/files';

const POLL_MS = 2;
/** The kernel needs longer only for a process stuck in a device or a dead network file system. */
const MAX_WAIT_MS = 10_000;

/** Ends process 1 of a namespace, and with it everything inside, and waits until it is gone. */
export async function whenGone(init: ProcessIdentity): Promise<void> {
  const until = performance.now() + MAX_WAIT_MS;
  while (isSameProcess(init) && performance.now() < until) {
    try {
      process.kill(init.pid, 'SIGKILL');
    } catch {
      return;
    }
    await pause(POLL_MS);
  }
}
