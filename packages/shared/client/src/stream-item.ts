import type { AssayEvent, PlanStatus, PlanStreamEvent } from '@assay/contracts';

/** Where a follower starts: the id of the last event it has, such as `1.42`. */
export interface FollowFrom {
  readonly after?: string;
  readonly signal?: AbortSignal;
}

/** One item of a followed stream. After `reset` everything that was built from earlier items is thrown away. */
export type StreamItem<E extends AssayEvent = AssayEvent> =
  | { readonly kind: 'event'; readonly id: string; readonly event: E }
  /** Everything written before the (re)connection has been delivered. */
  | { readonly kind: 'caught_up'; readonly lastSeq: number }
  /** The journal was cut: the events follow again from the first. */
  | { readonly kind: 'reset' }
  /** The plan is terminal and all of its events were delivered; the last item. */
  | { readonly kind: 'end'; readonly status: PlanStatus };

export type PlanStreamItem = StreamItem<PlanStreamEvent>;
