import type { Projection } from './projection.ts';

export interface Snapshot<S> {
  readonly state: S;
  readonly throughSeq: number;
}

/** Where snapshots are kept. Losing all of them costs only time. */
export interface SnapshotStore {
  /** The newest snapshot that fits version and generation and is not ahead of the log. */
  newest<S>(
    projection: Projection<S>,
    log: { readonly generation: number; readonly lastSeq: number },
  ): Promise<Snapshot<S> | undefined>;
  /** Durable; the previous snapshot is kept, older ones are removed. */
  write<S>(projection: Projection<S>, snapshot: Snapshot<S> & { readonly generation: number }): Promise<void>;
}
