import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { isSameProcess, type ProcessIdentity } from '@assay/files';

const POLL_MS = 2;
/** Nearly always it is gone within a few turns of the event loop. */
const QUICK_POLLS = 50;
/** The kernel needs longer only for a process stuck in a device or a dead network file system. */
const MAX_WAIT_MS = 10_000;

/** Ends process 1 of a namespace, and with it everything inside, and waits until it is gone. */
export async function whenGone(init: ProcessIdentity): Promise<void> {
  const until = performance.now() + MAX_WAIT_MS;
  for (let polls = 0; isSameProcess(init) && performance.now() < until; polls += 1) {
    try {
      process.kill(init.pid, 'SIGKILL');
    } catch {
      return;
    }
    await (polls < QUICK_POLLS ? nextTurn() : pause(POLL_MS));
  }
}
