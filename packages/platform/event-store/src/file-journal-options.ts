import type { Clock, Logger } from '@assay/foundation';
import type { JournalWorker } from './journal-worker-client.ts';

export interface FileJournalOptions {
  /** The folder that holds `events/` and `state/`: `.assay` of a quest, or the home. */
  readonly dir: string;
  readonly quest: string;
  readonly clock: Clock;
  readonly logger?: Logger;
  /** The thread that owns all descriptors; without it the journal starts one of its own and ends it at disposal. */
  readonly worker?: JournalWorker;
  /** Default true. False: a missing journal is damage, not a fresh start. */
  readonly create?: boolean;
  /** A segment is closed when it has reached this many bytes. Default 64 MiB. */
  readonly segmentBytes?: number;
  /** Snapshots are written after this long without an append. Default 5,000 ms. */
  readonly idleMs?: number;
  /** The least time between two attempts to use the disk again after a failed sync. Default 1,000 ms. */
  readonly retryMs?: number;
}
