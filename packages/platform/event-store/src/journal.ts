import type { AssayError } from '@assay/foundation';
import type { AssayEvent, EventDraft } from '@assay/contracts';
import type { Projected, Projection } from './projection.ts';

/**
 * `acknowledged` resolves when the events are synced to disk. `streamed` resolves when they have their place in the
 * order; they are written with the next sync or within 50 ms, and a crash may lose them.
 */
export type Durability = 'acknowledged' | 'streamed';

export interface AppendOptions {
  /** Default `acknowledged`. */
  readonly durability?: Durability;
}

/** `after` alone: the first `limit` events behind it. Without `after`: the last `limit` events (before `before`). */
export interface ReadQuery {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface ScanOptions {
  readonly after?: number;
  readonly signal?: AbortSignal;
}

/** One item of a followed journal. `caught_up` is sent once, when everything written before the call was delivered. */
export type FollowItem =
  | { readonly kind: 'event'; readonly generation: number; readonly event: AssayEvent }
  | { readonly kind: 'caught_up'; readonly generation: number; readonly lastSeq: number }
  /** The reader was too slow, or its position is of another generation: it must resume from its last id or from 0. */
  | { readonly kind: 'reset'; readonly generation: number; readonly reason: 'slow' | 'generation' };

export interface FollowOptions {
  /** Events with a greater seq are delivered. */
  readonly after: number;
  /** The generation that `after` was read in; when the journal has another one, the only item is a `reset`. */
  readonly generation?: number | undefined;
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
  /** Live events kept for a reader that is busy; one more gives `reset`. Default 1,000. */
  readonly limit?: number | undefined;
}

/** The ordered, durable event log of one quest. Sequence numbers are dense and start at 1. */
export interface Journal extends AsyncDisposable {
  readonly quest: string;
  /** Starts at 1; one more each time a tail was cut. */
  readonly generation: number;
  /** The last event that was published; 0 for none. */
  readonly lastSeq: number;
  /** Why nothing can be appended: damage with file and offset, a failed sync, a full disk at open. */
  readonly problem: AssayError | null;
  /** What was repaired when it was opened, for people. */
  readonly notes: readonly string[];

  /**
   * Appends all drafts in order with contiguous sequence numbers, or none of them.
   * Rejects with `record_invalid` (a draft does not fit its schema; nothing was written), `payload_too_large`,
   * `disk_full`, `journal_read_only` or `journal_damaged`.
   */
  append(drafts: readonly EventDraft[], options?: AppendOptions): Promise<readonly AssayEvent[]>;
  /** Published events in ascending order. Rejects with `journal_damaged` or `record_newer` where the log cannot be read. */
  read(query: ReadQuery): Promise<readonly AssayEvent[]>;
  /** Every event published before the iteration reaches its end, in order, with bounded memory. */
  scan(options?: ScanOptions): AsyncIterable<AssayEvent>;
  /** Called in order for every event after its sync. A listener that throws is logged and does not stop the others. */
  subscribe(listener: (event: AssayEvent) => void): Disposable;
  /** Replays from disk, then goes on live, without a gap or a duplicate. */
  follow(options: FollowOptions): AsyncIterable<FollowItem>;
  /** Folds the events into a state: from the newest usable snapshot and the tail now, with every append afterwards. */
  project<S>(projection: Projection<S>): Promise<Projected<S>>;
}
