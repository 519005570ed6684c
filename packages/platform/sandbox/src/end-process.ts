import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { isSameProcess, type ProcessIdentity } from '@assay/files';
import { childrenOf } from './limits/process-tree.ts';

const POLL_MS = 2;
/** Nearly always it is gone within a few turns of the event loop. */
const QUICK_POLLS = 50;
/** The kernel needs longer only for a process stuck in a device or a dead network file system. */
const MAX_WAIT_MS = 10_000;

/**
 * Ends process 1 of a namespace and everything inside, and waits until nothing inside can run. Process 1 itself needs
 * milliseconds more to take its mounts down; whoever else lives inside is its descendant.
 */
export async function endNamespace(init: ProcessIdentity): Promise<void> {
  await endProcess(init, () => childrenOf(init.pid).length > 0);
}

/** Ends a process and waits until it is gone, or until `blocks` says that what remains of it does not matter. */
export async function endProcess(identity: ProcessIdentity, blocks: () => boolean = () => true): Promise<void> {
  const until = performance.now() + MAX_WAIT_MS;
  for (let polls = 0; isSameProcess(identity) && performance.now() < until; polls += 1) {
    try {
      process.kill(identity.pid, 'SIGKILL');
    } catch {
      return;
    }
    if (!blocks()) return;
    await (polls < QUICK_POLLS ? nextTurn() : pause(POLL_MS));
  }
}
