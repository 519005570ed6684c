import { availableParallelism, totalmem } from 'node:os';

/** What a running task occupies of the machine. */
export interface ResourceNeed {
  readonly cpus: number;
  readonly memoryMiB: number;
}

/** A share of the machine; dispose it to give it back. */
export interface ResourceLease extends Disposable {
  readonly need: ResourceNeed;
}

/** Shares of a CPU are fractions, and sums of fractions are not exact. */
const ROUNDING = 1e-6;

interface Waiter {
  readonly key: string;
  readonly need: ResourceNeed;
  readonly wake: () => void;
}

/**
 * CPUs and memory of one machine, leased per running task across all plans. First come, first served: who waits is not
 * overtaken, so a large task is not starved by small ones. A need beyond the machine takes the whole machine.
 */
export class ResourcePool {
  readonly total: ResourceNeed;
  #free: ResourceNeed;
  #leases = 0;
  #waiters: Waiter[] = [];

  constructor(total: ResourceNeed) {
    if (!(total.cpus > 0) || !(total.memoryMiB > 0)) throw new RangeError('a pool needs cpus and memory above 0');
    this.total = total;
    this.#free = total;
  }

  /** All CPUs of this machine and its memory. */
  static ofMachine(): ResourcePool {
    return new ResourcePool({ cpus: availableParallelism(), memoryMiB: Math.floor(totalmem() / 2 ** 20) });
  }

  get free(): ResourceNeed {
    return this.#free;
  }

  /**
   * A lease, or undefined when it must wait: then `wake` is called whenever it is worth to ask again under the same
   * `key`, until it gets a lease or withdraws. Asking again replaces the earlier request and keeps its place.
   */
  tryLease(key: string, need: ResourceNeed, wake: () => void): ResourceLease | undefined {
    const bounded = this.#bounded(need);
    const place = this.#waiters.findIndex((waiter) => waiter.key === key);
    const isFirst = place === 0 || (place === -1 && this.#waiters.length === 0);
    if (isFirst && this.#fits(bounded)) {
      this.#waiters = this.#waiters.filter((waiter) => waiter.key !== key);
      return this.#lease(bounded);
    }
    const waiter = { key, need: bounded, wake };
    if (place === -1) this.#waiters.push(waiter);
    else this.#waiters[place] = waiter;
    return undefined;
  }

  /** A lease for what occupies the machine already, such as a session that outlived its daemon: never waits. */
  occupy(need: ResourceNeed): ResourceLease {
    return this.#lease(this.#bounded(need));
  }

  /** Who asked under this key waits no longer. */
  withdraw(key: string): void {
    const before = this.#waiters[0];
    this.#waiters = this.#waiters.filter((waiter) => waiter.key !== key);
    if (before?.key === key) this.#wakeFirst();
  }

  /** What a waiting request is short of, in words; undefined when nothing waits under this key. */
  whyWaiting(key: string): string | undefined {
    const place = this.#waiters.findIndex((waiter) => waiter.key === key);
    const waiter = this.#waiters[place];
    if (waiter === undefined) return undefined;
    const { need } = waiter;
    const free = `${this.#free.cpus} of ${this.total.cpus} CPUs and ${this.#free.memoryMiB} of ${this.total.memoryMiB} MiB are free`;
    const ahead = place === 0 ? '' : `; ${place} waiting before it`;
    return `it needs ${need.cpus} CPUs and ${need.memoryMiB} MiB, ${free}${ahead}`;
  }

  #bounded(need: ResourceNeed): ResourceNeed {
    const { cpus, memoryMiB } = this.total;
    return { cpus: Math.min(need.cpus, cpus), memoryMiB: Math.min(need.memoryMiB, memoryMiB) };
  }

  #fits(need: ResourceNeed): boolean {
    return need.cpus <= this.#free.cpus + ROUNDING && need.memoryMiB <= this.#free.memoryMiB + ROUNDING;
  }

  #lease(need: ResourceNeed): ResourceLease {
    this.#free = { cpus: this.#free.cpus - need.cpus, memoryMiB: this.#free.memoryMiB - need.memoryMiB };
    this.#leases += 1;
    let held = true;
    this.#wakeFirst();
    return {
      need,
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.#leases -= 1;
        const { cpus, memoryMiB } = this.#free;
        this.#free =
          this.#leases === 0 ? this.total : { cpus: cpus + need.cpus, memoryMiB: memoryMiB + need.memoryMiB };
        this.#wakeFirst();
      },
    };
  }

  #wakeFirst(): void {
    const first = this.#waiters[0];
    if (first !== undefined && this.#fits(first.need)) first.wake();
  }
}
