import { AssayError, deferred, type Clock } from '@assay/foundation';
import type { AssayEvent, EventDraft } from '@assay/contracts';
import {
  openMemoryJournal,
  type AppendOptions,
  type Journal,
  type Projected,
  type Projection,
} from '@assay/event-store';
import type { PlanJournal } from '@assay/scheduler';

/** The journal of the event store, seen by one daemon: it can be slow, refuse to write, or die in the middle of a write. */
export class TestJournal implements PlanJournal {
  readonly disk: Journal;
  /** The types of every acknowledged append. */
  readonly appends: string[][] = [];
  /** Set to make appends wait for it. */
  gate: Promise<void> | undefined;
  failure: AssayError | undefined;
  /** The append, counted from now, at which the process dies, and how many of its events still reach the disk. */
  death: { appends: number; survivors: number } | undefined;
  isDead = false;
  readonly #number: number;

  private constructor(disk: Journal, number: number) {
    this.disk = disk;
    this.#number = number;
  }

  static open(clock: Clock): TestJournal {
    return new TestJournal(openMemoryJournal({ quest: 'quest_1', clock }), 1);
  }

  /** The same disk as the next daemon opens it. */
  reopen(): TestJournal {
    return new TestJournal(this.disk, this.#number + 1);
  }

  async append(drafts: readonly EventDraft[], options?: AppendOptions): Promise<readonly AssayEvent[]> {
    await this.gate;
    if (this.failure !== undefined) throw this.failure;
    const isAcknowledged = options?.durability !== 'streamed';
    if (this.death !== undefined && isAcknowledged && (this.death.appends -= 1) < 0) this.isDead = true;
    if (this.isDead) {
      const survivors = drafts.slice(0, this.death?.survivors ?? 0);
      this.death = undefined;
      if (survivors.length > 0) await this.disk.append(survivors);
      return deferred<never>().promise;
    }
    if (isAcknowledged) this.appends.push(drafts.map(({ type }) => type.slice(5)));
    return this.disk.append(drafts, options);
  }

  /** Every daemon folds for itself; one memory journal knows a projection by its name. */
  project<S>(projection: Projection<S>): Promise<Projected<S>> {
    return this.disk.project({ ...projection, name: `${projection.name}-${this.#number}` });
  }

  async log(): Promise<readonly AssayEvent[]> {
    return this.disk.read({ after: 0, limit: 100_000 });
  }

  async types(): Promise<string[]> {
    const short = ({ type, scope }: AssayEvent) => type.slice(5) + (scope.task === undefined ? '' : `(${scope.task})`);
    return (await this.log()).map(short);
  }
}

export const diskFull = new AssayError('disk_full', 'the disk is full', { why: 'no space left', hint: 'make room' });
