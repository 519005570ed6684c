import { errorText, type Logger } from '@assay/foundation';
import type { AssayEvent } from '@assay/contracts';
import type { Projected, Projection } from './projection.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** A snapshot is written when this many events were folded since the last one. */
export const SNAPSHOT_EVERY = 20_000;

/** What folding needs of a journal. */
export interface EventSource {
  readonly lastSeq: number;
  readonly generation: number;
  /** Batches of published events behind `after`, up to what is published when the last one is read. */
  batches(after: number): AsyncIterable<Iterable<AssayEvent>>;
}

/** Every projection of one journal: caught up together in one pass, then folded with each append. */
export class ProjectionSet {
  readonly #source: EventSource;
  readonly #snapshots: SnapshotStore | undefined;
  readonly #logger: Logger;
  readonly #living = new Map<string, LivingProjection>();
  #starting: LivingProjection[] = [];
  #pass: Promise<void> | undefined;

  constructor(source: EventSource, options: { snapshots?: SnapshotStore | undefined; logger: Logger }) {
    this.#source = source;
    this.#snapshots = options.snapshots;
    this.#logger = options.logger;
  }

  async project<S>(projection: Projection<S>): Promise<Projected<S>> {
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(projection.name))
      throw new Error(`not a projection name: ${projection.name}`);
    const taken = [...this.#living.keys(), ...this.#starting.map((starting) => starting.name)];
    if (taken.includes(projection.name)) throw new Error(`projection ${projection.name} exists already`);
    const living = new LivingProjection(projection);
    this.#starting.push(living);
    // Projections asked for in the same turn of the event loop share one pass over the log.
    this.#pass ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.#catchUp());
    await this.#pass;
    if (living.failure !== undefined) throw living.failure;
    return living as Projected<S>;
  }

  /** Folds what was just published. */
  fold(events: readonly AssayEvent[]): void {
    for (const living of this.#living.values()) {
      for (const event of events) living.fold(event);
      if (living.failure !== undefined && !living.reported) this.#report(living);
      if (living.throughSeq - living.snapshotSeq >= SNAPSHOT_EVERY) void this.#write(living);
    }
  }

  /** Writes a snapshot of everything that moved since its last one. Failures are logged: snapshots may be missing. */
  async writeSnapshots(): Promise<void> {
    for (const living of this.#living.values()) {
      await living.writing;
      await this.#write(living);
    }
  }

  async #catchUp(): Promise<void> {
    const group = this.#starting;
    this.#starting = [];
    this.#pass = undefined;
    for (const living of group) await this.#restore(living);
    while (behindOf(group) < this.#source.lastSeq)
      for await (const events of this.#source.batches(behindOf(group)))
        for (const event of events) for (const living of group) living.fold(event);
    // Nothing was awaited since the comparison: the next publication reaches them.
    for (const living of group) if (living.failure === undefined) this.#living.set(living.name, living);
  }

  async #restore(living: LivingProjection): Promise<void> {
    const snapshot = await this.#snapshots?.newest(living.projection, {
      generation: this.#source.generation,
      lastSeq: this.#source.lastSeq,
    });
    if (snapshot !== undefined) living.restore(snapshot.state, snapshot.throughSeq);
  }

  async #write(living: LivingProjection): Promise<void> {
    if (this.#snapshots === undefined || living.failure !== undefined || living.writing !== undefined) return;
    if (living.throughSeq === living.snapshotSeq) return;
    living.writing = this.#writeTo(this.#snapshots, living).finally(() => (living.writing = undefined));
    await living.writing;
  }

  async #writeTo(snapshots: SnapshotStore, living: LivingProjection): Promise<void> {
    const throughSeq = living.throughSeq;
    try {
      await snapshots.write(living.projection, {
        state: living.state,
        throughSeq,
        generation: this.#source.generation,
      });
    } catch (error) {
      this.#logger.log('warn', 'a snapshot could not be written', {
        projection: living.name,
        throughSeq,
        error: errorText(error),
      });
    }
    // Also after a failure: tried again after the next 20,000 events, not at every append.
    living.snapshotSeq = throughSeq;
  }

  #report(living: LivingProjection): void {
    living.reported = true;
    this.#logger.log('error', 'a projection failed', { projection: living.name, error: errorText(living.failure) });
  }
}

function behindOf(group: readonly LivingProjection[]): number {
  const folding = group.filter((living) => living.failure === undefined);
  return Math.min(...folding.map((living) => living.throughSeq));
}

class LivingProjection implements Projected<unknown> {
  readonly projection: Projection<unknown>;
  #state: unknown;
  throughSeq = 0;
  /** The seq of the newest snapshot, or of the last attempt to write one. */
  snapshotSeq = 0;
  writing: Promise<void> | undefined;
  failure: Error | undefined;
  reported = false;

  constructor(projection: Projection<unknown>) {
    this.projection = projection;
    this.#state = projection.initial();
  }

  get name(): string {
    return this.projection.name;
  }

  get state(): unknown {
    if (this.failure !== undefined) throw this.failure;
    return this.#state;
  }

  restore(state: unknown, throughSeq: number): void {
    this.#state = state;
    this.throughSeq = throughSeq;
    this.snapshotSeq = throughSeq;
  }

  fold(event: AssayEvent): void {
    if (this.failure !== undefined || event.seq <= this.throughSeq) return;
    try {
      this.#state = this.projection.reduce(this.#state, event);
      this.throughSeq = event.seq;
    } catch (error) {
      this.failure = new Error(`projection ${this.name} failed at event ${event.seq}`, { cause: error });
    }
  }
}
