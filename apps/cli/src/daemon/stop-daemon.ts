import { setTimeout as sleep } from 'node:timers/promises';
import { AssayError } from '@assay/foundation';
import { isAlive, type FoundDaemon } from './find-daemon.ts';

const STOP_TIMEOUT_MS = 15_000;
const POLL_MS = 25;

/** Asks a daemon to stop and waits until its process is gone. Rejects with `conflict` after 15 s. */
export async function stopDaemon({ client, pid }: FoundDaemon): Promise<void> {
  await client.shutdown();
  await gone(pid);
}

async function gone(pid: number): Promise<void> {
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (isAlive(pid)) {
    if (Date.now() >= deadline)
      throw new AssayError('conflict', 'the daemon has not stopped yet', {
        why: `process ${pid} still runs ${STOP_TIMEOUT_MS / 1000} s after it was asked`,
        hint: `wait, or end it with "kill ${pid}"`,
        details: { pid },
      });
    await sleep(POLL_MS);
  }
}
