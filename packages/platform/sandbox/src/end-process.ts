import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { isSameProcess, type ProcessIdentity } from '@assay/files';

const POLL_MS = 2;
/** Nearly always it is gone within a few turns of the event loop. */
const QUICK_POLLS = 50;
/** The kernel needs longer only for a process stuck in a device or a dead network file system. */
const MAX_WAIT_MS = 10_000;

/** Ends a process (with process 1 of a namespace everything in that) and waits until it is gone. */
export async function endProcess(identity: ProcessIdentity): Promise<void> {
  const until = performance.now() + MAX_WAIT_MS;
  for (let polls = 0; isSameProcess(identity) && performance.now() < until; polls += 1) {
    try {
      process.kill(identity.pid, 'SIGKILL');
    } catch {
      return;
    }
    await (polls < QUICK_POLLS ? nextTurn() : pause(POLL_MS));
  }
}
