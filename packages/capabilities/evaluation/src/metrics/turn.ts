import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfAborted } from '@assay/foundation';

/** Lets other work of the process run between two steps over all rows. Throws when the signal is aborted. */
export async function turn(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn();
  throwIfAborted(signal);
}
