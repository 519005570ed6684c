import type { AssayEvent } from '@assay/contracts';

/** A state that is folded from events. `reduce` is pure: it may return the same or a new state, never look outside. */
export interface Projection<S> {
  /** Lower-case words joined by `-`; names the snapshot file. */
  readonly name: string;
  /** Raised whenever `reduce` or the stored form changes: snapshots of another version are ignored. */
  readonly version: number;
  initial(): S;
  reduce(state: S, event: AssayEvent): S;
  /** A JSON value. */
  serialize(state: S): unknown;
  /** The state of a stored JSON value. Throws when it does not fit; the snapshot is then ignored. */
  parse(stored: unknown): S;
}

/** The living result of a projection. */
export interface Projected<S> {
  /** Folded from every published event. Throws when `reduce` has thrown. */
  readonly state: S;
  /** The last event that is in `state`. */
  readonly throughSeq: number;
}
